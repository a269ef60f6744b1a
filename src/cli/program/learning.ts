import type { Command } from "commander";
import { nearest } from "../../plan/nearest.ts";
import type { Io } from "../io.ts";
import { more } from "./more.ts";

/** What shows a newcomer around. */
export function declareLearning(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
  program
    .command("demo")
    .summary("watch a scripted agent execute a plan in a temporary folder")
    .description(
      "Makes a small repository with a plan in a temporary folder, approves the plan and runs it with a scripted agent: no login, no network, no cost. Nothing else is written; it prints where the folder is.",
    )
    .addHelpText(
      "after",
      more({
        codes: { 0: "the plan is done", 1: "the machine does not let it: the cure is named" },
        examples: { "stint demo": "a plan of five tasks, with a refusal on the way" },
      }),
    )
    .action(async () => go((await import("../commands/demo.ts")).demo(io)));

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
