import type { CheckEvidence } from "../../engine/evidence.ts";
import { definesCommands } from "../../plan/definitions.ts";
import { ancestry } from "../../plan/graph.ts";
import { staticPrefix } from "../../plan/paths.ts";
import { rulesFile } from "../../plan/rules.ts";
import type { FileCheck, Plan, RunCheck, Task } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";
import { ownName } from "./lint-problems.ts";

/** The results on the base of the checks of a task, of the rules or of the plan. */
export interface AnsweredGroup {
  readonly task: Task | undefined;
  /** Where the checks are written. */
  readonly file: string;
  readonly checked: readonly AnsweredCheck[];
}

interface AnsweredCheck {
  readonly check: RunCheck | FileCheck;
  readonly evidence: CheckEvidence;
}

/** Finds the problems of a draft's checks in their results. */
export function checkProblems(plan: Plan, groups: readonly AnsweredGroup[]): DraftProblem[] {
  const before = earlierTasks(plan);
  const setup = groups.flatMap(({ checked }) => checked).find(({ evidence }) => evidence.cause === "set-up");
  return [
    ...(setup === undefined ? [] : [setupProblem(setup.evidence)]),
    ...groups.flatMap((group) => groupProblems(group, before(group.task)).map(placed(plan, group))),
  ];
}

type Said = Pick<DraftProblem, "severity" | "line" | "message">;

function placed(plan: Plan, { file }: AnsweredGroup): (said: Said) => DraftProblem {
  return (said) => ({ ...said, source: "check", file: ownName(file, plan.dir) });
}

/** A set-up that fails is no fault of the plan, and no planner can fix it. */
function setupProblem({ why }: CheckEvidence): DraftProblem {
  const message = `set-up fails on the base, so no check could run: ${why}. A person has to fix \`workspace.setup\`.`;
  return { severity: "warning", source: "check", file: ".stint/config.yaml", line: 1, message };
}

function groupProblems({ task, file, checked }: AnsweredGroup, before: readonly Task[]): Said[] {
  const asked = checked.filter(({ evidence }) => evidence.cause !== "set-up");
  if (file === rulesFile) return asked.flatMap(ofRules);
  const broken = asked.filter((one) => one.evidence.state === "broken" && !lacksNetwork(one));
  return [
    ...asked.filter(lacksNetwork).map(withoutNetwork),
    ...broken.map((one) => brokenCheck(one, before)),
    ...(task === undefined || asked.length < checked.length || broken.length > 0 || asked.some(lacksNetwork)
      ? []
      : baselineProblems(task, asked, before)),
  ];
}

/** No check of a draft has network access, because no person has approved it yet. */
function lacksNetwork({ check, evidence }: AnsweredCheck): boolean {
  return check.kind === "run" && check.network && evidence.state !== "green";
}

function withoutNetwork({ check, evidence }: AnsweredCheck): Said {
  const message = `\`${evidence.label}\` needs network access, which no check gets before a person approves the plan, so its result is unknown.`;
  return { severity: "warning", line: check.at.line, message };
}

function brokenCheck({ check, evidence }: AnsweredCheck, before: readonly Task[]): Said {
  const { label, why } = evidence;
  const makers = before.filter((task) => mayMatter(task, check)).map(({ id }) => id);
  const maybe = makers.length === 0 ? "" : ` It is fine only if ${makers[0]} provides what it lacks.`;
  const message = `impossible check: \`${label}\` is broken on the base, neither red nor green: ${why}${wayOut(check, why)}${maybe}`;
  return { severity: maybe === "" ? "error" : "warning", line: check.at.line, message };
}

/** A check may use what its task makes, if it also has a result before the work. */
function wayOut(check: RunCheck | FileCheck, why: string): string {
  if (check.kind !== "run") return "";
  if (/\(exit 12[67]\)/.test(why))
    return " If the task makes the program, test first whether it exists: `test -x bin/tool && bin/tool`.";
  return why.startsWith("cwd ")
    ? ` If the task makes the folder, leave cwd out and write \`cd ${check.cwd} && …\`, which is red without it.`
    : "";
}

/** Finds what a run's baseline would object to in all checks of a task together. */
function baselineProblems(task: Task, asked: readonly AnsweredCheck[], before: readonly Task[]): Said[] {
  if (asked.length === 0 || asked.some(({ check, evidence }) => check.red && evidence.state === "red")) return [];
  const regressed = asked.find(({ evidence }) => evidence.state === "red");
  const makers = before.filter((one) => asked.some(({ check }) => mayMatter(one, check)));
  const severity = makers.length === 0 ? "error" : "warning";
  const maybe = makers.length === 0 ? "" : ` It is fine only if ${makers[0]!.id} changes that.`;
  if (regressed !== undefined) {
    const message = `\`${regressed.evidence.label}\` is marked \`red: false\` and is red on the base, and no other check is: nothing can prove the work. Remove \`red: false\`, or correct the check.${maybe}`;
    return [{ severity, line: regressed.check.at.line, message }];
  }
  const labels = asked.slice(0, namedMax).map(({ evidence }) => `\`${evidence.label}\``);
  const message = `proves nothing: green before the work (${labels.join(", ")}${asked.length > namedMax ? ", …" : ""}). Make a check that is red now and green when the task is done.${maybe}`;
  return [{ severity, line: task.at(["checks"]).line, message }];
}

const namedMax = 3;

function ofRules({ check, evidence: { state, label, why } }: AnsweredCheck): Said[] {
  if (state === "green") return [];
  const message = `\`${label}\` of the rules is ${state} on the base already (${why}), so only a task that fixes it can pass. A person has to fix it, or remove it from the rules.`;
  return [{ severity: "warning", line: check.at.line, message }];
}

/** Returns the tasks before a task; all tasks come before the checks of the plan. */
function earlierTasks(plan: Plan): (task: Task | undefined) => readonly Task[] {
  const order = ancestry(plan.tasks);
  return (task) => (task === undefined ? plan.tasks : plan.tasks.filter(({ id }) => order.isAncestor(id, task.id)));
}

/** Tells whether a task may change the result of a check: it touches what the check names, or what defines its programs. */
function mayMatter({ files }: Task, check: RunCheck | FileCheck): boolean {
  const words = check.kind === "run" ? [check.cwd, ...check.run.split(/[\s'"`;|&<>()=$,:]+/)] : [check.path];
  const named = words.map((word) => word.replace(/^(?:\.\/)+|\/+$/g, "")).filter((word) => /^[\w@]/.test(word));
  const touched = [...files.create, ...files.modify, ...files.delete, ...files.touch];
  return touched.some((path) => definesCommands(path) || named.some((word) => isAbout(path, word)));
}

function isAbout(path: string, word: string): boolean {
  const start = staticPrefix(path);
  return (
    path === word || `${start}/`.startsWith(`${word}/`) || (start !== path && word.startsWith(start) && start !== "")
  );
}
