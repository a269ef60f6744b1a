import { syntaxOf, type Syntax } from "../../../../syntax/syntax.ts";
import type { TestFile, TestReader } from "../../model.ts";
import { assertedBy } from "./assertions.ts";
import { chainOf, isChainEnd } from "./chain.ts";
import { declarationOf, skipsItself, type Declaration } from "./declarations.ts";
import { withoutFakes } from "./fakes.ts";
import type { Finding } from "./findings.ts";
import { gather } from "./gather.ts";
import { mocksOf } from "./mocks.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** Reads tests in JavaScript and TypeScript: node:test, Vitest, Jest, Mocha with Chai, AVA, tap, Playwright. */
export const readJavaScript: TestReader = (root, text): TestFile => {
  const nodes = syntaxOf(root, text);
  const vocabulary = vocabularyOf(nodes);
  const declared = new Map<Syntax, Declaration>();
  const chains: Finding[] = [];
  for (const node of nodes) {
    if (!isChainEnd(node)) continue;
    const links = chainOf(node);
    const declaration = declarationOf(node, links, vocabulary.constants);
    const skip = skipsItself(node, links);
    if (declaration !== undefined && skip === null) declared.set(node, declaration);
    else chains.push({ node, links, skip, asserted: skip === null ? assertedBy(links, vocabulary) : [] });
  }
  const heard = withoutFakes(nodes, chains);
  const mocks = chains.flatMap(({ node, links }) => mocksOf(links, node.line, vocabulary.imports));
  const imports = vocabulary.imports.map(({ source }) => source);
  return { ...gather({ nodes, vocabulary, declared, chains: heard }), mocks, imports };
};
