import type { CheckedGroup } from "../../approval/check-plan.ts";
import type { Reviewed } from "../../planning/ports.ts";
import { cliLimits } from "../limits.ts";
import { problemLine, type DraftProblem } from "../../planning/machine/assessment.ts";
import type { Finding } from "../../planning/machine/session-output.ts";
import { shapeOf } from "../../plan/shape.ts";
import { textDiff } from "../../base/text-diff.ts";
import type { Plan } from "../../plan/types.ts";
import { saidOf, saidText, stateStyles, type Said } from "../render-check.ts";
import { renderShape } from "../render-shape.ts";
import { checkOf, decisionOf, tasksOf } from "./page.ts";
import { gap, heading, lay, type Item, type Look } from "../text-layout.ts";
import type { PageTask } from "./model.ts";
import { diffItems, revisionItems } from "./task-changes.ts";
import { decisionItems } from "./surroundings.ts";
import { checkItem, taskFacts } from "./tasks.ts";
import { waveItems } from "./waves.ts";

/** A draft with what is known about it when a person reviews it. */
export interface DraftShown extends Reviewed {
  /** The current `.stint/rules.md`; empty if there is none. */
  readonly rules: string;
  /** Where set-up is set, as `file:line`. */
  readonly setupPlace: string;
}

/** Renders a draft for people; of a revision, only the differences. Problems come last, next to the question. */
export function draftLines(shown: DraftShown, look: Look): string[] {
  const { assessed, revises } = shown;
  const { plan } = assessed;
  const whole = plan === undefined ? unreadableItems(shown) : planItems(shown, plan, look);
  return lay(
    [
      gap,
      ...(revises === null ? whole : differenceItems(shown, revises)),
      ...ruleItems(shown),
      ...findingItems(shown.findings),
      ...problemItems(assessed.problems),
      ...(plan === undefined ? [] : [{ text: renderShape(plan, []) ?? "", style: "bold" as const }]),
    ],
    look,
  );
}

function unreadableItems({ plan, folder }: Reviewed): Item[] {
  return [{ text: `The draft of ${plan} cannot be read as a plan. It is in ${folder}.`, style: "red" }, gap];
}

function planItems(shown: DraftShown, plan: Plan, look: Look): Item[] {
  const { checked } = shown.assessed;
  const shape = shapeOf(plan.tasks);
  const tasks = tasksOf(plan.tasks, shape);
  const time = { critical_path_ms: shape.criticalMs };
  const drawn = { waves: shape.waves, critical_path: shape.criticalPath, tasks, estimate: { time } };
  const others = checked.filter(({ task }) => task === undefined);
  return [
    { label: `Plan ${shown.plan}: `, text: plan.title, style: "bold" },
    ...(plan.goal === "" || plan.goal === plan.title ? [] : [{ label: "Goal: ", text: plan.goal }]),
    gap,
    ...waveItems(drawn, look),
    ...decisionItems({ decisions: plan.decisions.map((decision) => decisionOf(plan, decision)) }),
    gap,
    ...tasks.flatMap((task) => [...taskItems(task, shown), gap]),
    ...others.flatMap((group) => [heading(titles[group.owner] ?? group.owner), ...groupItems(group, shown), gap]),
  ];
}

const titles: Readonly<Record<string, string>> = { rules: "Also after every task:", plan: "On the final tip:" };

function taskItems(task: PageTask, shown: DraftShown): Item[] {
  const group = shown.assessed.checked.find(({ owner }) => owner === task.id);
  return [...taskFacts(task), ...(group === undefined ? task.checks.map(checkItem) : groupItems(group, shown))];
}

/** Shows the checks with their states on the base. */
function groupItems(group: CheckedGroup, { setupPlace }: DraftShown): Item[] {
  return saidOf(group, { isTyped: false, setupPlace }).flatMap((said) => [
    {
      indent: 2,
      label: `${said.state.padEnd(6)} `,
      text: saidText(said),
      style: stateStyles[said.state],
      styled: "label",
    },
    ...cureItems(said),
  ]);
}

function cureItems({ cure }: Said): Item[] {
  return cure === null ? [] : [{ indent: 9, text: cure }];
}

function differenceItems(shown: DraftShown, before: ReadonlyMap<string, Uint8Array>): Item[] {
  const { changes, documents, plan } = shown.assessed;
  const folder = `plans/${shown.plan}/`;
  const own = [...documents].filter(([path]) => path.startsWith(folder));
  const after = new Map(own.map(([path, bytes]) => [path.slice(folder.length), bytes]));
  const revision = { plan: shown.plan, changes, before, after };
  return [
    ...(plan === undefined ? unreadableItems(shown) : []),
    ...revisionItems(revision, { linesMax: cliLimits.revisionFileLinesMax }),
    ...(plan === undefined ? [] : revisedItems(shown, plan)),
  ];
}

/** Shows everything that new and changed tasks may touch and run, because the lines above may be cut. */
function revisedItems(shown: DraftShown, plan: Plan): Item[] {
  const touched = new Set(shown.assessed.changes.map(({ id }) => id));
  const tasks = tasksOf(plan.tasks, shapeOf(plan.tasks)).filter(({ id }) => touched.has(id));
  const last = plan.checks.map((check) => checkItem(checkOf(check)));
  return [
    ...tasks.flatMap((task) => [...taskItems(task, shown), gap]),
    ...(last.length === 0 ? [] : [heading("On the final tip:"), ...last, gap]),
  ];
}

function ruleItems({ assessed, rules }: DraftShown): Item[] {
  if (assessed.rules === null) return [];
  const lines = textDiff(rules, Buffer.from(assessed.rules).toString("utf8"));
  return [
    heading("Proposed for .stint/rules.md, not in effect:"),
    ...diffItems(lines, { linesMax: cliLimits.revisionFileLinesMax, path: "the proposal" }),
    gap,
  ];
}

function findingItems(findings: readonly Finding[] | null): Item[] {
  if (findings === null) return [{ text: "Critique: none.", style: "yellow", ours: true }, gap];
  if (findings.length === 0) return [{ text: "Critique: no findings.", ours: true }, gap];
  return [heading("Critique:"), ...findings.flatMap(oneFinding), gap];
}

function oneFinding({ severity, file, line, title, why, fix }: Finding): Item[] {
  const style = severity === "minor" ? "dim" : "yellow";
  return [
    {
      indent: 2,
      label: `${severity}: `,
      text: `${file}${line === null ? "" : `:${line}`}: ${title}`,
      style,
      styled: "label",
    },
    ...(why === "" ? [] : [{ indent: 4, label: "why: ", text: why }]),
    ...(fix === "" ? [] : [{ indent: 4, label: "fix: ", text: fix }]),
  ];
}

function problemItems(problems: readonly DraftProblem[]): Item[] {
  if (problems.length === 0) return [];
  return [heading("Left to fix:"), ...problems.map(problemItem), gap];
}

/** Shows one thing that is wrong with a draft, with its place first. */
export function problemItem(problem: DraftProblem): Item {
  return { indent: 2, text: problemLine(problem), style: problem.severity === "error" ? "red" : "yellow" };
}
