import { existsSync } from "node:fs";
import { openUserRepo } from "../git/user-repo.ts";
import { nextStep } from "./machine/next-step.ts";
import { openQuestions, type PlanningState } from "./machine/state.ts";
import { pathsOf, type Paths } from "../project/paths.ts";
import { isPlanningDriven, listPlanningSessions, readPlanningSession } from "./sessions-on-disk.ts";

/** A planning session that is not over. */
export interface UnfinishedPlanningSession {
  readonly plan: string;
  /** Whether it revises an existing plan. */
  readonly revises: boolean;
  /** What it waits for. */
  readonly waits: "process" | "answers" | "judgement" | "continue";
  /** How many answers it waits for. */
  readonly open: number;
}

/** Lists the planning sessions that are not over, oldest first, without opening them. */
export async function unfinishedPlanningSessions({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<readonly UnfinishedPlanningSession[]> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return [];
  const paths = pathsOf(repo.value.commonDir, env);
  if (!existsSync(paths.planningSessions)) return [];
  return listPlanningSessions(paths).flatMap((id) => {
    const read = readPlanningSession(paths, id);
    const state = read.ok ? read.value.state : undefined;
    return state === undefined || state.over !== null ? [] : [describe(paths, id, state)];
  });
}

function describe(paths: Paths, id: string, state: PlanningState): UnfinishedPlanningSession {
  const isDriven = isPlanningDriven(paths, id);
  const open = openQuestions(state).length;
  const step = nextStep(state).type;
  const waits = isDriven ? "process" : step === "ask" ? "answers" : step === "review" ? "judgement" : "continue";
  return { plan: state.plan, revises: state.revises !== null, waits, open };
}
