import { listPaths } from "../git/objects.ts";
import { diffTasks, type TaskChange } from "../plan/diff.ts";
import { approvalHash } from "../plan/hash.ts";
import { scopeHeadings } from "../plan/parse.ts";
import { problemAt, sortProblems } from "../plan/problem.ts";
import { proposedRules } from "../plan/plan-folder.ts";
import { rulesFile } from "../plan/rules.ts";
import type { Check, Plan, PlanFile, PlanFiles, Problem } from "../plan/types.ts";
import { boundedProblems, type AssessedDraft, type DraftProblem } from "./machine/assessment.ts";
import { checkProblems } from "./machine/check-problems.ts";
import { recordDecisions, type Recorded } from "./machine/decisions.ts";
import type { Asked } from "./machine/events.ts";
import { isOfDraft, lintProblems, unmadeTests, unnamedInputs } from "./machine/lint-problems.ts";
import { composeNew, composeRevision, type Composed, type Standing } from "./machine/revise.ts";
import { checkKey } from "../checks/checks.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { advicePlan } from "../approval/lint.ts";
import { checkPlan, type CheckedGroup } from "../approval/check-plan.ts";
import { hasErrors, readCommittedSettings, readPlan, type PlanReading } from "../approval/committed-plan.ts";
import { findProjectSandbox, type Project } from "../project/project.ts";
import type { SessionOutput } from "./machine/session-output.ts";

/** What a draft is assessed against. */
export interface AssessRequest {
  readonly plan: string;
  /** The commit the plan is for: HEAD, or the tip of the run whose plan is revised. */
  readonly base: string;
  readonly output: SessionOutput;
  /** The inputs of the goal, by their path next to the plan, such as `inputs/login.png`. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** The questions so far, with their answers. */
  readonly answered: readonly Asked[];
  readonly revises: Standing | null;
  readonly signal: AbortSignal;
  readonly watch?: CommandWatch | undefined;
}

/** Composes the plan that a draft would be on its base, and finds what is wrong with it: by lint, and by running its checks. */
export async function assessDraft(project: Project, request: AssessRequest): Promise<AssessedDraft> {
  const settings = await readCommittedSettings(project, request.base);
  const { documents, rules, problems, writtenLine } = documentsOf(request, settings);
  const { reading, linted, missing } = await lintDraft(project, request, { settings, documents });
  const { plan } = reading;
  const changes = plan === undefined || request.revises === null ? [] : diffTasks(request.revises.plan, plan);
  const isFit = plan !== undefined && !linted.some(({ severity }) => severity === "error");
  const results = isFit ? await runChecks(project, request, { reading: { ...reading, plan }, changes }) : noResults;
  const inputs = plan === undefined ? [] : unnamedInputs(plan, request.inputs.keys());
  const found = [...linted, ...notFoundByCheck(missing, results.problems), ...results.problems, ...inputs];
  // Lint reads plan.md with the decisions in it; the planner knows it without.
  const all = [
    ...problems,
    ...found.map((one) => (one.file === "plan.md" ? { ...one, line: writtenLine(one.line) } : one)),
  ];
  return {
    documents,
    rules,
    plan,
    problems: boundedProblems(all),
    checked: results.checked,
    changes,
    against: hashOf(request),
  };
}

function hashOf({ revises }: AssessRequest): string | null {
  return revises === null ? null : approvalHash(revises.files, revises.plan.name);
}

interface Documents {
  /** The files of the plan's folder, by path in the repository. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly rules: Uint8Array | null;
  readonly problems: readonly DraftProblem[];
  readonly writtenLine: Recorded["writtenLine"];
}

/** Composes the plan's folder as it would be committed. */
function documentsOf(request: AssessRequest, settings: PlanFiles): Documents {
  const dir = `plans/${request.plan}`;
  const { documents: composed, problems } = compose(request);
  const documents = new Map([...composed, ...request.inputs]);
  const proposed = request.output.rules ?? documents.get(proposedRules) ?? null;
  const rules = proposed === null || isInForce(proposed, settings) ? null : proposed;
  if (rules === null) documents.delete(proposedRules);
  else documents.set(proposedRules, rules);
  const planMd = documents.get("plan.md");
  const recorded = recordDecisions(planMd ?? new Uint8Array(), askedBefore(request));
  if (planMd !== undefined) documents.set("plan.md", recorded.bytes);
  const paths = [...documents].map(([name, bytes]) => [`${dir}/${name}`, bytes] as const);
  const { writtenLine } = recorded;
  return { documents: new Map(paths), rules, problems: [...problems, ...recorded.problems], writtenLine };
}

function compose({ output, revises }: AssessRequest): Composed {
  return revises === null ? composeNew(output.draft) : composeRevision(output.draft, revises);
}

function isInForce(proposed: Uint8Array, settings: PlanFiles): boolean {
  const now = settings.get(rulesFile);
  return now !== undefined && "bytes" in now && Buffer.from(now.bytes).equals(Buffer.from(proposed));
}

/** The answers in a plan that is revised stay valid, until a question is asked again. */
function askedBefore({ answered, revises }: AssessRequest): Asked[] {
  const before = (revises?.plan.decisions ?? []).flatMap(({ id, question, options, recommend, answer, assumed }) =>
    answer === undefined ? [] : [{ id, question, options, recommend: recommend ?? null, answer, assumed }],
  );
  return [...before, ...answered];
}

interface Linted {
  readonly reading: PlanReading;
  readonly linted: readonly DraftProblem[];
  /** Problems about programs that this machine does not have. */
  readonly missing: readonly DraftProblem[];
}

async function lintDraft(
  project: Project,
  { plan, base, inputs }: AssessRequest,
  { settings, documents }: { readonly settings: PlanFiles; readonly documents: Documents["documents"] },
): Promise<Linted> {
  const own = [...documents].map(([path, bytes]): [string, PlanFile] => [path, { bytes }]);
  const repoFiles = await listPaths(project.control, base);
  const reading = readPlan(project, { plan, files: new Map([...settings, ...own]), repoFiles });
  const found = [
    ...sortProblems([...reading.problems, ...noScope(plan, documents)]),
    ...(await advicePlan(project, reading, base)),
  ];
  const about = { dir: `plans/${plan}`, inputs: new Set(inputs.keys()) };
  const missing = lintProblems(found.filter(isMissingProgram), about);
  const others = lintProblems(
    found.filter((problem) => !isMissingProgram(problem)),
    about,
  );
  const unmade = reading.plan === undefined ? [] : unmadeTests(openTasks(reading.plan), repoFiles);
  return { reading, linted: [...others, ...unmade], missing };
}

/** A person may do without a scope.md; a planner writes down what it asked and found. */
function noScope(plan: string, documents: Documents["documents"]): Problem[] {
  const path = `plans/${plan}/scope.md`;
  const message = `the plan has no scope.md; write one with the headings ${scopeHeadings.join(", ")}`;
  return documents.has(path) ? [] : [problemAt(path, "scope", message)];
}

function isMissingProgram({ code }: Problem): boolean {
  return code === "missing-program";
}

/** Leaves out ticked tasks: they are done, and their files are as they should be. */
function openTasks(plan: Plan): Plan {
  const ticked = new Set(plan.taskLines.filter((line) => line.ticked).map(({ id }) => id));
  return { ...plan, tasks: plan.tasks.filter(({ id }) => !ticked.has(id)) };
}

interface CheckResults {
  readonly checked: readonly CheckedGroup[];
  readonly problems: readonly DraftProblem[];
}

const noResults: CheckResults = { checked: [], problems: [] };

/** Runs the checks on the base in the room a run would use, but without network access: no person has approved a draft. */
async function runChecks(
  project: Project,
  { base, revises, signal, watch }: AssessRequest,
  draft: { readonly reading: PlanReading & { readonly plan: Plan }; readonly changes: readonly TaskChange[] },
): Promise<CheckResults> {
  const { reading } = draft;
  const { plan } = reading;
  const notDraft = reading.problems.filter((problem) => !isOfDraft(problem, plan.dir));
  if (hasErrors(notDraft)) return notRun("the settings or rules of the repository have errors");
  const found = await findProjectSandbox(project, reading.config);
  if (!found.ok) return notRun(found.failure.message);
  const asked = revises === null ? reading : { ...reading, ...onlyNew({ ...draft, revises }) };
  const groups: CheckedGroup[] = [];
  const options = { reading: { ...asked, plan: offline(asked.plan) }, commit: base, found: found.value, signal, watch };
  for await (const group of checkPlan(project, options)) groups.push(asWritten(group, plan));
  return { checked: groups, problems: checkProblems(plan, groups) };
}

function notRun(why: string): CheckResults {
  const message = `no check was run on the base: ${why}`;
  return {
    checked: [],
    problems: [{ severity: "warning", source: "check", file: ".stint/config.yaml", line: 1, message }],
  };
}

/** Keeps the new checks of a revision: the others ran before, or their tasks are in progress. */
function onlyNew({
  reading: { plan, rules },
  changes,
  revises,
}: {
  readonly reading: PlanReading & { readonly plan: Plan };
  readonly changes: readonly TaskChange[];
  readonly revises: Standing;
}): Pick<PlanReading, "rules"> & { readonly plan: Plan } {
  const changed = new Set(changes.map(({ id }) => id));
  const known = new Set(revises.plan.checks.map(checkKey));
  const checks = plan.checks.filter((check) => !known.has(checkKey(check)));
  return {
    plan: { ...plan, checks, tasks: plan.tasks.filter(({ id }) => changed.has(id)) },
    rules: { ...rules, checks: [] },
  };
}

function offline(plan: Plan): Plan {
  const cut = (check: Check): Check => (check.kind === "run" ? { ...check, network: false } : check);
  return {
    ...plan,
    checks: plan.checks.map(cut),
    tasks: plan.tasks.map((task) => ({ ...task, checks: task.checks.map(cut) })),
  };
}

/** Restores what `offline` removed, so that the reader sees which checks need network access. */
function asWritten(group: CheckedGroup, plan: Plan): CheckedGroup {
  const owner = group.owner === "plan" ? plan : plan.tasks.find(({ id }) => id === group.owner);
  const written = owner?.checks ?? [];
  const wanting = new Set(written.flatMap((check) => (check.kind === "run" && check.network ? [check.at.line] : [])));
  const checked = group.checked.map((one) =>
    one.check.kind === "run" && wanting.has(one.check.at.line)
      ? { ...one, check: { ...one.check, network: true } }
      : one,
  );
  return { ...group, checked };
}

/** Reports a missing program once: by the check that needed it, or else by lint. */
function notFoundByCheck(missing: readonly DraftProblem[], byChecks: readonly DraftProblem[]): DraftProblem[] {
  const found = new Set(byChecks.map(({ file, line }) => `${file}:${line}`));
  return missing.filter(({ file, line }) => !found.has(`${file}:${line}`));
}
