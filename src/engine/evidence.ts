/** What one check showed on one tree. */
export interface CheckEvidence {
  readonly label: string;
  readonly state: "green" | "red" | "broken";
  readonly why: string;
  readonly tail: string;
  readonly durationMs: number;
  /** The file with everything that its command printed, on the machine that ran it; absent where it ran no command. */
  readonly log?: string;
  /** Set where the check could not run because the room could not be set up. */
  readonly cause?: "set-up";
  /** What makes it the same check wherever it stands; absent from a judge's answers. */
  readonly key?: string;
  /** The earlier task that it belongs to, where it was run again for another task. */
  readonly of?: string;
  /** It was green on the very same tree before, and was not run again. */
  readonly cached?: true;
  /** Set where tools found in HOME what work of this run that landed had left there: final verification asks again without. */
  readonly caches?: "landed";
  /** It ran under a tracer, which it could notice: final verification asks again without. */
  readonly watched?: true;
  /** It was red and green on one tree: it proves less than it says. */
  readonly flaky?: true;
  /** It is red without this work too, so another task has to fix it. */
  readonly excused?: true;
  /** What test runners ran, as a witness outside the tree heard it. */
  readonly tests?: readonly TestsRun[];
  /** The first tests that failed, by file and title. */
  readonly failing?: readonly string[];
  /** The watched tests that ran and did not fail. */
  readonly unfailing?: readonly string[];
  /** Set where the exit code alone counted, because no test runner that Stint knows was heard. */
  readonly proof?: "exit code only";
}

/** What one test runner ran in one check. */
export interface TestsRun {
  readonly runner: "node:test" | "vitest" | "jest" | "pytest" | "unittest" | "go test" | "cargo test";
  /** Tests that ran to an end, passed or failed. */
  readonly run: number;
  readonly skipped: number;
  /** How many ran, by file, or by package or target where the runner reports no files. */
  readonly groups: Readonly<Record<string, number>>;
}

/** A check that turned red, and the commit that did it. */
export interface Regression {
  readonly key: string;
  readonly label: string;
  /** The task whose commit turned it red; null where no commit of the run did. */
  readonly task: string | null;
  readonly commit: string | null;
  readonly why: string;
  /** What that task's commits created or deleted; the task may do so again to fix the check. */
  readonly paths?: readonly string[];
}

/** One violation that a guard found, with what proves it. */
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
