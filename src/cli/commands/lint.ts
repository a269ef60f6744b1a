import { exitCodes } from "../../engine/exit-code.ts";
import { listTree } from "../../git/objects.ts";
import { dirtyPaths } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { advicePlan } from "../../host/advice.ts";
import { hasErrors, readPlan, type PlanReading } from "../../host/committed-plan.ts";
import type { Project } from "../../host/project.ts";
import { sortProblems } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import type { Problem } from "../../plan/types.ts";
import { visible } from "../../plan/visible.ts";
import { refuse, type Io } from "../io.ts";
import { renderShape } from "../render-shape.ts";
import { projectAndPlan } from "./select.ts";

/** `stint lint`: says what is wrong with the plan in the work tree, what could be better, and how it lies in time. */
export async function lint(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return refuse(io, selected.failure.code, selected.failure.message);
  const { project, plan } = selected.value;
  const reading = await lintWorkTree(project, plan);
  const problems = sortProblems([...reading.problems, ...(await advicePlan(project, reading))]);
  if (options.json === true) io.out(JSON.stringify(problems));
  else {
    for (const problem of problems) io.out(renderProblem(problem));
    if (problems.length === 0) io.out(`plans/${plan}: no problems found`);
    const shape = renderShape(reading.plan, problems);
    if (shape !== undefined) io.out(visible(shape));
  }
  return hasErrors(problems) ? exitCodes.usage : exitCodes.done;
}

/** Lints the files on disk against the files at HEAD, on which a run would be based. */
export async function lintWorkTree({ repo, control, env }: Project, plan: string): Promise<PlanReading> {
  const tree = await listTree(control, (await head(repo)).sha);
  return readPlan(
    { env },
    {
      plan,
      files: readPlanFilesFromDisk(repo.root, plan),
      repoFiles: new Set(tree.map((entry) => entry.path)),
      uncommitted: new Set(await dirtyPaths(repo, ["."])),
    },
  );
}

export function renderProblem({ file, line, column, severity, message }: Problem): string {
  return visible(`${file}:${line}:${column}: ${severity}: ${message}`);
}
