import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Declare, Go } from "./declare.ts";
import { more, trouble } from "./more.ts";

/** What is about this machine and about Stint itself. */
export const machine: readonly Declare[] = [doctor, config, gc];

function doctor(program: Command, io: Io, go: Go): void {
  program
    .command("doctor")
    .summary("say whether runs can work here: agents, logins, git, disk")
    .description(
      "Looks at the machine and asks each agent for its version and its login, with the environment a session would have. Writes nothing into the repository.",
    )
    .option("--json", "print {ok, findings: [{about, state, says, cure}], agents}")
    .addHelpText(
      "after",
      more({
        codes: {
          0: "all that is needed is there",
          1: "something is missing; it is named, with the cure",
          2: "the settings are wrong; bad usage",
        },
        examples: {
          "stint doctor": "before the first run, and when one cannot begin",
          "stint doctor --json": "for a program",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/doctor.ts")).doctor(io, options)));
}

function config(program: Command, io: Io, go: Go): void {
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
      ].join("\n"),
    )
    .option("--json", "print an array of {key, value, origin}")
    .option("--dump-prompts <dir>", "write the built-in prompts there, with a comment on variables; overwrite nothing")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "shown, or written",
          2: "errors in the settings; a file to be written exists; bad usage",
        },
        examples: {
          "stint config": "a line per setting",
          "stint config --dump-prompts prompts": "begin to write your own",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/config.ts")).config(io, options)));
}

function gc(program: Command, io: Io, go: Go): void {
  program
    .command("gc")
    .summary("show what Stint keeps on the disk; remove what no run needs")
    .description(
      "Removes workspaces and rooms of runs that nobody drives, and results of set-up that were not used for 30 days. Work that is not saved yet is saved first, under refs/stint/rescue/ in .git/stint/control.git; what git cannot save stays, and so do attempts that are not over and what a person has taken. Journals, logs and agents' homes are never removed.",
    )
    .option("--dry-run", "say what would be removed, and remove nothing")
    .option("--rescued", "remove the saved work of finished runs, too, for good")
    .option("--json", "print {freed, runs, setup, control, homes, strayRescued}")
    .addHelpText(
      "after",
      more({
        codes: { 0: "done", 1: "something could not be removed, or no repository here", 2: "bad usage" },
        examples: { "stint gc --dry-run": "look first", "stint gc": "remove what no run needs" },
      }),
    )
    .action(async (options) => go((await import("../commands/gc.ts")).gc(io, options)));
}
