import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language as Grammar, Node, Parser, Query, Tree } from "@vscode/tree-sitter-wasm";
import { limits } from "../limits.ts";
import type { MappedLanguage } from "./language.ts";

export type { Node } from "@vscode/tree-sitter-wasm";

/** Parses a text and hands its tree to `read`; the tree is gone afterwards. What cannot be parsed appears as nodes of type ERROR. */
export async function withTree<T>(text: string, language: MappedLanguage, read: (root: Node) => T): Promise<T> {
  const parser = await parserOf(language);
  const tree = parser.parse(text);
  if (tree === null) throw new Error(`Internal error: expected a tree of ${language}, but was null`);
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** Parts of a text that one pattern found, by the names that the pattern gives them. */
export type Parts = Readonly<Record<string, Node>>;

/**
 * Parses a text and hands over what tree-sitter patterns find in it; undefined for a text that takes more steps than code
 * does, because grammars with much ambiguity can be made to run for minutes and to fill all memory. Steps are counted, so
 * the answer is always the same.
 */
export async function withParts<T>(
  text: string,
  { language, patterns, depthMax }: Patterns,
  read: (parts: readonly Parts[]) => T,
): Promise<T | undefined> {
  const [parser, query] = [await parserOf(language), await queryOf(language, patterns)];
  const tree = boundedTree(parser, text);
  if (tree === null) return undefined;
  try {
    const matches = query.matches(tree.rootNode, { maxStartDepth: depthMax });
    return read(matches.map(({ captures }) => Object.fromEntries(captures.map(({ name, node }) => [name, node]))));
  } finally {
    tree.delete();
  }
}

/** Null where the steps or the memory did not suffice. */
function boundedTree(parser: Parser, text: string): Tree | null {
  try {
    const tree = parser.parse(text, null, { progressCallback: countdown(text.length) });
    // What it has begun would go on with the next text.
    if (tree === null) parser.reset();
    return tree;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
    startAnew();
    return null;
  }
}

/** What to look for in a text. */
export interface Patterns {
  readonly language: MappedLanguage;
  /** In tree-sitter's language of queries. */
  readonly patterns: string;
  /** Nodes deeper below the root than this begin no match. */
  readonly depthMax: number;
}

/** True when a parser has used up what a text of this length may take. */
function countdown(chars: number): () => boolean {
  let left = limits.parseLooksMin + chars * limits.parseLooksPerChar;
  return () => (left -= 1) < 0;
}

const queries = new Map<string, Query>();

async function queryOf(language: MappedLanguage, patterns: string): Promise<Query> {
  const known = queries.get(`${language} ${patterns}`);
  if (known !== undefined) return known;
  const { Query: Compiled } = await sitter();
  const { language: grammar } = await parserOf(language);
  if (grammar === null) throw new Error(`Internal error: expected a grammar of ${language}, but was null`);
  const query = new Compiled(grammar, patterns);
  queries.set(`${language} ${patterns}`, query);
  return query;
}

const parsers = new Map<MappedLanguage, Promise<Parser>>();

function parserOf(language: MappedLanguage): Promise<Parser> {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  parsers.set(language, loading);
  return loading;
}

/** Loaded when first needed: most commands parse no code. */
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
    const module = require("@vscode/tree-sitter-wasm") as Sitter;
    await module.Parser.init();
    return module;
  })();
  return loaded;
}
