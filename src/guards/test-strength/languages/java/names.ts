import type { Node } from "../../../../syntax/parse.ts";
import { field, named } from "../shared/assertions.ts";

/** One call of a chain: `isEqualTo(3)` of `assertThat(x).isEqualTo(3)`. */
export interface Link {
  readonly node: Node;
  readonly name: string;
  readonly given: readonly Node[];
}

/** The calls of a chain from its root on, and what the root was called on. */
export interface Chain {
  readonly links: readonly Link[];
  readonly root: Node | undefined;
}

/** Unrolls a chain at its last call; inner calls need no visit of their own. */
export function chainOf(last: Node): Chain {
  const links: Link[] = [];
  let at: Node | undefined = last;
  while (at?.type === "method_invocation") {
    const list = field(at, "arguments");
    links.push({ node: at, name: field(at, "name")?.text ?? "", given: list === undefined ? [] : named(list) });
    at = field(at, "object");
  }
  return { links: links.toReversed(), root: at };
}
