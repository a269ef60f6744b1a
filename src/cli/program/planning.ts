import type { Command } from "commander";
import type { Io } from "../io.ts";

/** What leads to an approved plan. */
export function declarePlanning(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
  program
    .command("init")
    .summary("write settings and rules that fit this repository")
    .description(
      [
        "Looks for projects (node, python, go, rust) at the root of the repository or one folder below, and writes",
        ".stint/config.yaml (set-up) and .stint/rules.md (checks after every task, protected files) with comments.",
        "Nothing is run, and no file that is there is overwritten. What may not fit is written as a comment.",
        "Exit code 0 if something was written or all is there; 2 if a link or the like is in the way; 1 outside a repository.",
      ].join("\n"),
    )
    .option(
      "--json",
      "print {root, kinds, written, kept, setup, checks, offered, hooks, protect, agents, notes, example}",
    )
    .action(async (options) => go((await import("../commands/init.ts")).init(io, options)));

  program
    .command("lint [plan]")
    .summary("say what is wrong with a plan, its rules and the settings")
    .description(
      "Reads plans/<plan>, .stint/rules.md, .stint/config.yaml and prompts, and prints file:line:column: error|warning: message.\nExit code 2 on errors, 0 on warnings only.",
    )
    .option("--json", "print an array of {file, line, column, severity, code, message}")
    .action(async (plan, options) => go((await import("../commands/lint.ts")).lint(io, plan, options)));

  program
    .command("check [plan]")
    .summary("run every check of a plan on HEAD, as a run would")
    .description(
      "Runs each check of the plan in the work tree, in a fresh checkout of HEAD, and prints red, green or broken.\nThe commands are run without an approval. Exit code 4 if one is broken (it cannot be run), else 0.",
    )
    .option("--json", "print an array of {task, label, state, why}")
    .action(async (plan, options) => go((await import("../commands/check.ts")).check(io, plan, options)));

  program
    .command("approve [plan]")
    .summary("show every command a plan would run, and approve it")
    .description(
      "Shows what changed since the last approval, all that would be approved, and what it may take, and records its hash.\nOn a terminal it asks; without one it records at once.\nWhat is approved must be committed: --yes commits the plan, its rules and settings, and nothing else.\nExit code 3 if a decision is open, or nobody agreed.",
    )
    .option("--yes", "ask nothing; commit the plan's files if they are not committed")
    .option(
      "--json",
      "print the page as data: {plan, hash, tasks, waves, commands, decisions, agents, estimate, cap, …}",
    )
    .action(async (plan, options) => go((await import("../commands/approve.ts")).approve(io, plan, options)));
}
