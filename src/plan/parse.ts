import { placeChecks } from "./checks.ts";
import { parseDocument, type MarkdownDocument } from "./document.ts";
import { foldId, idRule, isId } from "./ids.ts";
import { classifyLines, headingOf } from "./markdown.ts";
import { notYetProblems } from "./not-yet.ts";
import { parseTask } from "./parse-task.ts";
import { problemAt, quoted, sortProblems } from "./problem.ts";
import { parseRules } from "./rules.ts";
import { planSchema } from "./schema.ts";
import { findTaskLines } from "./task-lines.ts";
import { decodeText } from "./text.ts";
import type { Plan, PlanFiles, Problem, Rules, Task, TaskLine } from "./types.ts";
import { validate } from "./validate.ts";

export { defaultRules, parseRules } from "./rules.ts";

export interface ParsedPlan {
  /** Absent where plan.md or one of the tasks could not be understood; present does not mean free of errors. */
  readonly plan: Plan | undefined;
  readonly rules: Rules;
  readonly problems: Problem[];
}

/** Reads a plan from its files alone, and says everything that is wrong with how it is written. */
export function parsePlan(files: PlanFiles, name: string): ParsedPlan {
  const dir = `plans/${name}`;
  const rules = parseRules(files);
  const head = parseHead(files, name, dir);
  const tasks = parseTasks(files, dir);
  const lines = head.document === undefined ? noLines : readTaskLines(head.document, tasks.ids);
  const problems = [
    ...(isId(name) ? [] : [problemAt(`${dir}/plan.md`, "bad-id", `${quoted(name)} is not a plan name: ${idRule}`)]),
    ...unreadableProblems(files, dir),
    ...rules.problems,
    ...head.problems,
    ...tasks.problems,
    ...lines.problems,
    ...scopeProblems(files, `${dir}/scope.md`),
  ];
  const isWhole = isId(name) && head.plan !== undefined && tasks.complete;
  const plan = isWhole ? { ...head.plan, taskLines: lines.lines, tasks: inOrder(tasks.tasks, lines.lines) } : undefined;
  return { plan, rules: rules.rules, problems: sortProblems(problems) };
}

/** Each file of the plan's folder is approved byte by byte, so each must be readable. */
function unreadableProblems(files: PlanFiles, dir: string): Problem[] {
  return [...files].flatMap(([path, file]) => {
    const isOurs = path === dir || path.startsWith(`${dir}/`) || path === ".stint" || path.startsWith(".stint/");
    const isReported = path === ".stint/rules.md";
    return isOurs && !isReported && "unreadable" in file ? [problemAt(path, "unreadable", file.unreadable)] : [];
  });
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
  if (file === undefined) return { ...none, problems: [problemAt(path, "no-plan", "the plan has no plan.md")] };
  if ("unreadable" in file) return { ...none, problems: [] };
  const document = parseDocument(path, file.bytes);
  if ("problems" in document) return { ...none, problems: document.problems };
  const warnings = notYetProblems("plan", document);
  const checked = validate(planSchema, document);
  if ("problems" in checked) return { document, plan: undefined, problems: [...warnings, ...checked.problems] };
  const { title, goal = title, checks, prerequisites, decisions, edge_cases: edgeCases } = checked.value;
  const plan = {
    ...{ name, dir, title, goal, prerequisites, edgeCases, at: document.at },
    checks: placeChecks(checks, document.at),
    decisions: decisions.map((decision, i) => ({ ...decision, at: document.at(["decisions", i]) })),
  };
  return { document, plan, problems: warnings };
}

interface ParsedTasks {
  readonly tasks: readonly Task[];
  /** Of every task file, also of those that could not be read. */
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
    const problems = isId(id) ? [] : [problemAt(file, "bad-id", `${quoted(id)} is not a task id: ${idRule}`)];
    const twin = seen.get(foldId(id));
    seen.set(foldId(id), id);
    if (twin === undefined) return problems;
    const message = `the task ids ${quoted(twin)} and ${quoted(id)} differ only in capitals or Unicode form`;
    return [...problems, problemAt(file, "duplicate-id", message)];
  });
}

interface ReadLines {
  readonly lines: readonly TaskLine[];
  readonly problems: Problem[];
}

const noLines: ReadLines = { lines: [], problems: [] };

function readTaskLines(document: MarkdownDocument, ids: ReadonlySet<string>): ReadLines {
  const { headings, lines, bad } = findTaskLines(document);
  const { file, bodyLine } = document;
  const place = ({ number, column = 1 }: { number: number; column?: number }) => ({
    line: bodyLine + number - 1,
    column,
  });
  const listed = new Set(bad.flatMap(({ id }) => id ?? []));
  const problems = bad.map((line) => problemAt(file, line.code, line.message, place(line)));
  for (const section of headings.slice(1)) {
    problems.push(problemAt(file, "duplicate-section", 'a second "## Tasks" heading; keep one', place(section)));
  }
  for (const line of lines) {
    if (!ids.has(line.id)) {
      const message = `no task file tasks/${line.id}.md exists for this line`;
      problems.push(problemAt(file, "unknown-task", message, place(line)));
    } else if (listed.has(line.id)) {
      problems.push(problemAt(file, "duplicate-line", `the task ${quoted(line.id)} is listed twice`, place(line)));
    }
    listed.add(line.id);
  }
  const heading = headings[0] ? place(headings[0]) : { line: bodyLine, column: 1 };
  for (const id of [...ids].filter((candidate) => !listed.has(candidate))) {
    const message = `the task ${quoted(id)} has no line under "## Tasks"; add "- [ ] [${id}](tasks/${id}.md) title"`;
    problems.push(problemAt(file, "unlisted-task", message, heading));
  }
  return { lines: lines.map((line) => ({ id: line.id, ticked: line.ticked, at: place(line) })), problems };
}

function inOrder(tasks: readonly Task[], lines: readonly TaskLine[]): Task[] {
  const rank = new Map(lines.toReversed().map(({ id }, i) => [id, lines.length - i]));
  return tasks.toSorted((a, b) => (rank.get(a.id) ?? lines.length + 1) - (rank.get(b.id) ?? lines.length + 1));
}

const scopeHeadings = ["Understanding", "Goals", "Gaps"];

function scopeProblems(files: PlanFiles, path: string): Problem[] {
  const file = files.get(path);
  if (file === undefined) {
    const message = `the plan has no scope.md; write one with the headings ${scopeHeadings.join(", ")}`;
    return [problemAt(path, "scope", message)];
  }
  if ("unreadable" in file) return [];
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
