import type { Regression } from "../engine/evidence.ts";
import type { Answer, Feedback, RunState } from "../engine/state.ts";
import { taskOf } from "../engine/state.ts";
import { promptsLimits } from "./limits.ts";
import { unreachable } from "../base/result.ts";
import type { Check, Plan, Task } from "../plan/types.ts";
import { visible } from "../base/visible.ts";
import type { Briefing, Inputs } from "./briefing.ts";
import type { Variable } from "./built-in.ts";
import { answerText, inputName } from "./inbox.ts";
import { renderTemplate } from "./template.ts";

/** The prompt of an executor: this task only, what proves it, and what failed before. It does not grow with the plan. */
export function executorPrompt(briefing: Briefing): string {
  const values = valuesOf(briefing);
  const { executor, task } = briefing.prompts;
  return [executor, task].map(({ text }) => renderTemplate(text, values)).join("\n");
}

function valuesOf({ plan, rules, task, state, inputs }: Briefing): Record<Variable, string> {
  const { feedback, regressions, granted, answers } = taskOf(state, task.id);
  return {
    goal: plan.goal || plan.title,
    rules: rules.prose,
    task: task.text,
    files: filesText(task, granted),
    checks: [...task.checks.map(checkText), ...regressions.map(({ label }) => `- must pass again: ${label}`)].join(
      "\n",
    ),
    edge_cases: plan.edgeCases.map((line) => `- ${line}`).join("\n"),
    neighbours: neighbours(plan, task),
    skills: task.skills.map((skill) => `- ${skill}`).join("\n"),
    inputs: inputsText(inputs),
    notes: notes(state, task),
    answers: answersText(answers),
    verdict: [reopenedText(regressions), verdictText(feedback)].filter(Boolean).join("\n\n"),
  };
}

function filesText({ files }: Task, granted: readonly string[]): string {
  const lines = [
    ["create", files.create],
    ["modify", files.modify],
    ["delete", files.delete],
    ["create or modify", files.touch],
    ["create or modify, as granted", granted],
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
      return `- a judge answers: ${check.question}`;
    default:
      return unreachable(check);
  }
}

/** A hundred tasks may build on the first one; their names are in the plan. */
function neighbours(plan: Plan, task: Task): string {
  const before = plan.tasks.filter((other) => task.depends.includes(other.id));
  const after = plan.tasks.filter((other) => other.depends.includes(task.id));
  const lines = [
    ...before.map(({ id, title }) => `- done before: ${id} ${title}`),
    ...after.map(({ id, title }) => `- builds on yours: ${id} ${title}`),
  ];
  const more = lines.length - promptsLimits.neighboursToldMax;
  const rest = more > 0 ? [`- and ${more} more, in "$STINT_INBOX/plan/plan.md"`] : [];
  return [...lines.slice(0, promptsLimits.neighboursToldMax), ...rest].join("\n");
}

function inputsText({ files, leftOut }: Inputs): string {
  const given = [...files.keys()].map((path) => `- "$STINT_INBOX/${inputName(path)}"`);
  const others = leftOut.slice(0, promptsLimits.inputFilesMax).map((path) => `- ${path} (in the working directory)`);
  const more = leftOut.length - others.length;
  return [...given, ...others, ...(more > 0 ? [`- and ${more} more in the working directory`] : [])].join("\n");
}

function notes(state: RunState, task: Task): string {
  const texts = task.depends.map((id) => [id, taskOf(state, id).attempt?.report?.notes ?? ""] as const);
  const written = texts.filter(([, text]) => text !== "");
  const told = written
    .slice(0, promptsLimits.neighboursToldMax)
    .map(([id, text]) => `${id}:\n${quote(shortened(id, text))}`);
  const more = written.length - told.length;
  return [...told, ...(more > 0 ? [`Notes of ${more} more tasks are in "$STINT_INBOX/notes".`] : [])].join("\n\n");
}

/** Quotes the words of another agent, so that no line of them reads as a heading of ours. */
function quote(text: string): string {
  return visible(text, { multiline: true }).replace(/^/gm, "> ");
}

function shortened(id: string, text: string): string {
  if (text.length <= promptsLimits.noteCharsMax) return text;
  return `${text.slice(0, promptsLimits.noteCharsMax)}… (the rest is in "$STINT_INBOX/notes/${id}.md")`;
}

function answersText(answers: readonly Answer[]): string {
  const told = answers.slice(-promptsLimits.answersToldMax).map((one) => answerText(one, promptsLimits.noteCharsMax));
  const isCut =
    told.length < answers.length ||
    answers.some((one) => answerText(one) !== answerText(one, promptsLimits.noteCharsMax));
  return [...told, ...(isCut ? ['All of it is in "$STINT_INBOX/answers.md".'] : [])].join("\n\n");
}

/** The task itself is done; a session that does not know would do it again. */
function reopenedText(regressions: readonly Regression[]): string {
  if (regressions.length === 0) return "";
  const landed =
    "This task has landed, but its commit made checks fail that passed before. Fix that, and keep the task's own checks passing:";
  return [landed, ...regressions.map(({ label, why }) => `- ${label}: ${why}`)].join("\n");
}

function verdictText(feedback: Feedback | null): string {
  if (feedback === null) return "";
  const guards = feedback.guards.map(({ guard, path, why, evidence }) => {
    // A path may hold line breaks, and an agent chose it.
    const line = visible(`- ${guard}: ${path} ${why}`);
    return evidence === undefined ? line : `${line}\n${fence(evidence)}`;
  });
  const reds = feedback.checks.filter((check) => check.state !== "green" && check.excused !== true);
  const outputs = reds.map(({ label, state, why, tail }, index) => {
    const line = `\n${visible(`${state}: ${label} (${why})`)}`;
    return index < promptsLimits.tailsToldMax && tail.trim() !== "" ? `${line}\n\n${fence(tail)}` : line;
  });
  const more =
    reds.length > promptsLimits.tailsToldMax ? ['\nMore output is in "$STINT_INBOX/previous-verdict.json".'] : [];
  return [visible(`Attempt ${feedback.attempt}: ${feedback.why}`), ...guards, ...outputs, ...more].join("\n");
}

/** A fence longer than any run of backticks inside, so that output cannot end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text.trimEnd()}\n${marks}`;
}
