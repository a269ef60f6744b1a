import { limits } from "../limits.ts";
import { visible } from "../plan/visible.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import { brokenWords } from "../verify/cure.ts";
import { counted } from "../engine/tests-counted.ts";
import { plural } from "../plural.ts";
import type { Paint } from "./paint.ts";

/** What is said of a check; a judge's question is not asked outside of a run. */
export interface Said extends Pick<CheckEvidence, "label" | "why" | "tests" | "proof"> {
  readonly task: string;
  readonly state: CheckEvidence["state"] | "open";
  readonly cure: string | null;
  /** What set-up printed, where it failed. */
  readonly setupTail?: string | undefined;
  /** What it printed last itself, where it is red and should not be. */
  readonly ownTail?: string | undefined;
}

/** One check in a line, with its cure below. */
export function checkLines(
  said: Said,
  { paint, isSetupTold }: { readonly paint: Paint; readonly isSetupTold: boolean },
): string[] {
  const state = `  ${painted(said.state, paint)}`;
  if (said.setupTail !== undefined && isSetupTold) return [`${state} ${visible(said.label)} (set-up failed)`];
  return [
    `${state} ${visible(`${said.label}${reason(said)}`)}`,
    ...(said.cure === null ? [] : [`         ${visible(said.cure)}`]),
    // The first line of a failed set-up is the reason.
    ...tailLines(said.setupTail?.trimEnd().split("\n").slice(1)),
    ...tailLines(said.ownTail?.trim() ? said.ownTail.trimEnd().split("\n") : []),
  ];
}

/** How many checks there are, and what they are: "7 checks: 4 red, 2 green, 1 broken". */
export function summaryOf(all: readonly Said[]): string {
  const states = ["red", "green", "broken", "open"] as const;
  const counts = states.map((state) => [all.filter((said) => said.state === state).length, state] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `${plural(all.length, "check")}: ${parts.join(", ")}`;
}

function painted(state: Said["state"], paint: Paint): string {
  const colours = { red: paint.red, green: paint.green, broken: paint.yellow, open: paint.dim };
  return colours[state](state.padEnd(6));
}

function reason({ state, why, tests, cure }: Said): string {
  if (state === "green") return tests === undefined ? "" : ` (${counted(tests)})`;
  return ` (${state === "broken" && cure !== null ? brokenWords(why).what : why})`;
}

function tailLines(lines: readonly string[] = []): string[] {
  return lines.slice(-limits.checkLinesShownMax).map((line) => `         | ${visible(line)}`);
}
