import { cliLimits } from "./limits.ts";
import { visible } from "../base/visible.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import { brokenWords, cureOf, type Answered } from "../checks/cure.ts";
import type { CheckedGroup } from "../approval/check-plan.ts";
import { rulesFile } from "../plan/rules.ts";
import { counted } from "../engine/tests-seen.ts";
import { plural } from "../base/plural.ts";
import type { Paint } from "./paint.ts";

/** What `stint check` prints about a check; a judge's question is asked only in a run. */
export interface Said extends Pick<CheckEvidence, "label" | "why" | "tests" | "proof"> {
  readonly task: string;
  readonly state: CheckEvidence["state"] | "open";
  readonly cure: string | null;
  /** What set-up printed, if it failed. */
  readonly setupTail?: string | undefined;
  /** The last lines the check printed, if it is red and should not be. */
  readonly ownTail?: string | undefined;
}

/** Describes every check of a group, with how to fix it. */
export function saidOf(
  { owner: task, task: ofTask, file, checked, questions }: CheckedGroup,
  about: Pick<Answered, "isTyped" | "setupPlace">,
): Said[] {
  return [
    ...checked.map(({ evidence, ...asked }): Said => {
      const { label, state, why, tests, proof, tail, cause } = evidence;
      const cure = cureOf({ ...asked, evidence, file, isOfTask: ofTask !== undefined, ...about });
      const setupTail = cause === "set-up" ? tail : undefined;
      const ownTail = state === "red" && file === rulesFile ? tail : undefined;
      return { task, label, state, why, cure, setupTail, ownTail, ...(tests && { tests }), ...(proof && { proof }) };
    }),
    ...questions.map((question): Said => {
      const why = "asked of a judge in a run";
      return { task, label: `judge: ${question}`, state: "open", why, cure: null };
    }),
  ];
}

/** Writes a line for a check, with how to fix it below. */
export function checkLines(
  said: Said,
  { paint, isSetupShown }: { readonly paint: Paint; readonly isSetupShown: boolean },
): string[] {
  const state = `  ${painted(said.state, paint)}`;
  if (said.setupTail !== undefined && isSetupShown) return [`${state} ${visible(said.label)} (set-up failed)`];
  return [
    `${state} ${visible(saidText(said))}`,
    ...(said.cure === null ? [] : [`         ${visible(said.cure)}`]),
    // The first line of a failed set-up is the reason.
    ...tailLines(said.setupTail?.trimEnd().split("\n").slice(1)),
    ...tailLines(said.ownTail?.trim() ? said.ownTail.trimEnd().split("\n") : []),
  ];
}

/** Counts the checks by state: "7 checks: 4 red, 2 green, 1 broken". */
export function summaryOf(all: readonly Said[]): string {
  const states = ["red", "green", "broken", "open"] as const;
  const counts = states.map((state) => [all.filter((said) => said.state === state).length, state] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `${plural(all.length, "check")}: ${parts.join(", ")}`;
}

/** Names a check with the reason for its state, not made visible yet. */
export function saidText(said: Said): string {
  return `${said.label}${reason(said)}`;
}

/** The paint for each state of a check. */
export const stateStyles = { red: "red", green: "green", broken: "yellow", open: "dim" } as const;

function painted(state: Said["state"], paint: Paint): string {
  return paint[stateStyles[state]](state.padEnd(6));
}

function reason({ state, why, tests, cure }: Said): string {
  if (state === "green") return tests === undefined ? "" : ` (${counted(tests)})`;
  return ` (${state === "broken" && cure !== null ? brokenWords(why).what : why})`;
}

function tailLines(lines: readonly string[] = []): string[] {
  return lines.slice(-cliLimits.checkLinesShownMax).map((line) => `         | ${visible(line)}`);
}
