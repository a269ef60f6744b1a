import { placeChecks } from "./checks.ts";
import { parseDocument, type MarkdownDocument } from "./document.ts";
import { foldId, idRule, isId, slugOf } from "./ids.ts";
import { classifyLines, headingOf, saysNothing, sectionsOf, type Section } from "./markdown.ts";
import { bytesOf, expandPlan, type Expanded } from "./one-file.ts";
import { isOfPlan, oneFileOf } from "./plan-folder.ts";
import { problemAt, quoted, sortProblems, unreadableProblems } from "./problem.ts";
import { parseRules, proposedRulesProblems, rulesFile } from "./rules.ts";
import { planSchema, taskSchema } from "./schema.ts";
import { noLines, readTaskLines } from "./task-lines.ts";
import { decodeText } from "./text.ts";
import type { Plan, PlanFile, PlanFiles, Position, Problem, Rules, Task, TaskLine } from "./types.ts";
import { validate } from "./validate.ts";
import type { Locate } from "./yaml.ts";

export interface ParsedPlan {
  /** Absent where plan.md or one of the tasks could not be understood; present does not mean free of errors. */
  readonly plan: Plan | undefined;
  readonly rules: Rules;
  readonly problems: Problem[];
}

/** Reads a plan from its files alone, and says everything that is wrong with how it is written. */
export function parsePlan(files: PlanFiles, name: string): ParsedPlan {
  if (!isId(name)) {
    const message = `${quoted(name)} is not a plan name: ${idRule}`;
    return unread(files, [problemAt(`plans/${name}/plan.md`, "bad-id", message)]);
  }
  const path = oneFileOf(name);
  const file = files.get(path);
  if (file === undefined) return parseFolder(files, name);
  const others = [...files].filter(([other]) => other !== path);
  if (others.some(([other]) => isOfPlan(other, name))) {
    const message = `plans/${name}/ is there as well, and only one of them can be the plan: remove the other`;
    return unread(files, [problemAt(path, "two-forms", message)]);
  }
  const expanded =
    "unreadable" in file ? { problems: unreadableProblems(new Map([[path, file]])) } : expandPlan(path, file.bytes);
  if ("problems" in expanded) return unread(files, expanded.problems);
  const documents = [...bytesOf(expanded)].map(
    ([own, bytes]) => [`plans/${name}/${own}`, { bytes }] as [string, PlanFile],
  );
  return inOneFile(parseFolder(new Map([...others, ...documents]), name), path, expanded);
}

/** A plan that is not read any further. */
function unread(files: PlanFiles, problems: readonly Problem[]): ParsedPlan {
  const { rules, problems: others } = parseRules(files);
  return { plan: undefined, rules, problems: sortProblems([...others, ...problems]) };
}

/** Puts everything in the places where the one file has it. */
function inOneFile({ plan, rules, problems }: ParsedPlan, file: string, { pieces, warnings }: Expanded): ParsedPlan {
  const dir = file.replace(/\.md$/, "/");
  const line = (path: string, number: number) => pieces.get(path.slice(dir.length))?.lines[number - 1] ?? number;
  const moved = <T extends { readonly at: Position }>(path: string, placed: readonly T[]): T[] =>
    placed.map((one) => ({ ...one, at: { ...one.at, line: line(path, one.at.line) } }));
  const movedAt =
    (path: string, at: Locate): Locate =>
    (key) => ({ ...at(key), line: line(path, at(key).line) });
  const found = problems.map((problem): Problem => {
    if (!problem.file.startsWith(dir)) return problem;
    return { ...problem, file, line: line(problem.file, problem.line), message: inItsWords(problem) };
  });
  const whole = plan && {
    ...plan,
    file,
    at: movedAt(plan.file, plan.at),
    checks: moved(plan.file, plan.checks),
    decisions: moved(plan.file, plan.decisions),
    taskLines: moved(plan.file, plan.taskLines),
    tasks: plan.tasks.map((task) => ({
      ...task,
      file,
      at: movedAt(task.file, task.at),
      checks: moved(task.file, task.checks),
      line: (ofText: number) => line(task.file, ofText),
    })),
  };
  return { plan: whole, rules, problems: sortProblems([...found, ...warnings]) };
}

/** In one file, sections are a level deeper, and the scope is one of them. */
function inItsWords({ code, message }: Problem): string {
  if (code === "no-goal") return message.replace('"## Goal"', '"### Goal"');
  return code === "scope" ? message.replace("scope.md lacks", '"## Scope" lacks') : message;
}

function parseFolder(files: PlanFiles, name: string): ParsedPlan {
  const dir = `plans/${name}`;
  const rules = parseRules(files);
  const head = parseHead(files, name, dir);
  const tasks = parseTasks(files, dir);
  const lines = head.document === undefined ? noLines : readTaskLines(head.document, tasks.ids);
  const problems = [
    ...unreadableProblems(approvedFiles(files, dir)),
    ...rules.problems,
    ...head.problems,
    ...tasks.problems,
    ...lines.problems,
    ...scopeProblems(files, `${dir}/scope.md`),
    ...proposedRulesProblems(files, dir),
  ];
  const isWhole = head.plan !== undefined && tasks.complete;
  const plan = isWhole ? { ...head.plan, taskLines: lines.lines, tasks: inOrder(tasks.tasks, lines.lines) } : undefined;
  return { plan, rules: rules.rules, problems: sortProblems(problems) };
}

/** Each file of the plan's folder is approved byte by byte, so each must be readable; `parseRules` reports rules.md itself. */
function approvedFiles(files: PlanFiles, dir: string): PlanFiles {
  const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  return new Map([...files].filter(([path]) => (isBelow(path, dir) || isBelow(path, ".stint")) && path !== rulesFile));
}

interface Head {
  readonly document: MarkdownDocument | undefined;
  readonly plan: Omit<Plan, "taskLines" | "tasks"> | undefined;
  readonly problems: Problem[];
}

function parseHead(files: PlanFiles, name: string, dir: string): Head {
  const path = `${dir}/plan.md`;
  const none = { document: undefined, plan: undefined };
  const file = files.get(path);
  if (file === undefined) {
    const other = [...files.keys()].find((there) => there.toLowerCase() === path);
    const cure = other === undefined ? "" : `: rename ${other.slice(dir.length + 1)} to plan.md`;
    return { ...none, problems: [problemAt(path, "no-plan", `the plan has no plan.md${cure}`)] };
  }
  if ("unreadable" in file) return { ...none, problems: [] };
  const document = parseDocument(path, file.bytes);
  if ("problems" in document) return { ...none, problems: document.problems };
  const checked = validate(planSchema, document);
  if ("problems" in checked) return { document, plan: undefined, problems: checked.problems };
  const { title, goal = title, checks, prerequisites, decisions, edge_cases: edgeCases } = checked.value;
  const plan = {
    name,
    dir,
    file: path,
    title,
    goal,
    prerequisites,
    edgeCases,
    at: document.at,
    checks: placeChecks(checks, document.at),
    decisions: decisions.map((decision, i) => ({ ...decision, at: document.at(["decisions", i]) })),
  };
  return { document, plan, problems: [] };
}

interface ParsedTasks {
  readonly tasks: readonly Task[];
  /** The ids of all task files, including those that could not be read. */
  readonly ids: ReadonlySet<string>;
  readonly complete: boolean;
  readonly problems: Problem[];
}

function parseTasks(files: PlanFiles, dir: string): ParsedTasks {
  const prefix = `${dir}/tasks/`;
  const paths = [...files.keys()].filter((path) => path.startsWith(prefix) && path.endsWith(".md")).toSorted();
  const ids = paths.map((path) => path.slice(prefix.length, -".md".length));
  const parsed = paths.map((path, i) => {
    const file = files.get(path);
    return file && "bytes" in file ? parseTask(ids[i] ?? "", path, file.bytes) : { task: undefined, problems: [] };
  });
  const idProblems = badIds(ids, prefix);
  const problems = [...idProblems, ...parsed.flatMap((one) => one.problems)];
  if (paths.length === 0) problems.push(problemAt(`${dir}/plan.md`, "no-tasks", `the plan has no files tasks/<id>.md`));
  const tasks = parsed.flatMap(({ task }) => (task ? [task] : []));
  const complete = idProblems.length === 0 && tasks.length === paths.length;
  return { tasks, ids: new Set(ids), complete, problems };
}

function badIds(ids: readonly string[], prefix: string): Problem[] {
  const seen = new Map<string, string>();
  return ids.flatMap((id) => {
    const file = `${prefix}${id}.md`;
    const problems = isId(id)
      ? []
      : [problemAt(file, "bad-id", `${quoted(id)} is not a task id: ${idRule}${renamed(id, ids)}`)];
    const twin = seen.get(foldId(id));
    seen.set(foldId(id), id);
    if (twin === undefined) return problems;
    const message = `the task ids ${quoted(twin)} and ${quoted(id)} differ only in capitals or Unicode form`;
    return [...problems, problemAt(file, "duplicate-id", message)];
  });
}

/** Proposes the nearest name that a task may have, unless another one has it. */
function renamed(id: string, ids: readonly string[]): string {
  const name = slugOf(id);
  return isId(name) && !ids.includes(name) ? `; rename the file to ${name}.md` : "";
}

/** Reads one task; it is returned even when incomplete, so that the rest of the plan can be checked. */
function parseTask(
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
    line: (ofText) => ofText,
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

/** Tasks in the order of their lines; those without a line come last, by name. */
function inOrder(tasks: readonly Task[], lines: readonly TaskLine[]): Task[] {
  const rank = new Map(lines.toReversed().map(({ id }, i) => [id, lines.length - i]));
  return tasks.toSorted((a, b) => (rank.get(a.id) ?? lines.length + 1) - (rank.get(b.id) ?? lines.length + 1));
}

/** What scope.md is about. */
export const scopeHeadings = ["Understanding", "Goals", "Gaps"];

/** Says what scope.md lacks; a plan without one is fine. */
function scopeProblems(files: PlanFiles, path: string): Problem[] {
  const file = files.get(path);
  if (file === undefined || "unreadable" in file) return [];
  const decoded = decodeText(path, file.bytes);
  if ("problem" in decoded) return [decoded.problem];
  const headings = classifyLines(decoded.text).filter(({ kind }) => kind === "heading");
  const found = new Set(headings.map(({ text }) => headingOf(text).title.toLowerCase()));
  const missing = scopeHeadings.filter((heading) => !found.has(heading.toLowerCase()));
  if (missing.length === 0) return [];
  return [
    problemAt(
      path,
      "scope",
      `scope.md lacks ${missing.length > 1 ? "the headings" : "the heading"} ${missing.join(", ")}`,
    ),
  ];
}
