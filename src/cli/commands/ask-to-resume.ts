import { exitCodes } from "../../engine/exit-code.ts";
import type { RunState } from "../../engine/state.ts";
import { addressOf, sendCommand } from "../../run/commands/send-command.ts";
import { driverOf } from "../../project/driver-lock.ts";
import type { Project } from "../../project/project.ts";
import { refuse, type Io } from "../io.ts";

/** A paused run has a driver that only waits to be resumed. Undefined where it has none: then the caller has to drive it. */
export async function askToResume(io: Io, project: Project, state: RunState): Promise<number | undefined> {
  const driver = driverOf(project.paths, state.plan);
  if (!state.paused || driver === null) return undefined;
  const sent = await sendCommand(addressOf(project, state), { request: { kind: "resume" }, signal: io.signal });
  if (sent.kind === "not-accepted") return refuse(io, exitCodes.internal, `not accepted: ${sent.why}`);
  if (sent.kind === "ignored") return undefined;
  io.out(`Run ${state.run} resumed in process ${driver}.`);
  return exitCodes.done;
}
