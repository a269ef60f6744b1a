import type { Syntax } from "../../../../syntax/syntax.ts";
import type { Asserted } from "./assertions.ts";
import type { Link } from "./chain.ts";
import type { Declaration } from "./declarations.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One thing a file says that matters for tests, at its place. */
export interface Finding {
  readonly node: Syntax;
  readonly links: readonly Link[];
  readonly asserted: readonly Asserted[];
  /** As written, where it skips the test around it. */
  readonly skip: string | null;
}

/** All that one look over the nodes of a file finds. */
export interface Findings {
  readonly nodes: readonly Syntax[];
  readonly vocabulary: Vocabulary;
  readonly declared: ReadonlyMap<Syntax, Declaration>;
  readonly chains: readonly Finding[];
}
