import { Option, type Command } from "commander";
import { builtInAgents } from "../../config/defaults.ts";
import { nearest } from "../../plan/nearest.ts";
import type { Io } from "../io.ts";
import type { Declare, Go } from "./declare.ts";
import { more, runCodes } from "./more.ts";

/** What shows a newcomer around. */
export const learning: readonly Declare[] = [demo, help];

function demo(program: Command, io: Io, go: Go): void {
  program
    .command("demo")
    .summary("watch a plan being executed, by a script or a real agent")
    .description(
      "Works on a small project in a temporary folder, which is left there. Without --agent a script plays the agent: no key, no network, no cost. It errs, cheats, asks, conflicts with another and meets a usage limit, and the driver is killed.\nWith --agent the same plan is done by a real one, with the key of your environment or its login in the home that Stint keeps. The cost is capped and said before; on a terminal you are asked.",
    )
    .addOption(new Option("--agent <name>", "a real agent").choices(Object.keys(builtInAgents)))
    .addHelpText(
      "after",
      more({
        codes: {
          ...runCodes,
          0: "all that was expected happened",
          1: "something expected did not happen, or the agent cannot work here",
          3: "you said no, or a task of the real agent is blocked",
        },
        examples: { "stint demo": "a script plays the agent", "stint demo --agent claude": "a real one, capped" },
      }),
    )
    .action(async (options) => go((await import("../commands/demo.ts")).demo(io, options)));
}

function help(program: Command): void {
  const command = (name: string) => known(program, name);
  program
    .command("help")
    .argument("[command]", "the command to show; none: all of them", command)
    .summary("show what a command does, its exit codes and examples")
    .description("Prints the same as `stint <command> --help`. Reads nothing and writes nothing.")
    .addHelpText(
      "after",
      more({
        codes: { 0: "shown", 2: "there is no such command; the nearest is named" },
        examples: { "stint help": "all commands", "stint help run": "one of them" },
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
