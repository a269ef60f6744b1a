/** One thing the scripted agent does. Paths are inside its workspace; `hold`, `save` and `daemon` name files outside. */
export type Move =
  | { readonly write: string; readonly text: string }
  | { readonly append: string; readonly text: string }
  | { readonly delete: string }
  | { readonly shell: string }
  | { readonly print: string }
  | { readonly report: Report }
  /** Writes a file into the outbox. */
  | { readonly leave: string; readonly text: string }
  /** The outbox's judgement.json; a judge's moves stand under `judge:<task>`, for the plan under `judge`. */
  | { readonly judge: unknown }
  | { readonly usage: { readonly input_tokens?: number; readonly output_tokens?: number; readonly usd?: number } }
  /** Writes limit.json with a reset so many seconds from now (none for null), and exits with 75. */
  | { readonly limit: number | null }
  | { readonly exit: number }
  | { readonly crash: NodeJS.Signals }
  /** Touches `<name>.reached` outside, then waits until `<name>` appears there. */
  | { readonly hold: string }
  /** Leaves a process of its own session behind, and its pid in the file of that name outside. */
  | { readonly daemon: string }
  /** Saves the prompt, the environment and the working directory as JSON in the file of that name outside. */
  | { readonly save: string };

/** The outbox's report.json. */
export interface Report {
  readonly status: string;
  readonly summary?: string;
  readonly reason?: string;
  readonly need_files?: readonly string[];
  readonly notes?: string;
}

/** Moves per task, and per attempt where the attempts differ; `*` serves every attempt not named. */
export type Moves = Readonly<Record<string, readonly Move[] | Readonly<Record<string, readonly Move[]>>>>;

/** What the move `save` leaves. */
export interface Saved {
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The honest move for a task of `makes(file)`. */
export function writes(file: string): readonly Move[] {
  return [{ write: file, text: "ready\n" }];
}
