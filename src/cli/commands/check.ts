import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import { head } from "../../git/user-repo.ts";
import { checkPlan, type CheckedGroup, type GroupHead } from "../../approval/check-plan.ts";
import { errorsIn, hasErrors, type PlanReading } from "../../approval/committed-plan.ts";
import { onlyHereFinder } from "../../approval/only-here.ts";
import { plansOfRun } from "../../approval/plan-of-run.ts";
import { filesThatAreNoPlans, type Project } from "../../project/project.ts";
import { findRuns } from "../../project/runs.ts";
import { setupOrigin } from "../../project/settings.ts";
import { isQuickPlan } from "../../plan/quick-plan.ts";
import { inOneLine, visible, visibleJson } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { lintSettings, lintWorkTree } from "../../approval/lint.ts";
import { commandCheck } from "../../approval/preconditions.ts";
import { listPlans } from "../../plan/read.ts";
import { printLine, refuse, refuseWith, type Io } from "../io.ts";
import { createTicker, showCommands } from "../dialog/ticker.ts";
import { checkLines, questionsOf, saidOfCheck, summaryOf, type Said } from "../render-check.ts";
import { tellProblems } from "./lint.ts";
import { project, projectAndPlan, projectSandbox, refusal, type Selected } from "./select.ts";

/** `stint check`: runs every check of the plan on HEAD, in the same clean checkout a run would use, with how to fix it. */
export async function check(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const selected = await planToCheck(io, name);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plan: planName, commit, reading } = selected.value;
  tellProblems(io, reading.problems);
  const { plan } = reading;
  if (plan === undefined || hasErrors(reading.problems)) {
    const isPlan = plan?.name !== "";
    const why = isPlan ? errorsIn(planName, reading.files) : "the settings have errors; fix them first";
    return refuse(io, exitCodes.usage, why);
  }
  const found = await projectSandbox(project, reading.config);
  if (!found.ok) return refuseWith(io, found.failure);
  io.err(visible(found.value.word));
  const isJson = options.json === true;
  const ticker = createTicker(isJson ? { paint: io.paint } : io);
  const { file, at } = setupOrigin(project, reading.files);
  const about = { isTyped: isQuickPlan(planName), setupPlace: `${file}:${at.line}` };
  const onlyHere = await onlyHereFinder(project, { commit, plan });
  const shown: Said[] = [];
  const teller = createTeller({ ...io, out: (line) => ticker.above(() => isJson || printLine(io, line)) }, shown);
  const groups = checkPlan(project, {
    reading: { ...reading, plan },
    commit,
    found: found.value,
    signal: io.signal,
    givingNetwork: (label) => ticker.above(() => io.err(visible(`Retrying with network access: ${inOneLine(label)}`))),
    watch: showCommands(ticker),
    answered: (group, checked) => {
      const said = saidOfCheck(group, checked, { ...about, onlyHere: onlyHere(checked) });
      const setup = { owner: "set-up", label: reading.config.workspace.setup ?? "" };
      if (!isSetupAlone(reading)) teller.tell(group, said);
      else teller.tell({ ...group, owner: setup.owner }, { ...said, task: setup.owner, label: setup.label });
    },
  });
  for await (const group of groups) teller.end(group);
  io.out(isJson ? visibleJson(shown.map(asJson)) : summaryOf(shown));
  return shown.some((result) => result.state === "broken") ? exitCodes.red : exitCodes.done;
}

/** Whether there is no plan, and nothing to check but that set-up works. */
function isSetupAlone({ plan, rules }: PlanReading): boolean {
  return plan?.name === "" && rules.checks === noChecks;
}

/** Stands for a room in which nothing but set-up is run. */
const noChecks = [commandCheck("true")];

/** Prints each check as soon as it has answered, below the heading of its group, and keeps what was said. */
function createTeller({ paint, out }: Pick<Io, "paint" | "out">, shown: Said[]) {
  let current: string | undefined;
  const tell = (group: GroupHead, said: Said) => {
    if (current !== group.owner) out(headingOf(group, paint));
    current = group.owner;
    // A set-up that fails does so for every check; the reason is printed with the first.
    const isSetupShown = shown.some(({ setupTail }) => setupTail !== undefined);
    shown.push(said);
    checkLines(said, { paint, isSetupShown }).forEach(out);
  };
  const end = (group: CheckedGroup) => {
    for (const said of questionsOf(group)) tell(group, said);
    const note = noteOn(group);
    if (note !== undefined) out(`  ${paint.yellow(visible(note))}`);
  };
  return { tell, end };
}

function headingOf({ owner, task }: GroupHead, paint: Io["paint"]): string {
  return task === undefined ? paint.bold(owner) : `${paint.bold(owner)} ${paint.dim(visible(task.title))}`;
}

/** Says what a run would conclude from all of a task's checks, if that is not what the task is meant for. */
function noteOn({ baseline, checked }: CheckedGroup): string | undefined {
  if (baseline?.state === "green") return "nothing to do: all checks pass on HEAD, so a run could prove nothing";
  const isNoCheckBroken = checked.every(({ evidence }) => evidence.state !== "broken");
  return baseline?.state === "broken" && isNoCheckBroken ? `would be blocked: ${baseline.why}` : undefined;
}

function asJson({ task, label, state, why, tests, proof, cure, log }: Said) {
  return { task, label, state, why, tests, proof, cure, log };
}

interface PlanToCheck {
  readonly project: Project;
  readonly plan: string;
  readonly commit: string;
  readonly reading: PlanReading;
}

/** The plan of a `stint do` is not in the work tree: its run has it, and its checks are run on the run's base. */
async function planToCheck(io: Io, name: string | undefined): Promise<Selected<PlanToCheck>> {
  const selected = await projectAndPlan(io, name);
  if (selected.ok) {
    const { project, plan } = selected.value;
    return ok({ project, plan, commit: (await head(project.repo)).sha, reading: await lintWorkTree(project, plan) });
  }
  if (selected.failure.reason === "left-out") return selected;
  const opened = await project(io);
  if (opened.ok && name === undefined && listPlans(opened.value.repo.root).length === 0)
    return await settingsToCheck(io, opened.value);
  if (!opened.ok || name === undefined || !isQuickPlan(name)) return selected;
  const state = findRuns(opened.value.paths, name).runs.at(-1)?.state;
  if (state === undefined) return selected;
  const { started } = await plansOfRun(opened.value, state);
  return ok({ project: opened.value, plan: name, commit: state.base, reading: started });
}

/** Before there is a plan, what `stint init` wrote is tried: set-up, and the checks of the rules. */
async function settingsToCheck(io: Io, project: Project): Promise<Selected<PlanToCheck>> {
  const reading = lintSettings(project);
  const { setup } = reading.config.workspace;
  const { checks } = reading.rules;
  if (setup === undefined && checks.length === 0) {
    const what = "no plan to check, and neither set-up (.stint/config.yaml) nor checks of the rules (.stint/rules.md)";
    const said = [what, ...filesThatAreNoPlans(project.repo.root), nothingToTry(project.repo.root)];
    return refusal(exitCodes.usage, `${said.join(". ")}.`);
  }
  const tried = [
    ...(setup === undefined ? [] : [`set-up (${setup})`]),
    ...(checks.length === 0 ? [] : ["the rules' checks"]),
  ];
  const files = filesThatAreNoPlans(project.repo.root).map((why) => ` ${why}.`);
  io.err(visible(`No plan yet.${files.join("")} Trying ${tried.join(" and ")} on HEAD, as a run would.`));
  const rules = checks.length === 0 ? { ...reading.rules, checks: noChecks } : reading.rules;
  return ok({ project, plan: ".stint", commit: (await head(project.repo)).sha, reading: { ...reading, rules } });
}

/** Where there are rules, init found no check for them and would leave them as they are. */
function nothingToTry(root: string): string {
  const cure = existsSync(join(root, ".stint/rules.md"))
    ? "Add a check to .stint/rules.md, a command that must pass after every task"
    : "`stint init` writes what it finds in the project";
  return `${cure}; \`stint new\` writes a plan`;
}
