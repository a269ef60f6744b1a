import { money } from "../../engine/budget.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import type { RunState } from "../../engine/state.ts";
import { driverOf } from "../../project/driver-lock.ts";
import type { Project } from "../../project/project.ts";
import { refuse, type Io } from "../io.ts";
import { deliver } from "./send.ts";

/** Raises the cap of a run that another process drives; undefined where none does, and the caller has to drive it. */
export async function raiseCap(
  io: Io,
  project: Project,
  { state, usd }: { readonly state: RunState; readonly usd: number },
): Promise<number | undefined> {
  const { run, plan } = state;
  const driver = driverOf(project.paths, plan);
  if (driver === null) return undefined;
  const sent = await deliver(io, { project, state }, { kind: "raise", budgetUsd: usd });
  if (!sent.ok) {
    const { code, message } = sent.failure;
    return refuse(io, code, code === exitCodes.usage ? `${message}; ${whenEnded(run, driver, usd)}` : message);
  }
  // It ended meanwhile, and the journal has the new cap for whoever drives the run next.
  if (sent.value.driver === null) return undefined;
  io.out(`The cap of run ${run} is ${money(usd)} USD now; process ${driver} continues with it.`);
  return exitCodes.done;
}

function whenEnded(run: string, driver: number, usd: number): string {
  return `process ${driver} is running run ${run}. To use this cap, stop it with \`stint stop --run ${run}\`, then \`stint resume ${run} --budget-usd ${usd}\`.`;
}
