import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language as Grammar, Node, Parser } from "@vscode/tree-sitter-wasm";
import type { Language } from "./language.ts";

export type { Node } from "@vscode/tree-sitter-wasm";

/** Parses a text and hands its tree to `read`; the tree is gone afterwards. What cannot be parsed appears as nodes of type ERROR. */
export async function withTree<T>(text: string, language: Language, read: (root: Node) => T): Promise<T> {
  const parser = await parserOf(language);
  const tree = parser.parse(text);
  if (tree === null) throw new Error(`Internal error: expected a tree of ${language}, but was null`);
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

const parsers = new Map<Language, Promise<Parser>>();

function parserOf(language: Language): Promise<Parser> {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  parsers.set(language, loading);
  return loading;
}

/** Loaded when first needed: most commands parse no code. */
async function load(language: Language): Promise<Parser> {
  const { Parser: Loaded, Language: Grammars } = await sitter();
  const folder = dirname(require.resolve("@vscode/tree-sitter-wasm"));
  const grammar: Grammar = await Grammars.load(join(folder, `tree-sitter-${language}.wasm`));
  const parser = new Loaded();
  parser.setLanguage(grammar);
  return parser;
}

const require = createRequire(import.meta.url);

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
