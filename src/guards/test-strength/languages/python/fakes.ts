import type { Node } from "../../../../syntax/parse.ts";
import { guardsLimits } from "../../../limits.ts";
import { field } from "../force.ts";
import type { Found, Place, Suite } from "../found.ts";
import { dotted, namesInARowMax, nextName } from "./names.ts";

/** Whether an assertion asks a replacement that the test itself has put there: it hears what the test told it. */
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

/** `cart.total` of `cart.total(1)`, `Cart.total` of `Cart().total()`, and a variable by its name. */
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
