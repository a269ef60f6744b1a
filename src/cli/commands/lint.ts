import { exitCodes } from "../../engine/exit-code.ts";
import { listTree } from "../../git/objects.ts";
import { dirtyPaths } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { hasErrors, readPlan, type PlanReading } from "../../host/committed-plan.ts";
import type { Project } from "../../host/project.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import type { Problem } from "../../plan/types.ts";
import { visible } from "../../plan/visible.ts";
import { refuse, type Io } from "../io.ts";
import { project, selectPlan } from "./select.ts";

/** `stint lint`: says what is wrong with the plan in the work tree. */
export async function lint(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const plan = selectPlan(opened.value.repo.root, name);
  if (!plan.ok) return refuse(io, plan.failure.code, plan.failure.message);
  const { problems } = await lintWorkTree(opened.value, plan.value);
  if (options.json === true) io.out(JSON.stringify(problems));
  else {
    for (const problem of problems) io.out(renderProblem(problem));
    if (problems.length === 0) io.out(`plans/${plan.value}: no problems found`);
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
