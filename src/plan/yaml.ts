import {
  type Alias,
  Composer,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { planLimits } from "./limits.ts";
import { problemAt, quoted } from "./problem.ts";
import type { Position, Problem } from "./types.ts";

/** Finds the position of a key such as `["files", "create", 0]`, or of its nearest known parent where it is absent. */
export type Locate = (path: readonly (string | number)[]) => Position;

/** Data of a file together with where each piece of it was written. */
export interface Source {
  readonly file: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Locate;
}

/** What is wrong, at an offset of the YAML text. */
interface YamlFault {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

type Tokens = Parameters<Composer["compose"]>[0];

/** Reads one YAML map that may be hostile; `firstLine` is the line of the file on which `text` begins. */
export function parseYaml(file: string, text: string, firstLine: number): Source | { readonly problems: Problem[] } {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const refuse = ({ code, message, offset }: YamlFault) => problemAt(file, code, message, place(offset));
  const tokens = tokenize(text, lines);
  if ("code" in tokens) return { problems: [refuse(tokens)] };
  const composed = compose(tokens, text);
  if ("code" in composed) return { problems: [refuse(composed)] };
  const { data, faults } = toPlain(composed.contents);
  if (faults.length > 0) return { problems: faults.map(refuse) };
  return { file, data: data as Source["data"], at: (path) => locate(composed.contents, path, place) };
}

/** Watches the parser's own stack, because deep nesting overflows (or aborts) every recursive step that follows. */
function tokenize(text: string, lines: LineCounter): Tokens | YamlFault {
  const parser = new Parser((offset) => offset > 0 && lines.addNewLine(offset));
  const tokens = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > planLimits.yamlDepthMax && openCollections(parser) > planLimits.yamlDepthMax) {
      const message = `the YAML is nested deeper than ${planLimits.yamlDepthMax} levels`;
      return { code: "yaml-depth", message, offset: parser.offset - lexeme.length };
    }
    if (++lexemes > planLimits.yamlTokensMax) {
      return {
        code: "yaml-size",
        message: `the YAML has more than ${planLimits.yamlTokensMax} tokens`,
        offset: parser.offset,
      };
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

function openCollections(parser: Parser): number {
  return parser.stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")
    .length;
}

/** Duplicate keys are found by us: the library compares every key with every other. */
function compose(tokens: Tokens, text: string): Document.Parsed | YamlFault {
  const composer = new Composer({ version: "1.2", uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error("Internal error: expected a YAML document, but was undefined");
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) return conflictIn(text) ?? unclosedIn(document, fault) ?? faultOf(fault);
  if (second !== undefined) {
    const message = "a second YAML document starts here; only one is read";
    return { code: "yaml", message, offset: second.range[0] };
  }
  const { contents } = document;
  if (contents === null || isMap(contents) || (isScalar(contents) && contents.value === null)) return document;
  return { code: "not-a-map", message: 'expected keys and values such as "title: …"', offset: contents.range[0] };
}

/** What the library says of a merge that was left half done leads nowhere. */
function conflictIn(text: string): YamlFault | undefined {
  const offset = text.search(/^<{7} /m);
  if (offset < 0) return undefined;
  return { code: "yaml", message: "a merge conflict starts here; resolve it, then remove its markers", offset };
}

/** A quote that is not closed takes in the rest of the text; the library complains at its end. */
function unclosedIn(document: Document.Parsed, { message, pos: [end] }: YAMLError): YamlFault | undefined {
  if (!message.startsWith("Missing closing ")) return undefined;
  let offset: number | undefined;
  const look = (_: unknown, { range }: Scalar) =>
    void (range && range[0] < end && end <= range[1] && (offset = range[0]));
  visit(document, { Scalar: look });
  return offset === undefined
    ? undefined
    : { code: "yaml", message: "YAML: the quote that opens here is not closed", offset };
}

function faultOf({ code, message, pos }: YAMLError): YamlFault {
  const [what = ""] = message.split("\n", 1);
  const cure = cures[code];
  return { code: "yaml", message: `YAML: ${what}${cure === undefined ? "" : `; ${cure}`}`, offset: pos[0] };
}

/** How to fix what the library describes in words of its own. */
const cures: Readonly<Partial<Record<ErrorCode, string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'put a text that contains ": " in quotes',
  TAB_AS_INDENT: "use spaces",
};

/** Turns YAML nodes into plain values and collects what plain values cannot say safely. */
function toPlain(root: Node | null): { readonly data: unknown; readonly faults: readonly YamlFault[] } {
  const conversion = new Conversion();
  const data = root === null || isScalar(root) ? {} : conversion.value(root, 0);
  return { data, faults: conversion.faults };
}

class Conversion {
  readonly faults: YamlFault[] = [];
  private readonly anchors = new Map<string, Node>();
  private aliases = 0;
  private aliasedNodes = 0;
  private aliasDepth = 0;
  private stopped = false;

  value(node: unknown, depth: number): unknown {
    if (this.stopped || !this.admits(node as Node, depth)) return null;
    if (isAlias(node)) return this.aliased(node, depth);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private admits(node: Node, depth: number): boolean {
    if (depth > planLimits.yamlDepthMax) {
      return this.stop(node, "yaml-depth", `the YAML is nested deeper than ${planLimits.yamlDepthMax} levels`);
    }
    if (this.aliasDepth > 0) return ++this.aliasedNodes <= planLimits.yamlAliasedNodesMax || this.stopAliases(node);
    if (!isAlias(node) && node?.anchor !== undefined) this.anchors.set(node.anchor, node);
    return true;
  }

  private aliased(alias: Alias, depth: number): unknown {
    if (++this.aliases > planLimits.yamlAliasesMax) return this.stopAliases(alias);
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      return this.stop(alias, "yaml", `YAML: there is no anchor &${alias.source} before the alias *${alias.source}`);
    }
    this.aliasDepth++;
    const value = this.value(target, depth);
    this.aliasDepth--;
    return value;
  }

  private map(map: YAMLMap, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const { key, value } of map.items) {
      const name = this.key(key, map, result);
      const converted = this.value(value, depth + 1);
      if (name !== undefined) result[name] = converted;
    }
    return result;
  }

  private key(key: unknown, map: YAMLMap, seen: Record<string, unknown>): string | undefined {
    const node = isScalar(key) && key.range ? key : map;
    const name = keyText(key);
    if (name === undefined) this.fault(node, "yaml", "YAML: a key must be a word or a text");
    else if (name === "__proto__") this.fault(node, "proto-key", 'the key "__proto__" is not allowed');
    else if (Object.hasOwn(seen, name)) this.fault(node, "duplicate-key", `the key ${quoted(name)} appears twice`);
    else return name;
    return undefined;
  }

  private scalar(scalar: Scalar): unknown {
    const { value } = scalar;
    if (typeof value === "string" && value.includes("\0")) {
      this.fault(scalar, "yaml", "YAML: a text must not contain a NUL character");
    }
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
    this.fault(scalar, "yaml", "YAML: only text, numbers, true and false are allowed here");
    return null;
  }

  private stopAliases(node: Node): false {
    const message = `the YAML repeats itself through more than ${planLimits.yamlAliasesMax} aliases or ${planLimits.yamlAliasedNodesMax} aliased values`;
    return this.stop(node, "yaml-aliases", message);
  }

  /** Ends the conversion, because continuing is what the attack wants. */
  private stop(node: Node, code: string, message: string): false {
    this.fault(node, code, message);
    this.stopped = true;
    return false;
  }

  private fault(node: Node, code: string, message: string): void {
    if (!this.stopped) this.faults.push({ code, message, offset: node?.range?.[0] ?? 0 });
  }
}

function locate(root: Node | null, path: readonly (string | number)[], place: (offset: number) => Position): Position {
  let node: unknown = root;
  let found: Position = { line: 1, column: 1 };
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === undefined) break;
    found = place(next.offset);
    node = next.node;
  }
  return found;
}

function stepInto(node: unknown, step: string | number): { node: unknown; offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => keyText(key) === String(step));
    if (pair === undefined || !isScalar(pair.key)) return undefined;
    return { node: pair.value, offset: pair.key.range?.[0] ?? 0 };
  }
  if (!isSeq(node) || typeof step !== "number") return undefined;
  const item = node.items[step] as Node | undefined;
  return item?.range ? { node: item, offset: item.range[0] } : undefined;
}

/** Reads the text of a key as written; undefined for a key that is a collection, an alias or nothing. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === "string" ? key.value : key.source;
}
