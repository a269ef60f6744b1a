#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { exitCodes } from "../engine/exit-code.ts";
import { messageOf, processIo, refuse, type Io } from "./io.ts";
import { declareLooking } from "./program/looking.ts";
import { declareMachine } from "./program/machine.ts";
import { declarePlanning } from "./program/planning.ts";
import { declareRunning } from "./program/running.ts";
import { declareTakingPart } from "./program/taking-part.ts";

/** Put in by the bundler from package.json. */
declare const STINT_VERSION: string;

/** Every command is a chunk of its own, loaded when it is called: `stint --help` reads none of them. */
function buildProgram(io: Io, end: (code: number) => void): Command {
  const program = new Command("stint")
    .description("Executes an approved plan with coding agents, one verified commit per task.")
    .version(STINT_VERSION, "-V, --version")
    .option("--no-color", "no colours; NO_COLOR in the environment means the same")
    .showHelpAfterError("(run with --help for usage)")
    .exitOverride();
  const go = (command: Promise<number>) => command.then(end);

  program.commandsGroup("Plan:");
  declarePlanning(program, io, go);
  program.commandsGroup("Run:");
  declareRunning(program, io, go);
  program.commandsGroup("Take part, from any terminal:");
  declareTakingPart(program, io, go);
  program.commandsGroup("Look:");
  declareLooking(program, io, go);
  program.commandsGroup("Machine:");
  declareMachine(program, io, go);
  return program;
}

/** The one owner of signals: the first asks for an orderly end, the second does not wait for it. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // A reader that has seen enough, such as `head`, or a lost terminal ends a run in order: nobody would see how it goes on.
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

async function main(): Promise<number> {
  const io = processIo(interruptSignal());
  let code: number = exitCodes.done;
  try {
    await buildProgram(io, (ended) => (code = ended)).parseAsync();
    return io.signal.aborted && code !== exitCodes.done ? exitCodes.interrupted : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (io.signal.aborted) return exitCodes.interrupted;
    return refuse(io, exitCodes.internal, messageOf(error));
  }
}

process.exitCode = await main();
