import { unreachable } from "../../base/result.ts";
import { aboutDuration } from "../../base/duration.ts";
import { gap, heading, orNone, type Item } from "../text-layout.ts";
import type { Page, PageCheck, PageTask } from "./model.ts";

/** Shows every task with what it may touch and what is run for it, then what is run after every task and at the end. */
export function taskItems({
  tasks,
  rules_checks,
  plan_checks,
}: Pick<Page, "tasks" | "plan_checks"> & Partial<Pick<Page, "rules_checks">>): Item[] {
  return [
    ...tasks.flatMap(oneTask),
    ...(rules_checks === undefined ? [] : checksUnder("Also after every task:", rules_checks)),
    ...checksUnder("On the final tip:", plan_checks),
    gap,
  ];
}

function oneTask(task: PageTask): Item[] {
  return [...taskFacts(task), ...task.checks.map(checkItem), gap];
}

/** Shows what a task is and what it may touch. */
export function taskFacts(task: PageTask): Item[] {
  const { id, title, files } = task;
  const verbs = Object.entries(files).filter(([, patterns]) => patterns.length > 0);
  return [
    { label: `Task ${id}: `, text: title, style: "cyan", styled: "label" },
    { indent: 2, text: placeText(task), ours: true, style: "dim" },
    ...verbs.map(([verb, patterns]) => ({
      indent: 2,
      label: `may ${verb === "touch" ? "create or modify" : verb}: `,
      text: patterns.join(", "),
    })),
  ];
}

function placeText({ wave, critical, depends, estimate_ms, complexity, role }: PageTask): string {
  const who = role === "executor" && complexity === "high" ? "escalation (complex task)" : role;
  return [
    `wave ${wave}${critical ? ", critical path" : ""}`,
    estimate_ms === null ? "no estimate" : aboutDuration(estimate_ms),
    ...(depends.length === 0 ? [] : [`after ${depends.join(", ")}`]),
    ...(who === "executor" ? [] : [`by ${who}`]),
  ].join("; ");
}

function checksUnder(title: string, checks: readonly PageCheck[]): Item[] {
  return [heading(title), ...orNone(checks.map(checkItem))];
}

/** Shows a check that has not been run yet. */
export function checkItem(check: PageCheck): Item {
  switch (check.kind) {
    case "run":
      return { ...runs, text: `${check.run}${extras(check)}` };
    case "exists":
    case "absent":
      return { indent: 2, label: `${check.kind}: `, text: check.path };
    case "contains":
      return { indent: 2, text: `${check.path} contains: ${check.text}` };
    case "judge":
      return { indent: 2, label: "judge: ", text: check.question };
    default:
      return unreachable(check);
  }
}

/** The label of every command on the page. */
export const runs = { indent: 2, label: "runs: ", style: "yellow", styled: "label" } as const;

function extras({ cwd, env, network }: Extract<PageCheck, { kind: "run" }>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const parts = [
    ...(cwd === "" || cwd === "." ? [] : [`in ${cwd}`]),
    ...variables,
    ...(network ? ["with network"] : []),
  ];
  return parts.length === 0 ? "" : `  (${parts.join(", ")})`;
}
