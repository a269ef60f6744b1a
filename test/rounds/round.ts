/** What a round can hold to make life hard; the generator's test shows that the seeds cover every kind. */
export const troubles = [
  "overlapping edits",
  "textual conflict",
  "conflict by checks",
  "conflict seen by an earlier task",
  "scope asked for and granted",
  "crash of an agent",
  "work that fails its checks",
  "work that spoils an earlier task",
  "work out of scope",
  "edit of the plan",
  "session without a change",
  "daemon left behind",
  "kill -9 of the driver",
  "interrupt of the driver",
  "confined agents",
] as const;
export type Trouble = (typeof troubles)[number];

/** A session that goes wrong on purpose. */
export interface Misdeed {
  readonly trouble: Trouble;
  readonly sh: string;
  /** The last line of the session, after its deed is noted as done. */
  readonly end: "exit 0" | "exit 1" | "kill -9 $$";
}

/** As in a task's front matter. */
export interface Files {
  readonly create: readonly string[];
  readonly modify: readonly string[];
  readonly delete: readonly string[];
}

export interface RoundCheck {
  readonly run: string;
  /** False where the check may be green before the work. */
  readonly red?: false;
}

export interface RoundTask {
  readonly id: string;
  readonly depends: readonly string[];
  readonly files: Files;
  /** Files that the agent asks for and gets. */
  readonly granted: readonly string[];
  readonly checks: readonly RoundCheck[];
  /** What the agent does when no misdeed is left, as shell; it looks at its workspace, so a later attempt may do otherwise. */
  readonly honest: string;
  readonly misdeeds: readonly Misdeed[];
  readonly troubles: readonly Trouble[];
}

/** A death of the driver, and how it is started again. */
export interface Kill {
  /** It falls when the journal has so many lines more than the driver found. */
  readonly afterLines: number;
  readonly delayMs: number;
  readonly signal: "SIGKILL" | "SIGINT";
  readonly again: "resume" | "run";
}

export interface Round {
  readonly seed: number;
  readonly lanes: number;
  readonly sandbox: "bwrap" | "none";
  readonly reverify: "affected" | "all";
  /** As in the settings, where it is not the default. */
  readonly attempts?: number;
  readonly files: Readonly<Record<string, string>>;
  readonly tasks: readonly RoundTask[];
  readonly kills: readonly Kill[];
}

/** Every kind of trouble that a round holds. */
export function troublesOf(round: Round): ReadonlySet<Trouble> {
  const found = new Set<Trouble>(round.tasks.flatMap((task) => task.troubles));
  for (const { misdeeds } of round.tasks) for (const { trouble } of misdeeds) found.add(trouble);
  for (const { signal } of round.kills)
    found.add(signal === "SIGKILL" ? "kill -9 of the driver" : "interrupt of the driver");
  if (round.sandbox === "bwrap") found.add("confined agents");
  return found;
}
