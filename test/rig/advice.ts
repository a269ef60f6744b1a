import { advise, type AdviceInput } from "../../src/plan/lint/advice/advise.ts";
import { parsePlan } from "../../src/plan/parse.ts";
import type { PlanFiles } from "../../src/plan/types.ts";
import { document } from "./plan.ts";

/** A task that nothing is said about, unless what is given instead calls for it. */
export interface AdvisedTask {
  readonly title?: string;
  readonly depends?: readonly string[];
  readonly files?: unknown;
  readonly estimate?: string;
  readonly checks?: readonly unknown[];
  readonly body?: string;
}

export interface AdvisedPlan {
  readonly tasks?: Readonly<Record<string, AdvisedTask>>;
  readonly front?: Readonly<Record<string, unknown>>;
  readonly overview?: string;
  readonly rules?: string;
  readonly ticked?: readonly string[];
}

/** The documents of a plan called p. */
export function planFiles({ tasks = {}, front, overview = "Small.", rules, ticked = [] }: AdvisedPlan): PlanFiles {
  const ids = Object.keys(tasks);
  const lines = ids.map((id) => `- [${ticked.includes(id) ? "x" : " "}] [${id}](tasks/${id}.md)`).join("\n");
  const head = { stint: 1, title: "Correct invoices", ...front };
  const texts = [
    ["plans/p/plan.md", document(head, `## Overview\n\n${overview}\n\n## Tasks\n\n${lines}`)],
    ["plans/p/scope.md", "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n"],
    ...(rules === undefined ? [] : [[".stint/rules.md", rules]]),
    ...ids.map((id) => [`plans/p/tasks/${id}.md`, taskText(tasks[id]!, id)]),
  ] as [string, string][];
  return new Map(texts.map(([path, text]) => [path, { bytes: new TextEncoder().encode(text) }]));
}

/** What is advised, as `id:line:column: code: message`; problems that are errors fail the test. */
export function adviceOn(plan: AdvisedPlan, input: Partial<AdviceInput> = {}): string[] {
  const files = planFiles(plan);
  const parsed = parsePlan(files, "p");
  if (parsed.plan === undefined || parsed.problems.length > 0) throw new Error(JSON.stringify(parsed.problems));
  const { plan: read, rules } = parsed;
  const problems = advise({ plan: read, rules, repoFiles: new Set(), files, ...input });
  return problems.map(({ file, line, column, severity, code, message }) => {
    const place = file.replace(/^plans\/p\/(?:tasks\/)?|\.md$/g, "");
    return `${place}:${line}:${column}: ${severity === "warning" ? "" : `${severity}: `}${code}: ${message}`;
  });
}

/** The same of a plan of one task, `a`. */
export function adviceOnTask(task: AdvisedTask, input: Partial<AdviceInput> = {}): string[] {
  return adviceOn({ tasks: { a: task } }, input);
}

const fine = "## Goal\n\nIt is rounded.\n\n## Test plan\n\nHalf a cent.\n";

function taskText({ body = fine, ...front }: AdvisedTask, id: string): string {
  const checks = ["node --test"];
  return document({ title: `Round VAT in ${id}.ts`, files: [`src/${id}.ts`], checks, ...front }, body);
}
