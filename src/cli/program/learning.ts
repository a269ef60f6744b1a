import { Option, type Command } from "commander";
import { builtInAgents } from "../../config/defaults.ts";
import { nearest } from "../../plan/nearest.ts";
import type { Io } from "../io.ts";
import { type Declare, type Go, more, runCodes } from "./declare.ts";

/** The commands that show a newcomer around. */
export const learning: readonly Declare[] = [demo, help];

function demo(program: Command, io: Io, go: Go): void {
  program
    .command("demo")
    .summary("watch a plan being executed by a script or a real agent")
    .description(
      "Runs a plan on a small project in a temporary folder, which is kept afterwards. Without --agent a script plays the agent: no key, no network, no cost. It makes mistakes, cheats, asks questions, causes a conflict and hits a usage limit, and Stint itself is killed on the way.\nWith --agent a real agent executes the same plan, with the API key from your environment or the login stored in its Stint home. The cost is capped and shown first; on a terminal you are asked before it starts.",
    )
    .addOption(new Option("--agent <name>", "use a real agent").choices(Object.keys(builtInAgents)))
    .addOption(new Option("--short", "one task only, in a few seconds").conflicts("agent"))
    .option("--no-pause", "do not wait for Enter between chapters; without a terminal it never waits")
    .addHelpText(
      "after",
      more({
        codes: {
          ...runCodes,
          0: "everything happened as expected",
          1: "something did not happen as expected, or the agent does not work here",
          3: "you said no, or a task is blocked (real agent only)",
        },
        examples: {
          "stint demo": "a script plays the agent",
          "stint demo --short": "in seconds: an agent cheats and is caught",
          "stint demo --agent claude": "a real agent, with a cost cap",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/demo.ts")).demo(io, options)));
}

function help(program: Command): void {
  const command = (name: string) => known(program, name);
  program
    .command("help")
    .argument("[command]", "the command to explain; without one, all are listed", command)
    .summary("show what a command does, with exit codes and examples")
    .description("Prints the same as `stint <command> --help`. Neither reads nor writes anything.")
    .addHelpText(
      "after",
      more({
        codes: { 0: "shown", 2: "no such command; the closest one is suggested" },
        examples: { "stint help": "all commands", "stint help run": "one command" },
      }),
    )
    .action((shown: Command | undefined) => (shown ?? program).outputHelp());
}

function known(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const names = program.commands.map((command) => command.name());
  const meant = nearest(name, names);
  return program.error(`error: unknown command '${name}'${meant === undefined ? "" : `\n(Did you mean ${meant}?)`}`);
}
