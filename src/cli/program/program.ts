import { Command } from "commander";
import type { Io } from "../io.ts";
import { declareLearning } from "./learning.ts";
import { declareLooking } from "./looking.ts";
import { declareMachine } from "./machine.ts";
import { declarePlanning } from "./planning.ts";
import { declareRunning } from "./running.ts";
import { declareTakingPart } from "./taking-part.ts";

export interface About {
  readonly version: string;
  /** Where the documents lie on this machine. */
  readonly docs: string;
}

/** Every command is a chunk of its own, loaded when it is called: `stint --help` reads none of them. */
export function buildProgram(io: Io, about: About, end: (code: number) => void): Command {
  const program = new Command("stint")
    .description("Executes an approved plan with coding agents, one verified commit per task.")
    .version(about.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .option("--no-color", "no colours; NO_COLOR in the environment means the same")
    .configureOutput({
      getOutHelpWidth: () => helpWidth(process.stdout.columns),
      getErrHelpWidth: () => helpWidth(process.stderr.columns),
      outputError: (text, write) => write(text.replace(/^error: /, "stint: ")),
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText("after", commonPath(about.docs))
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
  program.commandsGroup("Learn:");
  declareLearning(program, io, go);
  return program;
}

/** Longer lines are harder to read, and the sections written by hand are made for 80 columns. */
function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? 80, 80);
}

function commonPath(docs: string): string {
  return `
The common path:
  stint init        write settings and rules; it names an example of a plan
  stint lint        say what is wrong with plans/<plan>
  stint approve     read every command it would run, and agree
  stint run         execute it; Ctrl-C is safe, \`stint resume\` goes on
  stint status      see where it stands, from any terminal
  git merge stint/<plan>

\`stint <command> --help\` says what each reads and writes, its exit codes and
examples. Formats and reasons: ${docs}`;
}
