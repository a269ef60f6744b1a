import type { Command } from "commander";
import type { Io } from "../io.ts";

/** What leads to an approved plan. */
export function declarePlanning(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
  program
    .command("lint [plan]")
    .summary("say what is wrong with a plan, its rules and the settings, and what could be better")
    .description(
      "Reads plans/<plan>, .stint/rules.md, .stint/config.yaml and prompts, and prints file:line:column: error|warning: message,\nthen the plan's shape: waves, critical path and time by its estimates.\nExit code 2 on errors, 0 on warnings only.",
    )
    .option("--json", "print an array of {file, line, column, severity, code, message}")
    .action(async (plan, options) => go((await import("../commands/lint.ts")).lint(io, plan, options)));

  program
    .command("check [plan]")
    .summary("run every check of a plan on HEAD, as a run would")
    .description(
      "Runs each check of the plan in the work tree, in a fresh checkout of HEAD, and prints red, green or broken,\nwith what would help: the key to set, the program that is missing, the place of a set-up that fails.\nThe commands are run without an approval. Exit code 4 if one is broken (it cannot be run), else 0.",
    )
    .option("--json", "print an array of {task, label, state, why, tests, proof, cure}")
    .action(async (plan, options) => go((await import("../commands/check.ts")).check(io, plan, options)));

  program
    .command("approve [plan]")
    .summary("show every command a plan would run, and approve it")
    .description(
      "Shows what would be approved, or what changed since the last approval, and records its hash.\nOn a terminal it asks; without one it records at once.\nWhat is approved must be committed: --yes commits the plan, its rules and settings, and nothing else.",
    )
    .option("--yes", "ask nothing; commit the plan's files if they are not committed")
    .action(async (plan, options) => go((await import("../commands/approve.ts")).approve(io, plan, options)));
}
