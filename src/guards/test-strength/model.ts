import type { Language } from "../../syntax/language.ts";
import type { Node } from "../../syntax/parse.ts";

/** How much an assertion demands: something specific, what nearly anything satisfies, or nothing at all. */
export type Force = "strong" | "weak" | "vacuous";

/**
 * One place that can fail a test. Weak: truthy, defined, not null, an instance, not equal to something, a bare `assert x`.
 * Vacuous: literals against themselves, a value against itself. What cannot be reached or heard is no assertion at all.
 */
export interface Assertion {
  readonly line: number;
  readonly force: Force;
  /** Rows of the literal list whose loop it is in; 1 outside loops and where the list is unknown. */
  readonly times: number;
  /** Values it compares at once: leaves of the literal that it expects; absent for one. */
  readonly parts?: number;
  /** The parameter of its helper whose values it is repeated for; each call shows how many there are. */
  readonly over?: Over;
}

/** A parameter by its place; the rest of all arguments where it takes them. */
export interface Over {
  readonly at: number;
  readonly isRest: boolean;
}

/** A call of something that may be a helper with assertions, by its plain name (`checkUser`, also for `this.checkUser()`). */
export interface Call {
  readonly name: string;
  readonly line: number;
  readonly times: number;
  /** Each argument has the rows of the literal list it is; 1 for anything else. It is absent where the language does not count them. */
  readonly given?: readonly number[];
}

/** Anything with assertions: what it asserts itself, and what it calls. */
export interface Asserting {
  /** Lines count from 1; `end` is its last one. */
  readonly line: number;
  readonly end: number;
  readonly assertions: readonly Assertion[];
  readonly calls: readonly Call[];
}

/** One declared test. */
export interface TestCase extends Asserting {
  /** Titles from outside in, joined by " > ". */
  readonly name: string;
  /** How often it is declared: rows of its literal table (`test.each`, `parametrize`, a loop around it); null where the text does not show it. */
  readonly cases: number | null;
  /** How it is kept from counting, as written, also by a suite around it: "it.skip", "@pytest.mark.xfail", "t.Skip()", "#[ignore]". */
  readonly skipped: string | null;
  /** How it keeps others from running, as written: "it.only", "fit", "focus: true". */
  readonly focused: string | null;
  /** Why its assertions may not be reached or heard, after "its assertions ": "come after a return". */
  readonly muted: string | null;
}

/** A function that is no test; hooks and what stands outside all functions are one together, named "". */
export interface Helper extends Asserting {
  readonly name: string;
}

/** A module or object that a file replaces by a pretence, as written: "../src/add.ts". */
export interface Mock {
  readonly target: string;
  readonly line: number;
}

/** Names of helpers that say what they do: one of a file that did not change is known by its name alone. */
export const assertsByName = /^_*(?:assert|expect)./i;

/** What a file says about tests; of a file that tests nothing, all is empty but helpers. */
export interface TestFile {
  readonly tests: readonly TestCase[];
  readonly helpers: readonly Helper[];
  readonly mocks: readonly Mock[];
  /** Modules it loads, written like the targets of mocks. */
  readonly imports: readonly string[];
}

/** All that the guard asks of a language; `languages/<language>/reader.ts` exports one. */
export interface TestReader {
  /** Finds the tests of a file. Trees may be hostile: no recursion that depth could overflow. */
  readonly read: (root: Node, text: string) => TestFile;
  /** Where the name of a file decides whether its tests are built: which of them that skips. */
  readonly withName?: (path: string, file: TestFile) => TestFile;
}

/** One reader for each language that is known. */
export type TestReaders = Partial<Record<Language, TestReader>>;
