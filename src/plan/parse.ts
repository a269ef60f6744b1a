import { placeChecks } from "./checks.ts";
import { parseDocument, type MarkdownDocument } from "./document.ts";
import { foldId, idRule, isId } from "./ids.ts";
import { inOrder, noLines, readTaskLines } from "./parse-lines.ts";
import { scopeProblems } from "./parse-scope.ts";
import { parseTask } from "./parse-task.ts";
import { problemAt, quoted, sortProblems } from "./problem.ts";
import { parseRules, proposedRulesProblems } from "./rules.ts";
import { planSchema } from "./schema.ts";
import type { Plan, PlanFiles, Problem, Rules, Task } from "./types.ts";
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
    ...proposedRulesProblems(files, dir),
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
  const checked = validate(planSchema, document);
  if ("problems" in checked) return { document, plan: undefined, problems: checked.problems };
  const { title, goal = title, checks, prerequisites, decisions, edge_cases: edgeCases } = checked.value;
  const plan = {
    name,
    dir,
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
    const problems = isId(id) ? [] : [problemAt(file, "bad-id", `${quoted(id)} is not a task id: ${idRule}`)];
    const twin = seen.get(foldId(id));
    seen.set(foldId(id), id);
    if (twin === undefined) return problems;
    const message = `the task ids ${quoted(twin)} and ${quoted(id)} differ only in capitals or Unicode form`;
    return [...problems, problemAt(file, "duplicate-id", message)];
  });
}
