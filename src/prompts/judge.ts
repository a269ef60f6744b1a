import { promptsLimits } from "./limits.ts";
import type { Plan, Rules, Task } from "../plan/types.ts";
import type { JudgeVariable } from "./built-in.ts";
import type { Prompts } from "./overrides.ts";
import { renderTemplate } from "./template.ts";

/** Everything that the prompt and the inbox of a judge are made from. */
export interface JudgeBriefing {
  readonly plan: Plan;
  readonly rules: Rules;
  readonly prompts: Prompts;
  /** Null if the question is about the whole plan. */
  readonly task: Task | null;
  readonly question: string;
  readonly diff: { readonly text: string; readonly truncated: boolean };
}

/** Writes the prompt of a judge. It does not contain the change itself: text in it must not pass for our words. */
export function judgePrompt({ plan, rules, prompts, task, question, diff }: JudgeBriefing): string {
  const cut = `. It is cut after ${promptsLimits.judgedDiffBytesMax} bytes; the working directory holds all of it.`;
  const values: Record<JudgeVariable, string> = {
    question,
    goal: plan.goal || plan.title,
    rules: rules.prose,
    task: task?.text ?? "",
    diff: `"$STINT_INBOX/${changeFile}"${diff.truncated ? cut : ""}`,
  };
  return renderTemplate(prompts.judge.text, values);
}

/** Collects the change as text, and the task it is for. */
export function judgeInbox({ task, diff }: JudgeBriefing): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([[changeFile, Buffer.from(diff.text)]]);
  if (task !== null) files.set("task.md", Buffer.from(task.text));
  return files;
}

const changeFile = "change.diff";
