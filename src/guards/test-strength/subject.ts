import type { Task } from "../../plan/types.ts";

/** Names that the work took out of the project's own sources because the task says so: their tests may go with them. */
export function removedSubjects(
  task: Pick<Task, "text">,
  sources: readonly Sides[],
  tests: readonly Sides[],
): ReadonlySet<string> {
  if (!/\b(?:remov|delet|drop|retir|eliminat)\w*|\bget rid of\b|\bno longer\b/i.test(task.text)) return new Set();
  const named = namesIn(task.text);
  const before = namesIn(sources.map(({ before: text }) => text ?? "").join("\n"));
  const after = namesIn([...sources, ...tests].map(({ after: text }) => text ?? "").join("\n"));
  return new Set([...named].filter((name) => name.length >= nameCharsMin && before.has(name) && !after.has(name)));
}

/** A file before and after the work; null where it was or is none. */
export interface Sides {
  readonly before: string | null;
  readonly after: string | null;
}

/** Shorter names are words of any sentence. */
const nameCharsMin = 3;

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
}
