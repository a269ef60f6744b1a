import { taskOf, type Answer } from "../engine/state.ts";
import { rulesFile } from "../plan/rules.ts";
import { shortened } from "../base/visible.ts";
import type { Briefing } from "./briefing.ts";

/** The path of a source document in the inbox; drivers pass such files along with the prompt. */
export function inputName(path: string): string {
  return `inputs/${path}`;
}

/** A question in the words of an agent, and its answer; each is cut if there is a bound. */
export function answerText({ question, answer }: Answer, charsMax = Infinity): string {
  const quote = shortened(question, charsMax).replace(/^/gm, "> ");
  return `${quote}\n\n${shortened(answer, charsMax)}`;
}

/** The full plan and everything that the prompt only points to, by name in the inbox. */
export function inboxFiles({ plan, task, state, documents, inputs }: Briefing): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([["task.md", Buffer.from(task.text)]]);
  for (const [path, file] of documents) {
    if ("unreadable" in file) continue;
    if (path.startsWith(`${plan.dir}/`)) files.set(`plan/${path.slice(plan.dir.length + 1)}`, file.bytes);
    if (path === rulesFile) files.set("rules.md", file.bytes);
  }
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
