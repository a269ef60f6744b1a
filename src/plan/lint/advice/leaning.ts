import { quoted, warningAt } from "../../problem.ts";
import type { Position, Problem, Task } from "../../types.ts";
import { placeIn, proseOf, type ProseLine } from "./prose.ts";

/** An executor gets its own task only; what it should read in another one, it will guess. */
export function adviseLeaning(task: Task, ids: ReadonlySet<string>): Problem[] {
  const isOther = (id: string): boolean => id !== task.id && ids.has(id);
  const found = leaningIn(proseOf(task.text), isOther);
  if (found === undefined) return [];
  const message = `${quoted(found.said)} sends the executor elsewhere, but this task is all it gets. Write here what it needs to know.`;
  const at = { ...found.at, line: task.line(found.at.line) };
  return [warningAt(task.file, at, { code: "leans-on-task", message })];
}

interface Leaning {
  readonly said: string;
  readonly at: Position;
}

/** Finds the first reference; its author will look for more. Saying what is left to another task is fine. */
function leaningIn(lines: readonly ProseLine[], isOther: (id: string) => boolean): Leaning | undefined {
  let isOutOfScope = false;
  let isFirst = true;
  for (const line of lines) {
    if (line.isHeading) isOutOfScope = /out of scope/i.test(line.text);
    if (line.isHeading || line.text.trim() === "") continue;
    const match = isOutOfScope ? undefined : (matchIn(line.text, isOther) ?? (isFirst ? above.exec(line.text) : null));
    if (match) return { said: match[0].trim(), at: placeIn(line, match) };
    isFirst = false;
  }
  return undefined;
}

const sending =
  "(?:see(?: also)?|read|refer to|follow|copy|continue (?:from|with)|same as|like|as (?:in|for|with|per)|as (?:described|explained|done|said|shown|specified) (?:in|by|for)|described in|explained in|according to|analogous to)";

/** This is wrong only at the top of a file, which has nothing above it. */
const above = /\b(?:see|like|as|same as)(?: described| explained)? above\b/i;

const anotherTask = new RegExp(
  `\\b${sending} (?:the |that of the )?(?:previous|preceding|prior|earlier|next|following|last|other) tasks?\\b`,
  "i",
);
const byId = new RegExp(
  `\\b${sending} (?:the )?(task )?[\`"'([]{0,2}([a-z0-9][a-z0-9-]{0,63})(?![\\w/-]|[.]\\w)`,
  "gi",
);
const taskFile = /\btasks\/([a-z0-9][a-z0-9-]{0,63})\.md\b/g;

function matchIn(text: string, isOther: (id: string) => boolean): RegExpExecArray | undefined {
  const file = [...text.matchAll(taskFile)].find((match) => isOther(match[1] ?? ""));
  // An id such as `auth` is a word of the language as well, unless it is called a task.
  const named = [...text.matchAll(byId)].find(
    ([, task, id = ""]) => isOther(id) && (task !== undefined || /[\d-]/.test(id)),
  );
  return file ?? named ?? anotherTask.exec(text) ?? undefined;
}
