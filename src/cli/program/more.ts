/** What stands under the options in the help of every command. */
export interface More {
  /** How it may end: a sentence for each exit code. */
  readonly codes: Readonly<Record<number, string>>;
  /** Command lines as a person would type them, each with what it is for. */
  readonly examples: Readonly<Record<string, string>>;
}

/** The sections "Exit codes" and "Examples", for `addHelpText("after", more({ … }))`; lines are kept within 80 columns by hand. */
export function more({ codes, examples }: More): string {
  return ["", "Exit codes:", ...inColumns(codes), "", "Examples:", ...inColumns(examples)].join("\n");
}

/** What nearly every command may end with besides its own codes. */
export const trouble = {
  1: "no repository here, or the machine does not let it; the cure is named",
  2: "bad usage",
} as const;

/** How a command that drives a run may end. */
export const runCodes = {
  0: "done: every task is verified and integrated",
  1: "internal or environment error, or another process drives this plan",
  2: "bad usage, plan or settings",
  3: "waits for a person: blocked, asked, unapproved, unproven, login",
  4: "all integrated, but a final check is red; or a check is broken",
  5: "the budget is reached",
  75: "usage limit, and not waiting for its reset",
  130: "interrupted; `stint resume` goes on",
} as const;

/** How a command that is brought to a run may end. */
export const sentCodes = {
  0: "accepted",
  1: "not accepted within 10 s, and not obeyed later; or no repository here",
  2: "refused by the state of the run, with the reason; or bad usage",
} as const;

/** A text of several lines goes on under its first. */
function inColumns(rows: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows).map(
    ([name, text]) => `  ${name.padEnd(width)}  ${text.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
  );
}
