import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import { field, named } from "../shared/assertions.ts";
import type { Found, Place, Suite, Owner } from "../shared/found.ts";
import { lineOf } from "../shared/walk.ts";
import { dotted, namesInARowMax, nextName, keyword, lastName, positional, stringOf } from "./names.ts";

/** Whether an assertion asks a replacement that the test itself made: it gets back what the test put in. */
export function asksFake(assertion: Node, { owner }: Place, { replaced, aliases }: Found): boolean {
  const fakes = replaced.filter(
    ({ owner: by, suite, end }) =>
      assertion.startIndex < end && (by === owner || (by.kind === "hook" && isAround(suite, owner.suite))),
  );
  if (fakes.length === 0) return false;
  const targets = new Set(fakes.map(({ target }) => target));
  const nodes = assertion.descendantsOfType(["call", "identifier"]).slice(0, guardsLimits.assertionNamesMax);
  return nodes.some((node) => targets.has(fullName(calledName(node), aliases, targets)));
}

function isAround(suite: Suite, of: Suite): boolean {
  for (let at: Suite | null = of; at !== null; at = at.around) if (at === suite) return true;
  return false;
}

/** Returns `cart.total` of `cart.total(1)`, `Cart.total` of `Cart().total()`, and a variable by its name. */
function calledName(node: Node | null): string {
  if (node?.type !== "call") return node?.text ?? "";
  const callee = field(node, "function");
  const maker = callee?.type === "attribute" ? field(callee, "object") : undefined;
  if (maker?.type !== "call") return dotted(callee);
  return `${dotted(field(maker, "function"))}.${field(callee, "attribute")?.text ?? ""}`;
}

/**
 * Where a name leads, through variables and imports. A function that was imported by its own name stays what it was when its
 * module gets a replacement, so it leads nowhere, unless it is replaced in the module of the tests itself.
 */
function fullName(written: string, aliases: ReadonlyMap<string, string>, targets: ReadonlySet<string>): string {
  let name = written;
  for (let steps = 0; steps < namesInARowMax; steps += 1) {
    const next = nextName(name, aliases);
    if (!name.includes(".") && targets.has(next)) return ofTestModule(name, targets);
    if (next === name) return name;
    name = next;
  }
  return name;
}

function ofTestModule(name: string, targets: ReadonlySet<string>): string {
  return (
    [...targets].find((target) => /(?:^|\.)(?:test_\w+|\w+_test)\.\w+$/.test(target) && target.endsWith(`.${name}`)) ??
    ""
  );
}

/** Notes what `patch`, `patch.object`, `setattr` of monkeypatch or `sys.modules[…] = …` replace, and for whom. */
export function noteReplaced(node: Node, { owner, suite }: Place, { replaced, aliases }: Found): void {
  const written = node.type === "assignment" ? assigned(node) : patched(node);
  if (written === undefined) return;
  let target = written;
  for (let steps = 0; steps < namesInARowMax; steps += 1) target = nextName(target, aliases);
  replaced.push({ target, line: lineOf(node), end: endOf(node), owner, suite });
}

/** What a `with` replaces is back when it ends. */
function endOf(node: Node): number {
  let at: Node | null = node;
  for (let steps = 0; at !== null && steps < withDepthMax; steps += 1, at = at.parent)
    if (at.type === "with_statement") return at.endIndex;
  return Infinity;
}

/** The `with` of a call is no more steps away, through items, names and parentheses. */
const withDepthMax = 6;

/** Notes which modules are loaded, and the names that the file gives to them and to their parts. */
export function noteImports(statement: Node, { imports, aliases }: Found): void {
  const module = field(statement, "module_name")?.text;
  for (const name of statement.childrenForFieldName("name")) {
    const full = field(name ?? undefined, "name")?.text ?? name?.text ?? "";
    imports.push(module ?? full);
    if (module !== undefined) aliases.set(field(name ?? undefined, "alias")?.text ?? full, `${module}.${full}`);
  }
}

/** A module is mocked where each test that calls what the file takes from it calls the replacement; stubs of what it uses are fair. */
export function findMocks({ owners, replaced, imports, aliases, mocks }: Found): void {
  const callersOf = new Map<string, Set<Owner>>();
  for (const owner of owners) {
    for (const { name } of owner.calls) callersOf.set(name, (callersOf.get(name) ?? new Set()).add(owner));
  }
  for (const module of new Set(imports)) {
    const fakes = replaced.filter(({ target }) => target === module || target.startsWith(`${module}.`));
    if (fakes.length === 0) continue;
    const taken = [...aliases].filter(([, full]) => full.startsWith(`${module}.`));
    const calls = taken.flatMap(([name, full]) => [...(callersOf.get(name) ?? [])].map((by) => ({ by, full })));
    if (calls.length > 0 && calls.every((call) => isFake(call, module, fakes)))
      mocks.push({ target: module, line: fakes[0]!.line });
  }
}

function isFake(
  call: { readonly by: Owner; readonly full: string },
  module: string,
  fakes: Found["replaced"],
): boolean {
  return fakes.some(({ target, owner }) => {
    return (owner === call.by || owner.kind === "hook") && (target === module || target === call.full);
  });
}

function patched(call: Node): string | undefined {
  const name = dotted(field(call, "function"));
  if (keyword(call, "wraps") !== undefined) return undefined;
  if (!/(?:^|\.)patch(?:\.object|\.multiple)?$|(?:^|\.)monkeypatch\.setattr$/.test(name)) return undefined;
  const [first, second] = positional(call);
  const written = stringOf(first);
  if (written !== undefined) return written;
  const attribute = stringOf(second);
  const object = dotted(first);
  if (object === "") return undefined;
  return attribute === undefined ? object : `${object}.${attribute}`;
}

/** Names what is replaced by `sys.modules["shop"] = fake`, `Cart.total = Mock(…)` and `Cart.total = lambda self: 3`. */
function assigned(assignment: Node): string | undefined {
  const [left, right] = [field(assignment, "left"), field(assignment, "right")];
  if (left?.type === "subscript") return replacedModule(left);
  const isFake = right?.type === "lambda" || /^(?:Magic|Async|Property)?Mock$/.test(lastName(right));
  return isFake && left?.type === "attribute" ? dotted(left) : undefined;
}

function replacedModule(left: Node | undefined): string | undefined {
  if (left === undefined || field(left, "value")?.text !== "sys.modules") return undefined;
  return stringOf(named(left)[1]);
}
