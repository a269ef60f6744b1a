import { exitCodes } from "../../engine/exit-code.ts";
import { errorsIn } from "../../approval/committed-plan.ts";
import { bytesOf, expandPlan } from "../../plan/one-file.ts";
import { isOfPlan, oneFileOf } from "../../plan/plan-folder.ts";
import { unreadableProblems } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import type { PlanFiles } from "../../plan/types.ts";
import { handToCheckout } from "../../planning/hand-to-checkout.ts";
import { refusalCode } from "../../project/refusals.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { tellProblems } from "./lint.ts";
import { projectAndPlan } from "./select.ts";

/** `stint plan split`: turns a plan of one file into a folder that says the same. */
export async function splitPlan(io: Io, typed: string | undefined): Promise<number> {
  const selected = await projectAndPlan(io, typed);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plan } = selected.value;
  const path = oneFileOf(plan);
  const standing = readPlanFilesFromDisk(project.repo.root, plan);
  const file = standing.get(path);
  if (file === undefined) return refuse(io, exitCodes.usage, `plans/${plan}/ is a folder already.`);
  const expanded =
    "unreadable" in file ? { problems: unreadableProblems(new Map([[path, file]])) } : expandPlan(path, file.bytes);
  if ("problems" in expanded) {
    tellProblems(io, expanded.problems);
    return refuse(io, exitCodes.usage, errorsIn(plan, standing));
  }
  const documents = new Map([...bytesOf(expanded)].map(([name, bytes]) => [`plans/${plan}/${name}`, bytes]));
  const other = [...standing.keys()].find(
    (own) => own !== path && isOfPlan(own, plan) && !isSame(standing, own, documents.get(own)),
  );
  if (other !== undefined)
    return refuse(io, exitCodes.usage, `${other} is there and would be lost. Move it away; nothing was written.`);
  const again = `stint plan split ${plan}`;
  const done = await handToCheckout(project, { plan, documents, replace: true, standing, again });
  if (!done.ok) return refuse(io, refusalCode(done.failure), done.failure.message);
  io.out(`Wrote plans/${plan}/ and removed ${path} (not committed).`);
  io.out(`It says the same, but is approved anew: \`stint approve ${plan}\`.`);
  return exitCodes.done;
}

/** A split that was killed has left some of the files; doing it again completes it. */
function isSame(files: PlanFiles, path: string, bytes: Uint8Array | undefined): boolean {
  const file = files.get(path);
  return file !== undefined && "bytes" in file && bytes !== undefined && Buffer.from(bytes).equals(file.bytes);
}
