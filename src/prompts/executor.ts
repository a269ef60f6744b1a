import type { Feedback, RunState } from "../engine/state.ts";
import { taskOf } from "../engine/state.ts";
import { unreachable } from "../result.ts";
import type { Check, Plan, PlanFiles, Rules, Task } from "../plan/types.ts";

export interface Briefing {
  readonly plan: Plan;
  readonly rules: Rules;
  readonly task: Task;
  readonly state: RunState;
  readonly documents: PlanFiles;
}

/** What an executor is told: this task only, what proves it, and what failed before. It does not grow with the plan. */
export function executorPrompt(briefing: Briefing): string {
  const { plan, rules, task, state } = briefing;
  const parts = [
    preamble,
    section("Goal of the whole plan", plan.goal || plan.title),
    section("Rules", rules.prose),
    section("Your task", task.text),
    section("What you may touch", scopeText(task)),
    section("What proves the task", task.checks.map(checkText).join("\n")),
    section("Edge cases", plan.edgeCases.map((line) => `- ${line}`).join("\n")),
    section("Neighbours", neighbours(plan, task)),
    section("Notes of the tasks you depend on", notes(state, task)),
    section("Your previous attempt was refused", feedbackText(taskOf(state, task.id).feedback)),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** The full plan and all that the prompt only points to, by name in the inbox. */
export function inboxFiles({ plan, task, state, documents }: Briefing): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([["task.md", Buffer.from(task.text)]]);
  for (const [path, file] of documents) {
    if ("unreadable" in file) continue;
    if (path.startsWith(`${plan.dir}/`)) files.set(`plan/${path.slice(plan.dir.length + 1)}`, file.bytes);
    if (path === ".stint/rules.md") files.set("rules.md", file.bytes);
  }
  for (const id of task.depends) {
    const notes = taskOf(state, id).report?.notes ?? "";
    if (notes !== "") files.set(`notes/${id}.md`, Buffer.from(notes));
  }
  const { feedback } = taskOf(state, task.id);
  if (feedback !== null) files.set("previous-verdict.json", Buffer.from(JSON.stringify(feedback, null, 2) + "\n"));
  return files;
}

const preamble = `You are a worker. You do one task and stop.

- Do only the task below. Add no feature, fix nothing else, change no plan.
- Ask no question: nobody reads along. If you cannot do the task as written, say so in your report and stop.
- Touch only the files the task names. Existing tests, test and CI configuration and lockfiles stay as they are unless the task names them.
- You do not decide that you are done. When your session ends, the checks are run by somebody else in a clean checkout of your changes.
- Leave your changes in the working directory; committing is not needed.
- When you end, write "$STINT_OUTBOX/report.json":
  {"status": "done" | "blocked" | "infeasible", "summary": "what you did, for the commit message", "reason": "if blocked or infeasible", "notes": "what tasks that build on this one should know"}
- "$STINT_INBOX" holds the full plan, the rules and the previous verdict, if you need them.
`;

function section(heading: string, text: string): string {
  return text.trim() === "" ? "" : `# ${heading}\n\n${text.trim()}\n`;
}

function scopeText({ files }: Task): string {
  const lines = [
    ["create", files.create],
    ["modify", files.modify],
    ["delete", files.delete],
    ["create or modify", files.touch],
  ] as const;
  return lines.flatMap(([verb, patterns]) => patterns.map((pattern) => `- ${verb}: ${pattern}`)).join("\n");
}

function checkText(check: Check): string {
  switch (check.kind) {
    case "run":
      return `- run: ${check.run}`;
    case "exists":
      return `- exists: ${check.path}`;
    case "absent":
      return `- absent: ${check.path}`;
    case "contains":
      return `- ${check.path} contains: ${check.text}`;
    case "judge":
      return `- a judge is asked: ${check.question}`;
    default:
      return unreachable(check);
  }
}

function neighbours(plan: Plan, task: Task): string {
  const before = plan.tasks.filter((other) => task.depends.includes(other.id));
  const after = plan.tasks.filter((other) => other.depends.includes(task.id));
  const lines = [
    ...before.map(({ id, title }) => `- done before: ${id} ${title}`),
    ...after.map(({ id, title }) => `- builds on yours: ${id} ${title}`),
  ];
  return lines.join("\n");
}

function notes(state: RunState, task: Task): string {
  const texts = task.depends.map((id) => [id, taskOf(state, id).report?.notes ?? ""] as const);
  return texts.flatMap(([id, text]) => (text === "" ? [] : [`${id}: ${text}`])).join("\n\n");
}

function feedbackText(feedback: Feedback | null): string {
  if (feedback === null) return "";
  const guards = feedback.guards.map(({ guard, path, why }) => `- ${guard}: ${path} ${why}`);
  const reds = feedback.checks.filter((check) => check.state !== "green");
  const outputs = reds.map(({ label, state, why, tail }) => `\n${state}: ${label} (${why})\n\n${fence(tail)}`);
  return [`Attempt ${feedback.attempt}: ${feedback.why}`, ...guards, ...outputs].join("\n");
}

/** A fence longer than any run of backticks inside, so that output cannot end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text.trimEnd()}\n${marks}`;
}
