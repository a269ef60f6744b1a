import { childAt, type Syntax } from "../../../../syntax/syntax.ts";
import { argumentsOf, chainOf, isFunction, unwrapped, wordsOf } from "./names.ts";
import { constantsOf, type Constants } from "./literals.ts";

/** What names mean in one file. */
export interface Vocabulary {
  /** Names of a whole assertion library: `assert`. */
  readonly libraries: ReadonlySet<string>;
  /** Functions taken out of one, by their local name: `eq` → `equal`. */
  readonly functions: ReadonlyMap<string, string>;
  /** Names that the file gives a meaning of its own, so that `expect` may be no assertion any more. */
  readonly own: ReadonlySet<string>;
  readonly constants: Constants;
  readonly imports: readonly Import[];
}

/** A module that is loaded, and the names taken out of it. */
export interface Import {
  readonly source: string;
  readonly names: readonly string[];
}

/** Reads imports and declarations. */
export function vocabularyOf(nodes: readonly Syntax[]): Vocabulary {
  const libraries = new Set(["assert"]);
  const functions = new Map<string, string>();
  const own = new Set<string>();
  const imports: Import[] = [];
  for (const node of nodes) {
    const loaded = loadedBy(node);
    if (loaded !== undefined) {
      imports.push({ source: loaded.source, names: loaded.names.map(({ theirs }) => theirs) });
      if (assertionModules.test(loaded.source)) learn(loaded, libraries, functions);
    }
    const redefined = redefinedBy(node);
    if (redefined !== undefined) own.add(redefined);
  }
  for (const name of own) libraries.delete(name);
  return { libraries, functions, own, constants: constantsOf(nodes), imports };
}

const assertionModules = /^(?:(?:node:)?assert(?:\/strict)?|uvu\/assert|power-assert|@std\/assert.*|chai)$/;

interface Loaded {
  readonly source: string;
  readonly names: readonly { readonly theirs: string; readonly ours: string }[];
}

function learn({ source, names }: Loaded, libraries: Set<string>, functions: Map<string, string>): void {
  for (const { theirs, ours } of names) {
    if (theirs === "*" || theirs === "default" || /^(?:assert|strict)$/.test(theirs)) libraries.add(ours);
    else if (source !== "chai") functions.set(ours, theirs);
  }
}

function loadedBy(node: Syntax): Loaded | undefined {
  // A type is gone when the code runs.
  if (node.type === "import_statement" && node.tokens.includes("type")) return undefined;
  if (node.type === "import_statement") return { source: sourceOf(node), names: importedNames(node) };
  if (node.type !== "call_expression") return undefined;
  const [loader, ...more] = chainOf(node);
  const [module] = argumentsOf(node);
  if (module === undefined || more.length > 0 || !/^(?:require|import)$/.test(loader?.name ?? "")) return undefined;
  return { source: wordsOf(module), names: boundNames(node) };
}

function sourceOf(statement: Syntax): string {
  const source = childAt(statement, "source");
  return source === undefined ? "" : wordsOf(source);
}

function importedNames(statement: Syntax): Loaded["names"] {
  const clause = statement.children.find(({ type }) => type === "import_clause");
  return (clause?.children ?? []).flatMap((part) => {
    if (part.type === "identifier") return [{ theirs: "default", ours: part.text }];
    if (part.type === "namespace_import") return [{ theirs: "*", ours: part.children[0]?.text ?? "" }];
    return part.children.flatMap((specifier) => {
      const theirs = childAt(specifier, "name")?.text;
      return theirs === undefined ? [] : [{ theirs, ours: childAt(specifier, "alias")?.text ?? theirs }];
    });
  });
}

/** Reads the names of `const { equal: eq } = require("assert")`, also behind `await` and a member. */
function boundNames(call: Syntax): Loaded["names"] {
  let value = call;
  let member: string | undefined;
  while (value.parent !== undefined && /^(?:await|member|parenthesized)_expression$/.test(value.parent.type)) {
    value = value.parent;
    member = childAt(value, "property")?.text ?? member;
  }
  const target = value.parent?.type === "variable_declarator" ? childAt(value.parent, "name") : undefined;
  if (target === undefined) return [];
  if (target.type === "identifier") return [{ theirs: member ?? "*", ours: target.text }];
  return target.children.map((part) => {
    const theirs = childAt(part, "key")?.text ?? part.text;
    return { theirs, ours: childAt(part, "value")?.text ?? theirs };
  });
}

/** Finds a name that the file gives to a function or object of its own, or puts in place of a library's: `assert.equal = …`. */
function redefinedBy(node: Syntax): string | undefined {
  if (/^(?:function|generator_function|class)_declaration$/.test(node.type)) return childAt(node, "name")?.text;
  const value = childAt(node, node.type === "assignment_expression" ? "right" : "value");
  if (value === undefined) return undefined;
  if (node.type === "assignment_expression") return chainOf(childAt(node, "left") ?? node)[0]?.name;
  const made = unwrapped(value);
  const isOwn = isFunction(made) || made.type === "object" || made.type === "class";
  return node.type === "variable_declarator" && isOwn ? childAt(node, "name")?.text : undefined;
}
