import { placeChecks } from "./checks.ts";
import { parseDocument, type MarkdownDocument } from "./document.ts";
import { classifyLines, saysNothing, sectionsOf, type Section } from "./markdown.ts";
import { problemAt } from "./problem.ts";
import { taskSchema } from "./schema.ts";
import type { Problem, Task } from "./types.ts";
import { validate } from "./validate.ts";

/** Reads one task; it is returned even when incomplete, so that the rest of the plan can be checked. */
export function parseTask(
  id: string,
  file: string,
  bytes: Uint8Array,
): { readonly task: Task | undefined; readonly problems: Problem[] } {
  const document = parseDocument(file, bytes);
  if ("problems" in document) return { task: undefined, problems: document.problems };
  const sections = sectionsOf(classifyLines(document.body));
  const general = goalProblems(document, sections);
  const checked = validate(taskSchema, document);
  if ("problems" in checked) return { task: undefined, problems: [...general, ...checked.problems] };
  const { title, depends, files, estimate, complexity, skills, role, source_docs: sourceDocs, checks } = checked.value;
  const task: Task = {
    id,
    file,
    title,
    depends,
    files,
    estimateMs: estimate,
    complexity,
    skills,
    role,
    sourceDocs,
    checks: placeChecks(checks, document.at),
    sections: sectionTexts(sections),
    text: document.text,
    at: document.at,
  };
  return { task, problems: [...general, ...emptyProblems(task)] };
}

function goalProblems({ file, bodyLine }: MarkdownDocument, sections: readonly Section[]): Problem[] {
  const goal = sections.find(({ heading }) => canonical(heading) === "Goal");
  if (goal === undefined) return [problemAt(file, "no-goal", 'the task has no "## Goal" section')];
  if (!saysNothing(goal)) return [];
  const at = { line: bodyLine + goal.number - 1, column: 1 };
  return [problemAt(file, "no-goal", 'the "## Goal" section is empty: say what is true when the task is done', at)];
}

function emptyProblems({ file, files, checks, at }: Task): Problem[] {
  const problems: Problem[] = [];
  if (Object.values(files).every((paths) => paths.length === 0)) {
    const message = "the task names no files: list under files what it may create, modify or delete";
    problems.push(problemAt(file, "no-files", message, at(["files"])));
  }
  if (checks.length === 0) {
    const message = "the task has no checks: add at least one that fails now and passes when the task is done";
    problems.push(problemAt(file, "no-checks", message, at(["checks"])));
  } else if (checks.every(({ kind }) => kind === "judge")) {
    const message =
      "the task has only judge checks: a judge can only refuse, so add a run, exists, contains or absent check";
    problems.push(problemAt(file, "judge-only", message, at(["checks"])));
  }
  return problems;
}

const knownHeadings = ["Goal", "Context", "Steps", "Test plan", "Out of scope"];

/** Agents and people differ in capitals; the program looks sections up by one spelling. */
function canonical(heading: string): string {
  return knownHeadings.find((known) => known.toLowerCase() === heading.toLowerCase()) ?? heading;
}

/** A heading that appears twice keeps the text of both. */
function sectionTexts(sections: readonly Section[]): Readonly<Record<string, string>> {
  const texts = new Map<string, string>();
  for (const { heading, lines } of sections) {
    const name = canonical(heading);
    const text = lines.map((line) => line.text).join("\n");
    texts.set(name, `${texts.get(name) ?? ""}\n${text}`.trim());
  }
  return Object.fromEntries(texts);
}
