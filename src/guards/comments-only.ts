import { languageOf } from "../syntax/language.ts";
import { withTree, type Node } from "../syntax/parse.ts";
import { protectedKind } from "../plan/protected.ts";
import { changedLines, evidenceLines } from "./evidence-lines.ts";
import type { ChangedText, ContentGuard } from "./content-guard.ts";

/** Finds work that is no work: no file changed but in its comments and white space, and the task asks for neither. */
export const guardCommentsOnly: ContentGuard = async ({ task, changes }) => {
  if (changes.length === 0 || asksForText.test(task.text) || !changes.every(mayBeComments)) return [];
  for (const change of changes) if (!(await isSameCode(change))) return [];
  return changes.map(({ path, before, after }) => ({
    guard: "empty",
    path,
    why: "was changed, but only in comments and white space, like every other file. Do what the task asks for.",
    evidence: evidenceLines(changedLines(before, after)),
  }));
};

/** Words of tasks that are about how code looks and what it says of itself. */
const asksForText =
  /\b(?:comments?|docs?|docstrings?|document(?:ation|ed|ing)?|(?:java|js|ts|rust|go)doc|reformat\w*|formatt(?:ed|er|ing)|white ?space|trailing space|blank lines?|indent\w*|tabs|prettier|gofmt|rustfmt|style|lint\w*|licen[cs]e|copyright|spdx|typos?|spelling|wording|crlf|line endings?|explain(?:s|ed)?)\b/i;

/** Tests are left out: what an example prints is written in a comment there. */
function mayBeComments({ path, status, before, after }: ChangedText): boolean {
  if (status !== "M" || before === null || after === null || before === after) return false;
  if (languageOf(path) === undefined || protectedKind(path, []) === "test") return false;
  return !changedLines(before, after).some(({ text }) => speaksToTools.test(text));
}

/** Comments that compilers, loaders and linters obey. */
const speaksToTools =
  /^#!|@ts-|@flow|@jsx|@type|@vite|webpack\w+:|go:\w+|\+build|#cgo|import "C"|lint|prettier|biome|noqa|type:|typed:|mypy|pyright|pylint|ruff|isort|fmt:|pragma|coding[:=]|frozen_string_literal|rubocop|```|>>>|sourceMappingURL|@__PURE__|istanbul|c8 |v8 /;

async function isSameCode({ path, before, after }: ChangedText): Promise<boolean> {
  const language = languageOf(path);
  if (language === undefined) return false;
  const was = await withTree(before ?? "", language, codeOf);
  return was !== undefined && was === (await withTree(after ?? "", language, codeOf));
}

/** Returns all of a tree but its comments and the texts that only document it, with the depth of each word: where that changes, so does the code. */
function codeOf(root: Node): string {
  const cursor = root.walk();
  const words: string[] = [];
  let depth = 0;
  for (;;) {
    const isComment = /comment$|^expression_statement$/.test(cursor.nodeType) && isRemark(cursor.currentNode);
    if (!isComment && cursor.gotoFirstChild()) {
      depth += 1;
      continue;
    }
    if (!isComment) words.push(`${depth} ${cursor.nodeType} ${cursor.nodeText}`);
    while (!cursor.gotoNextSibling()) {
      depth -= 1;
      if (!cursor.gotoParent()) {
        cursor.delete();
        return words.join("\n");
      }
    }
  }
}

/** Whether a node is a comment, or a text that stands alone, as in Python. */
function isRemark({ type, namedChildCount, firstNamedChild }: Node): boolean {
  if (type !== "expression_statement") return true;
  const isString = namedChildCount === 1 && firstNamedChild?.type === "string";
  return isString && /^[rbu]*(?:"""|''')/i.test(firstNamedChild.text);
}
