import { Option, type Command } from "commander";
import { builtInAgents } from "../../config/defaults.ts";
import type { Io } from "../io.ts";

/** What is about this machine and about Stint itself. */
export function declareMachine(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
  program
    .command("doctor")
    .summary("say whether runs can work here: agents, logins, git, disk")
    .description(
      "Looks at the machine and asks each agent for its version and its login, with the environment a session would have.\nExit code 0 if all that is needed is there, 1 if something is missing (named, with the cure), 2 if the settings are wrong.",
    )
    .option("--json", "print {ok, findings: [{about, state, says, cure}], agents}")
    .action(async (options) => go((await import("../commands/doctor.ts")).doctor(io, options)));

  program
    .command("config")
    .summary("show the settings in effect and where each comes from")
    .description(
      [
        "Prints a line per setting: where it comes from (file:line, built in, found on",
        "PATH), its key, its value. .stint/config.yaml of the work tree wins over",
        "$XDG_CONFIG_HOME/stint/config.yaml, and that over what is built in. Values of",
        "variables and headers and the paths of URLs may be secrets and are not shown.",
        "",
        "A prompt is overridden by .stint/prompts/<name>.md (approved with the plan) or",
        "$XDG_CONFIG_HOME/stint/prompts/<name>.md (yours). To write one, begin with",
        "--dump-prompts, move the edited file there, and run `stint lint`.",
        "",
        "Exit code 2 if the settings have errors, or if a file to be written exists.",
      ].join("\n"),
    )
    .option("--json", "print an array of {key, value, origin}")
    .option("--dump-prompts <dir>", "write the built-in prompts there, with a comment on variables; overwrite nothing")
    .action(async (options) => go((await import("../commands/config.ts")).config(io, options)));

  program
    .command("gc")
    .summary("show what Stint keeps on the disk, and remove what no run needs")
    .description(
      [
        "Removes workspaces and rooms of runs that nobody drives, and results of set-up that were not used for 30 days. Work that is not saved yet is saved first, under refs/stint/rescue/ in .git/stint/control.git; what git cannot save stays, and so do attempts that are not over and what a person has taken. Journals, logs and agents' homes are never removed.",
        "Exit code 1 if something could not be removed.",
      ].join("\n"),
    )
    .option("--dry-run", "say what would be removed, and remove nothing")
    .option("--rescued", "remove the saved work of finished runs, too, for good")
    .option("--json", "print {freed, runs, setup, control, homes, strayRescued}")
    .action(async (options) => go((await import("../commands/gc.ts")).gc(io, options)));

  program
    .command("demo")
    .summary("watch a plan being executed, by a scripted agent or a real one, in a temporary folder")
    .description(
      [
        "Without --agent a script plays the agent: no key, no network. It errs, cheats,",
        "asks, conflicts with another and meets a usage limit, and the driver is killed.",
        "Exit code 1 if anything expected did not happen.",
        "",
        "With --agent the same plan is done by a real one, with the key of your environment",
        "or its login in the home that Stint keeps. The cost is capped and said before; on",
        "a terminal you are asked. Exit code 1 if it cannot work here (with the cure) or",
        "Stint did not keep its word, 3 if you say no, else that of `stint run`.",
      ].join("\n"),
    )
    .addOption(new Option("--agent <name>", "a real agent").choices(Object.keys(builtInAgents)))
    .action(async (options) => go((await import("../commands/demo.ts")).demo(io, options)));
}
