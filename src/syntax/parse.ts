import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language as Grammar, Node, Parser, Query, Tree } from "@vscode/tree-sitter-wasm";
import { syntaxLimits } from "./limits.ts";
import type { MappedLanguage } from "./language.ts";

export type { Node } from "@vscode/tree-sitter-wasm";

/**
 * Parses a text and hands its tree to `read`; the tree is gone afterwards. What is no code appears as nodes of type ERROR.
 * Undefined for a text that takes more steps than code does, or all memory, as grammars with much ambiguity can be made
 * to do.
 */
export async function withTree<T>(
  text: string,
  language: MappedLanguage,
  read: (root: Node) => T,
): Promise<T | undefined> {
  return await withParser(language, (parser) =>
    readTree({ parser, text, perChar: syntaxLimits.guardLooksPerChar }, read),
  );
}

/** Parts of a text that one pattern found, by the names that the pattern gives them. */
export type Parts = Readonly<Record<string, Node>>;

/** What to look for in a text. */
export interface Patterns {
  readonly language: MappedLanguage;
  /** Written in tree-sitter's query language. */
  readonly patterns: string;
  /** Nodes deeper below the root than this begin no match. */
  readonly depthMax: number;
}

/** Like `withTree`, with fewer steps, but hands over what tree-sitter patterns find in the text. */
export async function withParts<T>(
  text: string,
  { language, patterns, depthMax }: Patterns,
  read: (parts: readonly Parts[]) => T,
): Promise<T | undefined> {
  return await withParser(language, (parser) =>
    readTree({ parser, text, perChar: syntaxLimits.parseLooksPerChar }, (root) => {
      const matches = queryOf(parser, language, patterns).matches(root, { maxStartDepth: depthMax });
      return read(matches.map(({ captures }) => Object.fromEntries(captures.map(({ name, node }) => [name, node]))));
    }),
  );
}

interface Bounded {
  readonly parser: Parser;
  readonly text: string;
  /** How often its parser may come up for air. */
  readonly perChar: number;
}

function readTree<T>(bounded: Bounded, read: (root: Node) => T): T | undefined {
  const tree = boundedTree(bounded);
  if (tree === null) return undefined;
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** Returns null where the steps or the memory did not suffice. */
function boundedTree({ parser, text, perChar }: Bounded): Tree | null {
  try {
    const tree = parser.parse(text, null, { progressCallback: countdown(text.length, perChar) });
    // Otherwise it would continue what it has begun with the next text.
    if (tree === null) parser.reset();
    return tree;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
    startAnew();
    return null;
  }
}

/** Becomes true when a parser has used up what a text of this length may take. */
function countdown(chars: number, perChar: number): () => boolean {
  let left = syntaxLimits.parseLooksMin + chars * perChar;
  return () => (left -= 1) < 0;
}

const queries = new Map<string, Query>();

function queryOf({ language: grammar }: Parser, language: MappedLanguage, patterns: string): Query {
  const known = queries.get(`${language} ${patterns}`);
  if (known !== undefined) return known;
  if (grammar === null) throw new Error(`Internal error: expected a grammar of ${language}, but was null`);
  const query = new (moduleNow().Query)(grammar, patterns);
  queries.set(`${language} ${patterns}`, query);
  return query;
}

/** Uses a parser of the module that lives: while it was waited for, another text may have ended the one it is of. */
async function withParser<T>(language: MappedLanguage, use: (parser: Parser) => T): Promise<T> {
  for (;;) {
    const loading = parserOf(language);
    const its = loaded;
    const [parser] = await Promise.allSettled([loading]);
    if (its !== loaded) continue;
    if (parser.status === "rejected") throw parser.reason;
    return use(parser.value);
  }
}

const parsers = new Map<MappedLanguage, Promise<Parser>>();

function parserOf(language: MappedLanguage): Promise<Parser> {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  parsers.set(language, loading);
  return loading;
}

/** Loads a grammar when it is first needed: most commands parse no code. */
async function load(language: MappedLanguage): Promise<Parser> {
  const { Parser: Loaded, Language: Grammars } = await sitter();
  const folder = dirname(require.resolve("@vscode/tree-sitter-wasm"));
  const grammar: Grammar = await Grammars.load(join(folder, `tree-sitter-${language}.wasm`));
  const parser = new Loaded();
  parser.setLanguage(grammar);
  return parser;
}

const require = createRequire(import.meta.url);

/** A module that ran out of memory answers nothing any more; the next call loads another. */
function startAnew(): void {
  delete require.cache[require.resolve("@vscode/tree-sitter-wasm")];
  parsers.clear();
  queries.clear();
  loaded = undefined;
}

type Sitter = typeof import("@vscode/tree-sitter-wasm");
let loaded: Promise<Sitter> | undefined;

function sitter(): Promise<Sitter> {
  loaded ??= (async () => {
    const module = moduleNow();
    await module.Parser.init();
    return module;
  })();
  return loaded;
}

function moduleNow(): Sitter {
  return require("@vscode/tree-sitter-wasm") as Sitter;
}
