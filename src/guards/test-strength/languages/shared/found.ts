import type { Node } from "../../../../syntax/parse.ts";
import type { Assertion, Call, Force, Mock, Over } from "../../model.ts";

/** A suite around tests; what skips or focuses it may be found after them. */
export interface Suite {
  readonly around: Suite | null;
  readonly titles: string;
  /** The test that contains others, where a suite is one. */
  readonly test: Owner | null;
  /** Whether the runner looks for tests in it. */
  readonly collects: boolean;
  skipped: string | null;
  focused: string | null;
}

/** The owner of the code that is read: a test, a helper, or all that is neither. */
export interface Owner {
  readonly suite: Suite;
  readonly kind: "test" | "helper" | "hook";
  readonly name: string;
  readonly line: number;
  readonly end: number;
  cases: number | null;
  skipped: string | null;
  focused: string | null;
  muted: string | null;
  /** Tests are declared in it: without an assertion of its own, it is only their suite. */
  holdsTests: boolean;
  /** Why all of its assertions may be passed by; counts only where none is sure to be reached. */
  doubt: string | null;
  readonly assertions: Assertion[];
  /** Assertions by a name of a library; they are calls where the file itself declares that name. */
  readonly known: { readonly name: string; readonly assertion: Assertion }[];
  readonly calls: Call[];
  /** Names of what is handed on to be called by others. */
  readonly handed: Call[];
  /** Lines of assertions and calls that no condition keeps from being reached. */
  readonly sure: Set<number>;
}

/** Where the walk is; `unreached` and `doubtful` say why assertions do not count, or perhaps not. */
export interface Place {
  readonly owner: Owner;
  readonly suite: Suite;
  readonly times: number;
  /** How often a test that is declared here is declared; null where the text does not show it. */
  readonly cases: number | null;
  readonly unreached: string | null;
  readonly doubtful: string | null;
  /** What the condition around demands, where a language asserts by `if` and a call that fails. */
  readonly guard: Force | null;
  /** The parameter that a loop around goes over. */
  readonly over: Over | null;
}

/** A node that is still to be visited, and where it stands. */
export type Step = readonly [node: Node, place: Place];

/** A name that is replaced by a pretence, from a line on, up to a place in the text. */
export interface Replaced {
  readonly target: string;
  readonly line: number;
  readonly end: number;
  readonly owner: Owner;
  readonly suite: Suite;
}

/** All that a walk has found so far. */
export interface Found {
  readonly owners: Owner[];
  readonly mocks: Mock[];
  readonly imports: string[];
  /** Names that are replaced while the owner runs: what may be a mock of the very thing under test. */
  readonly replaced: Replaced[];
  /** Rows of literal lists by the name they were given; null where two differ. */
  readonly tables: Map<string, number | null>;
  /** Parameters of the function at hand, by name. */
  readonly parameters: Map<string, Over>;
  /** What a name stands for, as written, where that matters to a language. */
  readonly aliases: Map<string, string>;
}

/** Names of helpers that say what they do. */
export const assertsByName = /^_*(?:assert|expect)./i;
