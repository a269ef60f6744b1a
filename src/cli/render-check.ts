import { cliLimits } from "./limits.ts";
import { readableLines } from "../base/readable.ts";
import { inOneLine, visible } from "../base/visible.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import { brokenWords, cureOf, type Answered } from "../checks/cure.ts";
import type { Checked, CheckedGroup, GroupHead } from "../approval/check-plan.ts";
import { rulesFile } from "../plan/rules.ts";
import { counted } from "../engine/tests-seen.ts";
import { plural } from "../base/plural.ts";
import type { Paint } from "./paint.ts";

/** What `stint check` prints about a check; a judge's question is asked only in a run. */
export interface Said extends Pick<CheckEvidence, "label" | "why" | "tests" | "proof" | "log"> {
  readonly task: string;
  readonly state: CheckEvidence["state"] | "open";
  readonly cure: string | null;
  /** What set-up printed, if it failed. */
  readonly setupTail?: string | undefined;
  /** What the check printed last, and `log` where the rest is, if it is red or broken. */
  readonly ownTail?: string | undefined;
  /** Whether it is red as it may be before the work: a few lines then tell whether for the right reason. */
  readonly isExpected?: true;
}

type About = Pick<Answered, "isTyped" | "setupPlace" | "onlyHere">;

/** Describes every check of a group, with how to fix it. */
export function saidOf(group: CheckedGroup, about: About): Said[] {
  return [...group.checked.map((checked) => saidOfCheck(group, checked, about)), ...questionsOf(group)];
}

/** Describes one check of a group, with how to fix it. */
export function saidOfCheck({ owner: task, task: ofTask, file }: GroupHead, checked: Checked, about: About): Said {
  const { label, state, why, tests, proof, tail, cause, log } = checked.evidence;
  const isOfTask = ofTask !== undefined;
  const cure = cureOf({ ...checked, file, isOfTask, ...about });
  const isWrong = state === "broken" || file === rulesFile || (isOfTask && !checked.check.red);
  const printed = {
    ...(cause === "set-up" ? { setupTail: tail } : { ownTail: unsaid(tail, why) }),
    ...(log && tail.trim() && { log }),
    ...(!isWrong && { isExpected: true }),
  };
  const shown = state === "green" ? {} : printed;
  return { task, label, state, why, cure, ...shown, ...(tests && { tests }), ...(proof && { proof }) };
}

/** The reason of a broken check may be all it printed. */
function unsaid(tail: string, why: string | null): string {
  return why?.includes(tail.trim()) === true ? "" : tail;
}

/** Describes the questions of a group, which nobody has answered yet. */
export function questionsOf({ owner: task, questions }: Pick<CheckedGroup, "owner" | "questions">): Said[] {
  const why = "asked of a judge in a run";
  return questions.map((question) => ({ task, label: `judge: ${question}`, state: "open", why, cure: null }));
}

/** Writes a line for a check, with how to fix it below. */
export function checkLines(
  said: Said,
  { paint, isSetupShown }: { readonly paint: Paint; readonly isSetupShown: boolean },
): string[] {
  const state = `  ${painted(said.state, paint)}`;
  if (said.setupTail !== undefined && isSetupShown)
    return [`${state} ${visible(inOneLine(said.label))} (set-up failed)`];
  return [
    `${state} ${visible(inOneLine(saidText(said)))}`,
    ...(said.cure === null ? [] : [`         ${visible(said.cure)}`]),
    // The first line of a failed set-up is the reason, and package managers print their own before their advice.
    ...tailLines(withHead(readableLines(said.setupTail ?? "").slice(1))),
    ...tailLines(lastLines(said)),
    ...(said.log === undefined ? [] : [visible(`         log: ${said.log}`)]),
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
  return `${said.label.trim()}${reason(said)}`;
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

function lastLines({ ownTail = "", isExpected }: Said): readonly string[] {
  const lines = readableLines(ownTail);
  if (isExpected !== true) return lines.slice(-cliLimits.checkLinesShownMax);
  return lines.filter((line) => line.trim() !== "").slice(-cliLimits.expectedRedLinesShownMax);
}

/** Keeps the first lines where not all can be shown. */
function withHead(lines: readonly string[]): readonly string[] {
  const { checkLinesShownMax: most, setupHeadLinesShown: first } = cliLimits;
  return lines.length <= most ? lines : [...lines.slice(0, first), "…", ...lines.slice(first + 1 - most)];
}

function tailLines(lines: readonly string[]): string[] {
  return lines.map((line) => `         | ${visible(line)}`);
}
