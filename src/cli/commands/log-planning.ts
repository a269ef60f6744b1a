import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes } from "../../engine/exit-code.ts";
import { isPlanningDriven, listPlanningSessions } from "../../planning/sessions-on-disk.ts";
import { planningPaths } from "../../project/paths.ts";
import { cliLimits } from "../limits.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { marked, type OutputStyle } from "../transcript/session-output.ts";
import { tellPlanning } from "../transcript/tell-planning.ts";
import { project } from "./select.ts";

/** How a planning session is shown. */
interface PlanningLog {
  readonly style: OutputStyle;
  readonly follow: boolean;
}

/** `stint log --planning`: shows what happened in a planning session, and what its agents said and did. */
export async function logPlanning(io: Io, wanted: string | true, { style, follow }: PlanningLog): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { paths } = opened.value;
  const id = listPlanningSessions(paths, wanted === true ? undefined : wanted).at(-1);
  if (id === undefined) {
    const of = wanted === true ? "" : ` of plan ${wanted}`;
    return refuse(io, exitCodes.usage, `no planning session${of} yet. Start one with \`stint plan\`.`);
  }
  const told = tellPlanning(planningPaths(paths, id), { events: style, sessions: marked(style, "  ") });
  const isGrowing = () => follow && !io.signal.aborted && isPlanningDriven(paths, id);
  while (isGrowing()) {
    told.readOn();
    await sleep(cliLimits.transcriptLookMs, undefined, { signal: io.signal }).catch(() => undefined);
  }
  told.end();
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.done;
}
