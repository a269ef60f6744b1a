/** What the session of a planner or critic put into its outbox, after it was read and bounded. */
export interface SessionOutput {
  /** The documents by name inside the plan's folder: `plan.md`, `scope.md`, `tasks/<id>.md`. */
  readonly draft: ReadonlyMap<string, Uint8Array>;
  /** `rules.md`: a proposal, which changes nothing by itself. */
  readonly rules: Uint8Array | null;
  readonly questions: readonly Inquiry[];
  /** Null where there is no readable findings.json. */
  readonly findings: readonly Finding[] | null;
  /** What was found there and not accepted, one line each. */
  readonly problems: readonly string[];
}

/** A question that only the person who wants the plan can answer. */
export interface Inquiry {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  /** Null where the planner recommends nothing. */
  readonly recommend: string | null;
}

export interface Finding {
  readonly severity: "critical" | "major" | "minor";
  readonly file: string;
  readonly line: number | null;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}
