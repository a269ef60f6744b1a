import { quoted, taskWarning } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";

/** A title becomes the subject of a commit, so it has to say what changes. */
export function adviseTitle(task: Task): Problem[] {
  if (!isVague(task.title)) return [];
  const message = `The title ${quoted(task.title)} does not say what changes. Write it so that a search finds the commit, such as "Round VAT half up".`;
  return [taskWarning(task, ["title"], { code: "vague-title", message })];
}

function isVague(title: string): boolean {
  const words = title.toLowerCase().match(/[\p{L}\p{N}_./#@-]+/gu) ?? [];
  if (words.every((word) => empty.has(word.replace(/^[-.]+|[-.]+$/g, "")))) return true;
  return words.length === 1 && isBareWord(words[0] ?? "");
}

/** Writing systems without blanks put a whole sentence into one word; long compounds and file names say enough, too. */
function isBareWord(word: string): boolean {
  return /^\p{Script=Latin}{1,14}$/u.test(word);
}

/** Words that fit every task, so that a title made of them alone says nothing. */
const empty = new Set(
  [
    "fix fixes fixing update updates updating change changes changing improve improves improving improvement improvements",
    "refactor refactors refactoring rework clean cleans cleaning cleanup clean-up tidy polish tweak tweaks adjust adjustments",
    "do make add implement implementation finish complete continue handle modify work write misc miscellaneous various general",
    "stuff thing things code codebase bug bugs issue issues problem problems task tasks todo todos to-do to-dos tbd wip etc",
    "file files feature features functionality logic part parts step steps test tests testing enhancement enhancements",
    "optimize optimise optimization optimisation final last first next initial other more some several few all remaining",
    "minor small big major new old existing a an the and or of for in on to up it this that with",
  ]
    .join(" ")
    .split(" "),
);
