import type { Syntax } from "../../../../syntax/syntax.ts";
import { guardsLimits } from "../../../limits.ts";
import { isChainEnd } from "./chain.ts";
import type { Declaration } from "./declarations.ts";
import type { Findings } from "./findings.ts";
import { functionName } from "./function-name.ts";
import { atHome, joined, stepTo, type Ground, type Reach } from "./reach.ts";

/** What stands around a node. */
export interface Around {
  /** The test, or the function with a name, to which it belongs; undefined for hooks and what stands outside. */
  readonly owner: Syntax | undefined;
  /** The nearest test or suite. */
  readonly declaration: Declaration | undefined;
  /** How it is reached from its owner. */
  readonly reach: Reach;
}

/** Tells what stands around each node. */
export type Surroundings = (node: Syntax) => Around;

/** Looks at each node once, from outside in: climbing from each would take the square of a deep tree. */
export function surroundings(
  { nodes, declared, vocabulary }: Findings,
  failsWithin: Ground["failsWithin"],
): Surroundings {
  const chains = new Map<Syntax, Syntax>();
  for (const node of nodes) {
    const outer = node.parent === undefined ? undefined : chains.get(node.parent);
    chains.set(node, isChainEnd(node) || outer === undefined ? node : outer);
  }
  const ground = {
    constants: vocabulary.constants,
    failsWithin,
    chainAround: (call: Syntax) => chains.get(call) ?? call,
  };
  const found = new Map<Syntax, Around>();
  for (const node of nodes) {
    const outer = node.parent === undefined ? nowhere : (found.get(node.parent) ?? nowhere);
    found.set(node, inside(node, outer, { declared, ground }));
  }
  return (node) => found.get(node) ?? nowhere;
}

const nowhere: Around = { owner: undefined, declaration: undefined, reach: atHome };

interface Known {
  readonly declared: Findings["declared"];
  readonly ground: Ground;
}

function inside(node: Syntax, outer: Around, { declared, ground }: Known): Around {
  const { parent } = node;
  if (parent === undefined) return outer;
  const declaration = declared.get(parent);
  const isOwner = declaration?.kind === "test" || functionName(parent) !== undefined;
  return {
    owner: isOwner ? parent : outer.owner,
    declaration: declaration ?? outer.declaration,
    reach: stepTo(node, isOwner ? atHome : outer.reach, ground),
  };
}

/** Tests and suites around a node, from inside out. */
export function declarationsAround(node: Syntax, around: Surroundings): Declaration[] {
  const found: Declaration[] = [];
  let next = around(node).declaration;
  while (next !== undefined && found.length < guardsLimits.syntaxDepthMax) {
    found.push(next);
    next = around(next.node).declaration;
  }
  return found;
}

/** How a node is reached from the beginning of the file, and the functions it stands in. */
export function wayTo(
  node: Syntax,
  around: Surroundings,
): { readonly reach: Reach; readonly owners: readonly Syntax[] } {
  const owners: Syntax[] = [];
  let { owner, reach } = around(node);
  while (owner !== undefined && owners.length < guardsLimits.syntaxDepthMax) {
    owners.push(owner);
    const outer = around(owner);
    reach = joined(outer.reach, reach);
    owner = outer.owner;
  }
  return { reach, owners };
}
