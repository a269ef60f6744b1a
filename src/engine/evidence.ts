/** What one check showed on one tree. */
export interface CheckEvidence {
  readonly label: string;
  readonly state: "green" | "red" | "broken";
  readonly why: string;
  readonly tail: string;
  readonly durationMs: number;
  /** Where it could not be asked because the room could not be set up. */
  readonly cause?: "set-up";
  /** What makes it the same check wherever it stands; absent from a judge's answers. */
  readonly key?: string;
  /** The earlier task it belongs to, where it was run again for another one. */
  readonly of?: string;
  /** It was green on the very same tree before, and was not run again. */
  readonly cached?: true;
  /** It was red and green on one tree: it proves less than it says. */
  readonly flaky?: true;
  /** It is red without this work, too, so that another task has to mend it. */
  readonly excused?: true;
  /** What test runners said they ran, as heard by a witness outside the tree. */
  readonly tests?: readonly TestsRun[];
  /** The first tests that failed, by file and title. */
  readonly failing?: readonly string[];
  /** Of the tests that were asked about, those that were heard and did not fail. */
  readonly unfailing?: readonly string[];
  /** Where a command was believed for its exit code alone: no test runner that Stint knows spoke. */
  readonly proof?: "exit code only";
}

/** What one test runner ran in one check. */
export interface TestsRun {
  readonly runner: "node:test" | "vitest" | "jest" | "pytest" | "unittest" | "go test" | "cargo test";
  /** Tests that ran to an end, passed or failed. */
  readonly run: number;
  readonly skipped: number;
  /** Those that ran, by the file they lie in, or the package or target where the runner tells no more. */
  readonly groups: Readonly<Record<string, number>>;
}

/** Which check of which task's making turned red where. */
export interface Regression {
  readonly key: string;
  readonly label: string;
  /** Whose commit turned it red, and which one; null where no commit of the run did. */
  readonly task: string | null;
  readonly commit: string | null;
  readonly why: string;
  /** What that task's commits created or deleted: to mend it, the task may do so to them again. */
  readonly paths?: readonly string[];
}

/** One violation a guard found, with what proves it. */
export interface GuardEvidence {
  readonly guard:
    | "scope"
    | "protected"
    | "forbidden"
    | "size"
    | "tree"
    | "empty"
    | "tests"
    | "definition"
    | "secret"
    | "test-aware"
    | "silenced";
  readonly path: string;
  readonly why: string;
  /** The lines in question, as a diff shows them. */
  readonly evidence?: string;
}
