import { parsePlan } from "../../src/plan/parse.ts";
import type { PlanFile, PlanFiles, Problem, Task } from "../../src/plan/types.ts";

const file = (text: string): PlanFile => ({ bytes: new TextEncoder().encode(text) });
const show = ({ file, line, column, severity, code, message }: Problem) =>
  `${file.replace("plans/p/", "")}:${line}:${column} ${severity} ${code}: ${message}`;

/** A plan with these front matters, sound where none is given. */
export function filesWith(front: { plan?: string; task?: string; rules?: string }): PlanFiles {
  const { plan = "title: P", task = "title: A\nfiles: [a]\nchecks: [x]", rules } = front;
  return new Map([
    ["plans/p/plan.md", file(`---\n${plan}\n---\n## Tasks\n- [ ] [a](tasks/a.md) A\n`)],
    ["plans/p/scope.md", file("## Understanding\n## Goals\n## Gaps\n")],
    ["plans/p/tasks/a.md", file(`---\n${task}\n---\n## Goal\nDone.\n`)],
    ...(rules === undefined ? [] : ([[".stint/rules.md", file(`---\n${rules}\n---\nBe kind.\n`)]] as const)),
  ]);
}

/** What is wrong with such a plan, as `file:line:column severity code: message`. */
export const complaints = (front: Parameters<typeof filesWith>[0]) =>
  parsePlan(filesWith(front), "p").problems.map(show);

/** The one task of such a plan, which must be sound. */
export function taskOf(task: string): Task {
  const { plan, problems } = parsePlan(filesWith({ task }), "p");
  if (!plan?.tasks[0]) throw new Error(JSON.stringify(problems));
  return plan.tasks[0];
}
