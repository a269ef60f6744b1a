import type { Regression } from "../engine/evidence.ts";
import { taskOf, type Answer, type Feedback, type RunState } from "../engine/state.ts";
import { unreachable } from "../base/result.ts";
import { shortened, visible } from "../base/visible.ts";
import { planDocuments } from "../plan/one-file.ts";
import { rulesFile } from "../plan/rules.ts";
import type { Check, Plan, PlanFiles, Rules, Task } from "../plan/types.ts";
import type { Variable } from "./built-in.ts";
import { promptsLimits } from "./limits.ts";
import type { Prompts } from "./overrides.ts";
import { renderTemplate } from "./template.ts";

/** Everything that the prompt and the inbox of one session are made from. */
export interface Briefing {
  readonly plan: Plan;
  readonly rules: Rules;
  readonly task: Task;
  readonly state: RunState;
  readonly documents: PlanFiles;
  readonly prompts: Prompts;
  readonly inputs: Inputs;
}

/** A task's source_docs at the base of its attempt. */
export interface Inputs {
  /** The contents by path in the repo. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Files that exceed the bounds of an inbox; the agent finds them in its workspace. */
  readonly leftOut: readonly string[];
}

/** Writes the prompt of an executor: this task only, what proves it, and what failed before. It does not grow with the plan. */
export function executorPrompt(briefing: Briefing): string {
  const values = valuesOf(briefing);
  const { executor, task } = briefing.prompts;
  return [executor, task].map(({ text }) => renderTemplate(text, values)).join("\n");
}

/** Collects the full plan and everything that the prompt only points to, by name in the inbox. */
export function executorInbox({ plan, task, state, documents, inputs }: Briefing): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([["task.md", Buffer.from(task.text)]]);
  for (const [name, bytes] of planDocuments(documents, plan.name)) files.set(`plan/${name}`, bytes);
  const rulesMd = documents.get(rulesFile);
  if (rulesMd !== undefined && "bytes" in rulesMd) files.set("rules.md", rulesMd.bytes);
  for (const [path, bytes] of inputs.files) files.set(inputName(path), bytes);
  for (const id of task.depends) {
    const notes = taskOf(state, id).attempt?.report?.notes ?? "";
    if (notes !== "") files.set(`notes/${id}.md`, Buffer.from(notes));
  }
  const { feedback, answers } = taskOf(state, task.id);
  if (answers.length > 0)
    files.set("answers.md", Buffer.from(answers.map((one) => answerText(one)).join("\n\n") + "\n"));
  if (feedback !== null) files.set("previous-verdict.json", Buffer.from(JSON.stringify(feedback, null, 2) + "\n"));
  return files;
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
  const more = lines.length - promptsLimits.neighboursMax;
  const rest = more > 0 ? [`- and ${more} more, in "$STINT_INBOX/plan/plan.md"`] : [];
  return [...lines.slice(0, promptsLimits.neighboursMax), ...rest].join("\n");
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
  const shown = written
    .slice(0, promptsLimits.neighboursMax)
    .map(([id, text]) => `${id}:\n${quote(shortenedNote(id, text))}`);
  const more = written.length - shown.length;
  return [...shown, ...(more > 0 ? [`Notes of ${more} more tasks are in "$STINT_INBOX/notes".`] : [])].join("\n\n");
}

/** Quotes the words of another agent, so that no line of them reads as a heading of ours. */
function quote(text: string): string {
  return visible(text, { multiline: true }).replace(/^/gm, "> ");
}

function shortenedNote(id: string, text: string): string {
  if (text.length <= promptsLimits.noteCharsMax) return text;
  return `${text.slice(0, promptsLimits.noteCharsMax)}… (the rest is in "$STINT_INBOX/notes/${id}.md")`;
}

function answersText(answers: readonly Answer[]): string {
  const shown = answers.slice(-promptsLimits.answersMax).map((one) => answerText(one, promptsLimits.noteCharsMax));
  const isCut =
    shown.length < answers.length ||
    answers.some((one) => answerText(one) !== answerText(one, promptsLimits.noteCharsMax));
  return [...shown, ...(isCut ? ['All of it is in "$STINT_INBOX/answers.md".'] : [])].join("\n\n");
}

/** Names a source document in the inbox; drivers pass such files along with the prompt. */
function inputName(path: string): string {
  return `inputs/${path}`;
}

/** Writes a question in the words of an agent, and its answer; each is cut if there is a bound. */
function answerText({ question, answer }: Answer, charsMax = Infinity): string {
  const quote = shortened(question, charsMax).replace(/^/gm, "> ");
  return `${quote}\n\n${shortened(answer, charsMax)}`;
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
    // A path may contain line breaks, and an agent chose it.
    const line = visible(`- ${guard}: ${path} ${why}`);
    return evidence === undefined ? line : `${line}\n${fence(evidence)}`;
  });
  const reds = feedback.checks.filter((check) => check.state !== "green" && check.excused !== true);
  const outputs = reds.map(({ label, state, why, tail }, index) => {
    const line = `\n${visible(`${state}: ${label} (${why})`)}`;
    return index < promptsLimits.tailsMax && tail.trim() !== "" ? `${line}\n\n${fence(tail)}` : line;
  });
  const more =
    reds.length > promptsLimits.tailsMax ? ['\nMore output is in "$STINT_INBOX/previous-verdict.json".'] : [];
  return [visible(`Attempt ${feedback.attempt}: ${feedback.why}`), ...guards, ...outputs, ...more].join("\n");
}

/** Puts text into a fence longer than any run of backticks inside, so that output cannot end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text.trimEnd()}\n${marks}`;
}
