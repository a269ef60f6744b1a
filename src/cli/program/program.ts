import { Command } from "commander";
import type { Io } from "../io.ts";
import type { Declare } from "./declare.ts";
import { learning } from "./learning.ts";
import { inspecting } from "./inspecting.ts";
import { machine } from "./machine.ts";
import { planning } from "./planning.ts";
import { running } from "./running.ts";
import { steering } from "./steering.ts";

/** What the help says about this copy of Stint. */
export interface About {
  readonly version: string;
  /** The folder of the documentation on this machine. */
  readonly docs: string;
}

/** Every command is a chunk of its own, loaded when it is called: `stint --help` reads none of them. */
export function buildProgram(io: Io, about: About, end: (code: number) => void): Command {
  const program = new Command("stint")
    .description("Executes an approved plan with coding agents, one verified commit per task.")
    .version(about.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .option("--no-color", "no colours; setting NO_COLOR does the same")
    .configureOutput({
      getOutHelpWidth: () => helpWidth(process.stdout.columns),
      getErrHelpWidth: () => helpWidth(process.stderr.columns),
      outputError: (text, write) => write(saidOf(text)),
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText("after", commonPath(about.docs))
    .exitOverride();
  const go = (command: Promise<number>) => command.then(end);
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const declare of commands) declare(program, io, go);
  }
  return program;
}

/** A goal without quotes is the likeliest mistake of a newcomer. */
function saidOf(text: string): string {
  const [, goal] = /^error: too many arguments for '(plan|do)'/.exec(text) ?? [];
  const quotes = goal === undefined ? "" : `stint: put the goal in quotes: stint ${goal} "Add a login page"\n`;
  return quotes === "" ? text.replace(/^error: /, "stint: ") : quotes;
}

const groups: Readonly<Record<string, readonly Declare[]>> = {
  "Plan:": planning,
  "Run:": running,
  "Steer a run, from any terminal:": steering,
  "Inspect:": inspecting,
  "Machine:": machine,
  "Learn:": learning,
};

/** Longer lines are harder to read, and the sections written by hand are made for 80 columns. */
function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? 80, 80);
}

function commonPath(docs: string): string {
  return `
Typical workflow:
  stint init        write settings and rules; points to an example plan
  stint plan "…"    draft a plan for a goal; it asks you questions
                    (or write it yourself: stint new <name>)
  stint lint        find errors in the plan
  stint approve     read every command it would run, and approve
  stint run         execute it; Ctrl-C is safe, \`stint resume\` picks it up
  stint status      see how it is going, from any terminal
  git merge stint/<plan>

\`stint <command> --help\` shows what a command reads and writes, its exit
codes and examples. Documentation: ${docs}`;
}
