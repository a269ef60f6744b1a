import { exitCodes } from "../../engine/exit-code.ts";
import { advisedWorkTree } from "../../approval/lint.ts";
import { hasErrors } from "../../approval/committed-plan.ts";
import type { Problem } from "../../plan/types.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { refuseWith, type Io } from "../io.ts";
import { renderShape } from "../render-shape.ts";
import { projectAndPlan } from "./select.ts";

/** `stint lint`: finds errors in the plan in the work tree and things to improve, and shows its shape. */
export async function lint(io: Io, name: string | undefined, options: { readonly json?: true }): Promise<number> {
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plan } = selected.value;
  const { plan: read, problems } = await advisedWorkTree(project, plan);
  if (options.json === true) io.out(visibleJson(problems));
  else {
    for (const problem of problems) io.out(renderProblem(problem));
    if (problems.length === 0) io.out(`${read?.file.replace(/\/plan\.md$/, "") ?? plan}: no problems found`);
    const shape = renderShape(read, problems);
    if (shape !== undefined) io.out(visible(shape));
  }
  return hasErrors(problems) ? exitCodes.usage : exitCodes.done;
}

/** Prints on standard error what lint found in a plan that is about to be used. */
export function tellProblems(io: Io, problems: readonly Problem[]): void {
  for (const problem of problems) io.err(renderProblem(problem));
}

/** Writes one line of lint, with the position first, as editors expect it. */
export function renderProblem({ file, line, column, severity, message }: Problem): string {
  return visible(`${file}:${line}:${column}: ${severity}: ${message}`);
}
