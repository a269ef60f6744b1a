import { existsSync } from "node:fs";
import { openUserRepo } from "../git/user-repo.ts";
import { nextStep } from "./machine/next-step.ts";
import { openQuestions, type PlanningState } from "./machine/state.ts";
import { pathsOf, type Paths } from "../project/paths.ts";
import { isPlanningDriven, listPlannings, readPlanning } from "./sessions-on-disk.ts";

/** A planning that is not over. */
export interface UnfinishedPlanning {
  readonly plan: string;
  /** Whether it makes another version of a plan that is there. */
  readonly revises: boolean;
  /** What it waits for. */
  readonly waits: "process" | "answers" | "judgement" | "continue";
  /** How many answers it waits for. */
  readonly open: number;
}

/** The plannings that are not over, oldest first; read without taking part in them. */
export async function unfinishedPlannings({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<readonly UnfinishedPlanning[]> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return [];
  const paths = pathsOf(repo.value.commonDir, env);
  if (!existsSync(paths.plannings)) return [];
  return listPlannings(paths).flatMap((id) => {
    const read = readPlanning(paths, id);
    const state = read.ok ? read.value.state : undefined;
    return state === undefined || state.over !== null ? [] : [standing(paths, id, state)];
  });
}

function standing(paths: Paths, id: string, state: PlanningState): UnfinishedPlanning {
  const isDriven = isPlanningDriven(paths, id);
  const open = openQuestions(state).length;
  const step = nextStep(state).type;
  const waits = isDriven ? "process" : step === "ask" ? "answers" : step === "judge" ? "judgement" : "continue";
  return { plan: state.plan, revises: state.revises !== null, waits, open };
}
