import { join } from "node:path";
import type { CheckEvidence } from "../../engine/evidence.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { counted } from "../../engine/tests-counted.ts";
import { head } from "../../git/user-repo.ts";
import { furnitureOf } from "../../host/real-ports.ts";
import { checkInFreshRoom } from "../../host/real-rooms.ts";
import { projectRedactor } from "../../host/redaction.ts";
import { visible } from "../../plan/visible.ts";
import { isMechanical } from "../../verify/checks.ts";
import { questionsIn } from "../../verify/questions.ts";
import { expectTests } from "../../verify/witness/expect-tests.ts";
import { refuse, type Io } from "../io.ts";
import { readApproval } from "../../host/approvals.ts";
import { hasErrors, readCommittedPlan, type PlanReading } from "../../host/committed-plan.ts";
import type { Project } from "../../host/project.ts";
import { isQuickPlan } from "../../plan/quick-plan.ts";
import { ok } from "../../result.ts";
import { lintWorkTree } from "../../host/lint-work-tree.ts";
import { tellProblems } from "./lint.ts";
import { project, projectAndPlan, projectSandbox, type Selected } from "./select.ts";

/** `stint check`: every check of the plan in the work tree, on HEAD, in the very room a run would use. */
export async function check(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const selected = await planToCheck(io, name);
  if (!selected.ok) return refuse(io, selected.failure.code, selected.failure.message);
  const { project, plan, commit, reading } = selected.value;
  tellProblems(io, reading.problems);
  if (reading.plan === undefined || hasErrors(reading.problems)) {
    return refuse(io, exitCodes.usage, `plans/${plan} has errors; correct them, then try again`);
  }
  const { scratch } = project.layout;
  const found = await projectSandbox(project, reading.config);
  if (!found.ok) return refuse(io, found.failure.code, found.failure.message);
  io.err(visible(found.value.word));
  const { config } = reading;
  const redact = await projectRedactor(project, config);
  const furniture = furnitureOf(project, { config, ...found.value, trusted: { base: commit }, redact });
  const rooms = { control: project.control, furniture, dir: join(scratch, "check") };
  const { tasks, checks: planChecks } = reading.plan;
  const groups = [
    ...tasks.map((task) => ({ owner: task.id, checks: task.checks })),
    { owner: "rules", checks: reading.rules.checks },
    { owner: "plan", checks: planChecks },
  ];
  const shown: Shown[] = [];
  for (const { owner, checks } of groups) {
    if (checks.length === 0) continue;
    const logDir = join(scratch, "check-log");
    const asked = checks.filter(isMechanical);
    const found = await checkInFreshRoom(rooms, { commit, checks: asked, logDir, signal: io.signal });
    const evidence = found.map((one, at) =>
      expectTests(one, { isGoal: asked[at]?.red === true, before: undefined, mayChange: () => true }),
    );
    for (const result of [...evidence, ...questionsIn(checks).map(unasked)]) {
      shown.push({ task: owner, ...result });
      if (options.json !== true) io.out(visible(`${result.state.padEnd(6)} ${owner}: ${result.label}${why(result)}`));
    }
  }
  if (options.json === true)
    io.out(
      JSON.stringify(
        shown.map(({ task, label, state, why, tests, proof }) => ({ task, label, state, why, tests, proof })),
      ),
    );
  return shown.some((result) => result.state === "broken") ? exitCodes.red : exitCodes.done;
}

/** What is said of a check; a judge's question is not asked outside of a run. */
type Said = Pick<CheckEvidence, "label" | "why" | "tests" | "proof"> & {
  readonly state: CheckEvidence["state"] | "open";
};
type Shown = Said & { readonly task: string };

function unasked(question: string): Said {
  return { label: `judge: ${question}`, state: "open", why: "asked of a judge in a run" };
}

interface PlanToCheck {
  readonly project: Project;
  readonly plan: string;
  readonly commit: string;
  readonly reading: PlanReading;
}

/** A plan that was typed is not in the work tree: it is read, and its checks are run, where it was approved. */
async function planToCheck(io: Io, name: string | undefined): Promise<Selected<PlanToCheck>> {
  const selected = await projectAndPlan(io, name);
  if (selected.ok) {
    const { project, plan } = selected.value;
    return ok({ project, plan, commit: (await head(project.repo)).sha, reading: await lintWorkTree(project, plan) });
  }
  const opened = await project(io);
  if (!opened.ok || name === undefined || !isQuickPlan(name)) return selected;
  const commit = readApproval(opened.value.layout, name)?.commit;
  if (commit === undefined) return selected;
  const reading = await readCommittedPlan(opened.value, { commit, plan: name });
  return ok({ project: opened.value, plan: name, commit, reading });
}

function why({ state, why, tests }: Said): string {
  if (state !== "green") return ` (${why})`;
  return tests === undefined ? "" : ` (${counted(tests)})`;
}
