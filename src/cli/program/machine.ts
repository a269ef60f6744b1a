import type { Command } from "commander";
import type { Io } from "../io.ts";
import { type Declare, type Go, more, trouble } from "./declare.ts";

/** The commands about this machine and Stint itself. */
export const machine: readonly Declare[] = [doctor, login, config, gc];

function doctor(program: Command, io: Io, go: Go): void {
  program
    .command("doctor")
    .summary("check that runs can work here: agents, logins, git, disk")
    .description(
      "Inspects the machine and asks each agent for its version and login, in the environment it would have during a run. Writes nothing to the repository.",
    )
    .option("--json", "print {ok, findings: [{about, state, says, cure}], agents}")
    .addHelpText(
      "after",
      more({
        codes: {
          0: "everything needed is there",
          1: "something is missing; the output says what, and how to fix it",
          2: "errors in the settings; bad usage",
        },
        examples: {
          "stint doctor": "before the first run, or when a run does not start",
          "stint doctor --json": "for scripts",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/doctor.ts")).doctor(io, options)));
}

function login(program: Command, io: Io, go: Go): void {
  program
    .command("login")
    .summary("log an agent in for its sessions, with its own login")
    .description(
      "Runs the agent's own login in the home that Stint keeps for it; your own login stays as it is. Without an agent: those that roles use and that are not logged in. If you are logged in yourself, it offers to copy that login. At the end it asks the agent whether it is logged in now.",
    )
    .argument("[agent]", "an agent of the settings, such as claude")
    .argument("[args...]", "further arguments for the agent's own login, after --")
    .option("--use-existing", "copy your own login instead, without asking")
    .addHelpText(
      "after",
      more({
        codes: {
          0: "logged in",
          1: "still not logged in, or the agent's program is missing",
          2: "no terminal to log in with; no such agent; bad usage",
          3: "the program comes from the repository, and you did not let it run",
          130: "interrupted",
        },
        examples: {
          "stint login claude": "once, before the first run",
          "stint login codex --use-existing": "copy ~/.codex/auth.json",
          "stint login codex -- --device-auth": "without a browser here",
        },
      }),
    )
    .action(async (agent, args: readonly string[], options) =>
      go((await import("../commands/login.ts")).login(io, agent, { ...options, more: args })),
    );
}

function config(program: Command, io: Io, go: Go): void {
  program
    .command("config")
    .summary("show the settings in effect and where each comes from")
    .description(
      [
        "Prints a line per setting: where it comes from (file:line, built in, found on",
        "PATH), its key and its value. .stint/config.yaml in the work tree overrides",
        "$XDG_CONFIG_HOME/stint/config.yaml, which overrides the built-in defaults.",
        "Values of variables and headers and paths of URLs are hidden: they may be",
        "secrets.",
        "",
        "To override a prompt, put your own in .stint/prompts/<name>.md (approved with",
        "the plan) or $XDG_CONFIG_HOME/stint/prompts/<name>.md (for you only). Start",
        "from what --dump-prompts writes, and check the result with `stint lint`.",
      ].join("\n"),
    )
    .option("--json", "print an array of {key, value, origin}")
    .option(
      "--dump-prompts <dir>",
      "write the built-in prompts to a folder, with their variables explained; never overwrites",
    )
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "shown or written",
          2: "errors in the settings; a file already exists; bad usage",
        },
        examples: {
          "stint config": "a line per setting",
          "stint config --dump-prompts prompts": "a start for your own",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/config.ts")).config(io, options)));
}

function gc(program: Command, io: Io, go: Go): void {
  program
    .command("gc")
    .summary("show what Stint keeps on disk; remove what no run needs")
    .description(
      "Removes workspaces and clean checkouts of runs that are not in progress, and set-up results unused for 30 days. Unsaved work is saved first, under refs/stint/rescue/ in .git/stint/control.git; anything git cannot save stays, and so do unfinished attempts and tasks taken by hand. Journals, logs and agents' homes are never removed.",
    )
    .option("--dry-run", "show what would be removed, without removing it")
    .option("--rescued", "also remove, for good, the saved work of finished runs")
    .option("--json", "print {freed, runs, plannings, setup, control, homes, strayRescued}")
    .addHelpText(
      "after",
      more({
        codes: { 0: "done", 1: "not a git repository, or something could not be removed", 2: "bad usage" },
        examples: { "stint gc --dry-run": "look first", "stint gc": "remove what no run needs" },
      }),
    )
    .action(async (options) => go((await import("../commands/gc.ts")).gc(io, options)));
}
