import { CommanderError } from "commander";
import { exitCodes } from "../engine/exit-code.ts";
import { processIo, refuse } from "./io.ts";
import { messageOf } from "../base/result.ts";
import { buildProgram } from "./program/program.ts";
import { forgiveLostTerminals } from "./terminal.ts";

/** The bundler fills this in from package.json. */
declare const STINT_VERSION: string;

/** Runs the command line of this process and returns its exit code. */
export async function main(docs: string): Promise<number> {
  const cwd = currentFolder();
  if (cwd === undefined) {
    process.stderr.write("stint: the current folder no longer exists. Change to another one, then try again.\n");
    return exitCodes.internal;
  }
  forgiveLostTerminals();
  const io = processIo(cwd, interruptSignal());
  let code: number = exitCodes.done;
  try {
    await buildProgram(io, { version: STINT_VERSION, docs }, (ended) => (code = ended)).parseAsync();
    return io.signal.aborted && code !== exitCodes.done ? exitCodes.interrupted : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (io.signal.aborted) return exitCodes.interrupted;
    return refuse(io, exitCodes.internal, messageOf(error));
  }
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** The only place that handles signals: the first asks for a clean end, the second does not wait for it. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // A reader that has seen enough, such as `head`, or a lost terminal stops a run cleanly: nobody would see the rest.
  process.stdout.on("error", () => controller.abort());
  process.stderr.on("error", () => undefined);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort();
    });
  }
  return controller.signal;
}
