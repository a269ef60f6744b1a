import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import { slugOf } from "../../plan/ids.ts";
import { oneFileOf, planPaths } from "../../plan/plan-folder.ts";
import { whyNotPlanName } from "../../plan/quick-plan.ts";
import { scaffold } from "../../plan/scaffold.ts";
import { handToCheckout } from "../../planning/hand-to-checkout.ts";
import { planNameIn, whyLeftOut } from "../../project/project.ts";
import { refusalCode } from "../../project/refusals.ts";
import { editorOf, openEditor } from "../dialog/edit.ts";
import { refuse, refuseWith, typedLine, type Io } from "../io.ts";
import { project } from "./select.ts";

/** `stint new`: writes a plan of one file for the person to fill in. */
export async function newPlan(io: Io, typed: string | undefined, options: { readonly edit?: true }): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { root } = opened.value.repo;
  const asked = typed ?? (io.interactive ? await typedLine("Name of the plan, such as add-login: ", io.signal) : "");
  const name = asked && planNameIn(asked, { root, cwd: io.cwd });
  const flaw = whyNotNew(root, name ?? "") ?? (await whyLeftOut(opened.value.repo, name));
  if (flaw !== undefined || name === undefined) return refuse(io, exitCodes.usage, flaw ?? noName);
  if (options.edit === true && editorOf(io.env) === undefined)
    return refuse(io, exitCodes.usage, "--edit needs an editor. Set one with `export EDITOR=…`, or leave --edit out.");
  const path = oneFileOf(name);
  const documents = new Map([[path, Buffer.from(scaffold(name))]]);
  const again = `stint new ${name}`;
  const written = await handToCheckout(opened.value, { plan: name, documents, replace: false, again });
  if (!written.ok) return refuse(io, refusalCode(written.failure), written.failure.message);
  io.out(`Wrote ${path} (not committed).`);
  const failed = options.edit === true ? await openEditor(io, { cwd: root, paths: [join(root, path)] }) : undefined;
  if (failed !== undefined) return refuse(io, exitCodes.internal, `The editor exited with ${failed}; ${path} stays.`);
  io.out(
    `${options.edit === true ? "" : "Fill it in. "}\`stint lint ${name}\` says what is missing, \`stint check ${name}\` runs its checks.`,
  );
  return exitCodes.done;
}

const noName = "name the plan: stint new add-login";

function whyNotNew(root: string, name: string): string | undefined {
  if (name === "") return noName;
  const unfit = whyNotPlanName(name);
  if (unfit !== undefined) {
    const slug = slugOf(name);
    const cure = slug !== name && whyNotPlanName(slug) === undefined ? ` As in: stint new ${slug}` : "";
    return `${unfit}.${cure}`;
  }
  const there = planPaths(name).find((path) => existsSync(join(root, path)));
  return there === undefined ? undefined : `${there} exists. Edit it, or choose another name.`;
}
