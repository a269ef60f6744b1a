import { hasLanded, type RunState } from "../../engine/state.ts";
import { diffText } from "../../git/diff.ts";
import { readRef } from "../../git/refs.ts";
import { runLimits } from "../limits.ts";
import { planDocuments } from "../../plan/one-file.ts";
import { tickExactly } from "../../plan/tick.ts";
import type { Plan, PlanFiles } from "../../plan/types.ts";
import type { Standing } from "../../planning/machine/revise.ts";
import type { RevisionBriefing } from "../../planning/machine/revise.ts";
import { doneText, evidenceText, type Evidence } from "../../report/revision-evidence.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { rescueRef } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";

/** The plan in force in a run, with its boxes ticked as the journal says: it may not have landed anywhere yet. */
export function standingOf(
  { tasks }: Pick<RunState, "tasks">,
  { plan, files }: { readonly plan: Plan; readonly files: PlanFiles },
): Standing {
  const all = [...tasks.values()];
  const done = new Set(
    all.filter((task) => hasLanded(task) || task.phase === "integrating").map(({ spec }) => spec.id),
  );
  const path = plan.file;
  const planMd = files.get(path);
  const ticked = planMd !== undefined && "bytes" in planMd ? tickExactly(planMd.bytes, done, path) : undefined;
  return {
    plan,
    files: ticked?.ok === true ? new Map([...files, [path, { ...planMd, bytes: ticked.value }]]) : files,
    done,
  };
}

/** Collects what a planner needs to revise a run's plan: the plan, what is done, and why the rest failed. */
export async function revisionBriefing(
  project: Project,
  run: { readonly state: RunState; readonly entries: readonly RunEntry[] },
  { standing, asking }: { readonly standing: Standing; readonly asking: readonly Omit<Evidence, "work">[] },
): Promise<RevisionBriefing> {
  const { state, entries } = run;
  const evidence: Evidence[] = [];
  for (const { task, why } of asking) evidence.push({ task, why, work: await workOf(project, state, task) });
  return {
    plan: documentsOf(standing),
    done: doneText(state),
    evidence: evidenceText(state, entries, evidence),
  };
}

/** The plan's documents by their name inside its folder, which a plan of one file gets with its first revision. Inputs are left out: the planner finds them in its clone. */
export function documentsOf({ plan: { name: plan }, files }: Standing): Map<string, Uint8Array> {
  return new Map([...planDocuments(files, plan)].filter(([name]) => !name.startsWith("inputs/")));
}

/** What the last attempt of a task changed, as far as it was saved. */
async function workOf({ control }: Project, { run, tasks }: RunState, id: string): Promise<Evidence["work"]> {
  const attempt = tasks.get(id)?.attempt ?? null;
  if (attempt === null) return null;
  const commit = await readRef(control, rescueRef(run, { task: id, attempt: attempt.number }));
  if (commit === null) return null;
  const work = await diffText(control, { from: attempt.base, to: commit }, runLimits.revisionWorkBytesMax);
  return work.text.trim() === "" ? null : work;
}
