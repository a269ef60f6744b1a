import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import type { Mock } from "../../model.ts";
import { isFunction, wordsOf, type Link } from "./chain.ts";
import type { Import } from "./vocabulary.ts";

/** Reads a chain as the replacement of modules: `vi.mock("../src/add.ts", …)`, `proxyquire("./a", { "./b": … })`. */
export function mocksOf(links: readonly Link[], line: number, imports: readonly Import[]): readonly Mock[] {
  const written = links.map(({ name }) => name).join(".");
  const args = links.at(-1)?.args ?? [];
  const [module, factory] = args;
  if (module === undefined) return [];
  if (/^proxyquire\b/.test(written)) return keysOf(factory).map((target) => ({ target, line }));
  if (!replacers.test(written)) return [];
  const target = wordsOf(module.type === "call_expression" ? (module.children.at(-1)?.children[0] ?? module) : module);
  return keepsTheRest(factory) && !replacesAll(factory, target, imports) ? [] : [{ target, line }];
}

const replacers =
  /^(?:(?:vi|vitest|jest)\.(?:mock|doMock|unstable_mockModule|setMock)|(?:\w+\.)?mock\.module|(?:td|testdouble|quibble)\.(?:replace|replaceEsm|esm)|quibble|rewiremock|esmock)$/;

/** A factory that loads the real module and changes some of it, or a spy on it that still calls it. */
function keepsTheRest(factory: Syntax | undefined): boolean {
  if (factory === undefined) return false;
  if (factory.type === "object") return /\bspy\s*:\s*true\b/.test(factory.text);
  if (!isFunction(factory)) return false;
  const parameters = childAt(factory, "parameters") ?? childAt(factory, "parameter");
  return (
    (parameters?.children.length ?? 0) > 0 || /\b(?:importActual|requireActual|importOriginal)\b/.test(factory.text)
  );
}

/** What is kept is of no use where the file takes nothing of it. */
function replacesAll(factory: Syntax | undefined, target: string, imports: readonly Import[]): boolean {
  const taken = imports.filter(({ source }) => source === target).flatMap(({ names }) => names);
  const text = factory?.text ?? "";
  const isKey = (name: string): boolean =>
    new RegExp(String.raw`(?<![\w$.])${name.replaceAll("$", "\\$")}\s*[:(]`).test(text);
  return factory?.type !== "object" && taken.length > 0 && taken.every((name) => /^[\w$]+$/.test(name) && isKey(name));
}

function keysOf(object: Syntax | undefined): readonly string[] {
  const keys = (object?.children ?? []).map((pair) => childAt(pair, "key"));
  return keys.flatMap((key) => (key === undefined ? [] : [wordsOf(key)]));
}
