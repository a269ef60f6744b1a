import { mappedLanguageOf, type MappedLanguage } from "../../syntax/language.ts";
import { withParts, type Node, type Parts } from "../../syntax/parse.ts";
import { planLimits } from "../../plan/limits.ts";
import { planningLimits } from "../limits.ts";
import { isMadeByTools } from "./derived.ts";
import { oneLine, type FileFacts, type MapLine } from "./facts.ts";
import { outlineOf } from "./outline.ts";
import { definitionsOf } from "./queries.ts";
import { unreachable } from "../../base/result.ts";

/** The version of these facts, part of their cache key: raise it whenever the same text gives other facts. */
export const factsVersion = 2;

/** Reads one file: its definitions where its language is known, else an outline. Broken text works, too. */
export async function factsOf(path: string, text: string): Promise<FileFacts> {
  const language = mappedLanguageOf(path);
  const code = language === undefined ? undefined : await readCode(text, language);
  return {
    symbols: code?.symbols ?? outlineOf(path, text),
    words: wordsOf(text),
    imports: code?.imports ?? [],
    isMade: isMadeByTools(text, language !== undefined),
  };
}

type Code = Pick<FileFacts, "symbols" | "imports">;

async function readCode(text: string, language: MappedLanguage): Promise<Code | undefined> {
  return await withParts(text, { language, patterns: definitionsOf[language], depthMax }, (parts) => ({
    symbols: definedBy(parts, { text, isOpen: opennessIn(text, language) }),
    imports: importedBy(parts),
  }));
}

/** A method of a class in two namespaces is at depth 8 in the deepest grammar. */
const depthMax = 9;

/** Tells whether other files can use a definition; `before` is the text right before the signature. */
type IsOpen = (defined: { readonly name: string; readonly signature: string; readonly before: string }) => boolean;

/** Chooses how a language marks what other files can use; where it has no mark, they can use everything. */
function opennessIn(text: string, language: MappedLanguage): IsOpen {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx":
      // A script without modules shares everything it defines.
      return /^export\b/m.test(text) ? ({ before }) => exported.test(before) : () => true;
    case "rust":
      return ({ signature }) => /^(?:pub\b|fn\b|macro_rules!)/.test(signature);
    case "cpp":
      return ({ signature }) => !/^static\b/.test(signature);
    case "java":
    case "c-sharp":
    case "php":
      return ({ signature }) => !/\bprivate\b/.test(signature);
    case "python":
    case "ruby":
    case "go":
      return ({ name }) => !name.startsWith("_");
    default:
      return unreachable(language);
  }
}

/** Matches an export, or an indented member. Names in `export { … }` are few and ignored. */
const exported = /\bexport\s+(?:default\s+|declare\s+)*(?:const\s+|let\s+|var\s+)?$|\n[ \t]+$/;

interface Source {
  readonly text: string;
  readonly isOpen: IsOpen;
}

interface Definition extends MapLine {
  readonly start: number;
  readonly end: number;
  readonly isCallable: boolean;
}

/** Lists definitions in the order of the text, without those local to a function. */
function definedBy(parts: readonly Parts[], source: Source): MapLine[] {
  const around: Definition[] = [];
  const found: MapLine[] = [];
  for (const one of parts.flatMap((part) => definitionIn(part, source) ?? []).toSorted(byPlace)) {
    while (around.length > 0 && around[around.length - 1]!.end <= one.start) around.pop();
    const isLocal = around.some(({ isCallable }) => isCallable);
    const depth = around.length;
    around.push(one);
    if (isLocal || found.length >= planningLimits.mapSymbolsPerFileMax) continue;
    found.push({ name: one.name, isOpen: one.isOpen, line: one.line, depth, signature: one.signature });
  }
  return found;
}

/** Sorts outer definitions first. */
function byPlace(a: Definition, b: Definition): number {
  return a.start - b.start || b.end - a.end;
}

function definitionIn(part: Parts, { text, isOpen }: Source): Definition | undefined {
  const node = part["callable"] ?? part["holder"] ?? part["value"];
  const name = part["name"]?.text.match(lastWord)?.[0];
  if (node === undefined || name === undefined || name.length > planningLimits.mapWordCharsMax) return undefined;
  const signature = signatureOf(node, text);
  return {
    name,
    isOpen: isOpen({ name, signature, before: text.slice(Math.max(0, node.startIndex - 40), node.startIndex) }),
    line: node.startPosition.row + 1,
    depth: 0,
    signature,
    start: node.startIndex,
    end: node.endIndex,
    isCallable: part["callable"] !== undefined,
  };
}

/** Finds the bare name in a qualified one, such as `Shape::area`. */
const lastWord = /[\p{L}\p{N}_$?!=~#]+(?=[^\p{L}\p{N}_$]*$)/u;

/** Returns the text before the body, or the first line, as one line. */
function signatureOf(node: Node, text: string): string {
  const body = node.childForFieldName("body")?.startIndex ?? Infinity;
  const lineEnd = text.indexOf("\n", node.startIndex);
  const end = body - node.startIndex <= signatureCharsMax ? body : Math.min(body, lineEnd === -1 ? Infinity : lineEnd);
  const whole = text.slice(node.startIndex, Math.min(end, node.endIndex, node.startIndex + signatureCharsMax));
  return oneLine(withoutOpening(whole));
}

/** Removes what opens a body. It goes step by step, because one pattern would take minutes on a file full of blanks. */
function withoutOpening(signature: string): string {
  let end = signature.trimEnd().length;
  while (end > 0 && "{([:;,".includes(signature.charAt(end - 1))) end -= 1;
  const before = signature.slice(0, end).trimEnd();
  return before.endsWith("=>") ? before.slice(0, -2) : before.endsWith("=") ? before.slice(0, -1) : before;
}

/** The longest signature; longer ones are cut at their first line. */
const signatureCharsMax = 400;

function importedBy(parts: readonly Parts[]): string[] {
  const found = parts.flatMap((part) => part["import"]?.text.slice(0, planLimits.pathCharsMax) ?? []);
  const plain = found.map((text) => text.replaceAll(/^["'<`]|["'>`]$/g, ""));
  return [...new Set(plain)].filter((text) => text !== "").slice(0, planningLimits.mapImportsPerFileMax);
}

function wordsOf(text: string): string {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z_$\u{80}-\u{ffff}][\w$\u{80}-\u{ffff}]{2,}/gu)) {
    if (word.length <= planningLimits.mapWordCharsMax) words.add(word);
    if (words.size >= planningLimits.mapWordsPerFileMax) break;
  }
  return [...words].join(" ");
}
