/** A place in a file; both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One error or warning of `stint lint`. */
export interface Problem extends Position {
  readonly file: string;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
}

/** A command line given to `sh -c` in the root of a checkout; exit 0 passes. */
export interface RunCheck {
  readonly kind: "run";
  readonly run: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly network: boolean;
  readonly red: boolean;
  readonly at: Position;
}

/** A fact about a file, looked up by Stint itself. */
export type FileCheck =
  | { readonly kind: "exists"; readonly path: string; readonly red: boolean; readonly at: Position }
  | { readonly kind: "absent"; readonly path: string; readonly red: boolean; readonly at: Position }
  | {
      readonly kind: "contains";
      readonly path: string;
      readonly text: string;
      readonly red: boolean;
      readonly at: Position;
    };

/** A question for the judge role; it can only refuse, so it never counts as red. */
export interface JudgeCheck {
  readonly kind: "judge";
  readonly question: string;
  readonly red: false;
  readonly at: Position;
}

export type Check = RunCheck | FileCheck | JudgeCheck;

/** What a task may touch, as globs relative to the repo root. `touch` is the short list form: create or modify. */
export interface TaskFiles {
  readonly create: readonly string[];
  readonly modify: readonly string[];
  readonly delete: readonly string[];
  readonly touch: readonly string[];
}

export const roles = ["planner", "executor", "reviewer", "judge", "escalation", "external"] as const;
export type Role = (typeof roles)[number];

export interface Task {
  readonly id: string;
  /** Path of the file that the task is written in, relative to the repo root. */
  readonly file: string;
  readonly title: string;
  readonly depends: readonly string[];
  readonly files: TaskFiles;
  readonly estimateMs: number | undefined;
  readonly complexity: "low" | "medium" | "high";
  readonly skills: readonly string[];
  readonly role: Role;
  readonly sourceDocs: readonly string[];
  readonly checks: readonly Check[];
  /** Text of each `## Heading` section, by heading; `Goal` is required. */
  readonly sections: Readonly<Record<string, string>>;
  /** The whole task file as text, given to the agent. */
  readonly text: string;
  /** The line of `file` on which a line of `text` is. */
  readonly line: (ofText: number) => number;
  /** Position of a front-matter key such as `["files", "create", 0]`; of the nearest known parent where it is absent. */
  readonly at: (key: readonly (string | number)[]) => Position;
}

export interface Prerequisite {
  readonly text: string;
  readonly check: string | undefined;
}

export interface Decision {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly recommend: string | undefined;
  readonly answer: string | undefined;
  readonly assumed: boolean;
  readonly at: Position;
}

/** One line of `## Tasks` in plan.md. */
export interface TaskLine {
  readonly id: string;
  readonly ticked: boolean;
  readonly at: Position;
}

export interface Plan {
  readonly name: string;
  /** `plans/<name>` */
  readonly dir: string;
  /** The document that has the front matter: `plans/<name>/plan.md`, or `plans/<name>.md` for a plan of one file. */
  readonly file: string;
  readonly title: string;
  readonly goal: string;
  readonly checks: readonly Check[];
  readonly prerequisites: readonly Prerequisite[];
  readonly decisions: readonly Decision[];
  readonly edgeCases: readonly string[];
  readonly taskLines: readonly TaskLine[];
  /** Tasks are in the order of `## Tasks`; files without a line come last, by name. */
  readonly tasks: readonly Task[];
  readonly at: (key: readonly (string | number)[]) => Position;
}

export interface Rules {
  readonly protect: readonly string[];
  readonly forbid: readonly string[];
  readonly checks: readonly Check[];
  readonly branch: string;
  readonly push: "never" | "task" | "run";
  readonly remote: string;
  readonly maxChangedLines: number;
  readonly prose: string;
}

/** Documents as they were found, by path relative to the repo root. */
export type PlanFiles = ReadonlyMap<string, PlanFile>;

/** The bytes of a file and its executable bit, or why it is not readable as one (FIFO, symlink, too big). */
export type PlanFile = { readonly bytes: Uint8Array; readonly executable?: true } | { readonly unreadable: string };
