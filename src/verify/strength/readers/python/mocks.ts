import type { Node } from "../../../../code/parse.ts";
import { field, named } from "../force.ts";
import type { Found, Owner } from "../found.ts";
import { lineOf } from "../walk.ts";
import { dotted, positional, stringOf } from "./names.ts";

/** Notes what `patch`, `patch.object`, `setattr` of monkeypatch or `sys.modules[…] = …` replace, and for whom. */
export function noteReplaced(node: Node, owner: Owner, { replaced, aliases }: Found): void {
  const written = node.type === "assignment" ? replacedModule(field(node, "left")) : patched(node);
  if (written === undefined) return;
  const [first = "", ...rest] = written.split(".");
  const target = [aliases.get(first) ?? first, ...rest].join(".");
  replaced.push({ target, line: lineOf(node), owner });
}

/** Notes which modules are loaded, and by which names what of them is known. */
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
  if (!/(?:^|\.)patch(?:\.object|\.multiple)?$|(?:^|\.)monkeypatch\.setattr$/.test(name)) return undefined;
  const [first, second] = positional(call);
  const written = stringOf(first);
  if (written !== undefined) return written;
  const attribute = stringOf(second);
  const object = dotted(first);
  if (object === "") return undefined;
  return attribute === undefined ? object : `${object}.${attribute}`;
}

function replacedModule(left: Node | undefined): string | undefined {
  if (left === undefined || field(left, "value")?.text !== "sys.modules") return undefined;
  return stringOf(named(left)[1]);
}
