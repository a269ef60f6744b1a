import type { Command } from "commander";
import { cliLimits } from "../limits.ts";
import { planningLimits } from "../../planning/limits.ts";
import type { Io } from "../io.ts";
import { wholeNumberTo } from "./arguments.ts";
import type { Declare, Go } from "./declare.ts";
import { more, trouble } from "./more.ts";

/** What only looks: at a run, or at the code. */
export const looking: readonly Declare[] = [status, log, report, map];

function status(program: Command, io: Io, go: Go): void {
  program
    .command("status [run]")
    .summary("show where a run stands, or watch it")
    .description(
      "Reads the journal of the newest run, or of the named one, without taking part in it.\n[ ] waits (and for whom), [>] is worked on, [~] is verified, [?] asks, [h] is in a person's hands, [x] has landed, [=] was green before any work, [!] is blocked.",
    )
    .option("--watch", "show how it goes on, until it ends or q; without a terminal, a line for each event")
    .option(
      "--json",
      "print {run, plan, state, reason, branch, tip, published, pushed, tasks, questions, flaky, cost, cost_by_role, budget}",
    )
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "shown", 2: "no such run, or none yet; bad usage" },
        examples: { "stint status": "the newest run", "stint status --json": "for a program" },
      }),
    )
    .action(async (run, options) => go((await import("../commands/status.ts")).status(io, run, options)));
}

function log(program: Command, io: Io, go: Go): void {
  program
    .command("log [task]")
    .summary("show what happened, with the evidence of each verdict")
    .description(
      "Reads the journal of the newest run and shows its events, or those of one task, with violations and the output of red checks.",
    )
    .option("--run <run>", "another run than the newest")
    .option("--json", "print the journal's lines")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "shown", 2: "no such task or run; bad usage" },
        examples: {
          "stint log": "the newest run",
          "stint log 03-routes": "one task, with the evidence",
          "stint log --json": "the lines of the journal",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/log.ts")).log(io, task, options)));
}

function report(program: Command, io: Io, go: Go): void {
  program
    .command("report [run]")
    .summary("tell what a run did, what needs you, and how to take it over")
    .description(
      "Makes the report of the newest run, or the named one, anew from its journal: the verdict, what needs a person, each task with its proof and its failed attempts, waits, cost, and commands to look, merge, sign and undo. Prints it and writes report.md with timeline.svg into the run's folder. A run leaves them there by itself when it ends.",
    )
    .option("--json", "print all that the report tells as one JSON object")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "printed", 2: "no such run; bad usage" },
        examples: { "stint report": "the newest run", "stint report --json": "for a program" },
      }),
    )
    .action(async (run, options) => go((await import("../commands/report.ts")).report(io, run, options)));
}

function map(program: Command, io: Io, go: Go): void {
  program
    .command("map")
    .summary("show what the code defines, the most used first, on a few pages")
    .description(
      "Reads the files of HEAD, as they are committed, and prints the definitions that most others refer to, and those that the goal names, within a number of tokens of four bytes each. It is what a planner gets. Code of others and code that tools made comes last. What was read is kept, so that the next map is fast.",
    )
    .option(
      "--tokens <n>",
      "the most it may take",
      wholeNumberTo(cliLimits.mapTokensMax),
      planningLimits.mapTokensDefault,
    )
    .option("--goal <words>", "what it is for: files and names with these words come first")
    .option("--json", "print {commit, files, filesInAll, symbols, tokens, text}")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "printed" },
        examples: {
          "stint map": "the repository on a few pages",
          'stint map --tokens 8000 --goal "add a login"': "for one piece of work",
          "stint map --json": "for a program",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/map.ts")).map(io, options)));
}
