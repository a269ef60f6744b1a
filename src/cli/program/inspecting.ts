import type { Command } from "commander";
import { planningLimits } from "../../planning/limits.ts";
import { cliLimits } from "../limits.ts";
import type { Io } from "../io.ts";
import { wholeNumberTo, type Declare, type Go, more, trouble } from "./declare.ts";

/** The commands that only look, at a run or at the code. */
export const inspecting: readonly Declare[] = [status, log, report, map];

function status(program: Command, io: Io, go: Go): void {
  program
    .command("status [run]")
    .summary("show the state of a run, or watch it live")
    .description(
      "Reads the journal of the latest run, or of the given one, and changes nothing.\n[ ] waiting (and for what), [>] in progress, [~] being verified, [?] asking you, [h] taken by hand, [x] integrated, [=] passed before any work, [!] blocked.",
    )
    .option("--watch", "follow the run until it ends or you press q; without a terminal, print a line per event")
    .option(
      "--json",
      "print {run, name, plan, state, reason, until, branch, tip, published, merged, pushed, tasks, questions, flaky, cost, cost_by_role, budget}",
    )
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "shown", 2: "no such run, or no run yet; bad usage" },
        examples: {
          "stint status": "the latest run",
          "stint status invoices#3": "the third run of a plan",
          "stint status --json": "for scripts",
        },
      }),
    )
    .action(async (run, options) => go((await import("../commands/status.ts")).status(io, run, options)));
}

function log(program: Command, io: Io, go: Go): void {
  program
    .command("log [task]")
    .summary("show what happened, and what agents said and did")
    .description(
      "Prints the events of the latest run, with rule violations and the output of failed checks. With a task: its events and, in between, the transcript of each of its sessions: what the agent said, its tool calls with their output folded, its edits as diffs; those of judges and planners, too.",
    )
    .option("--follow", "keep printing until the task or the run ends; without a task, all sessions at once")
    .option("--raw", "the output of the task's agents as they wrote it, and nothing else")
    .option("--run <run>", "a run other than the latest: invoices#3, invoices (its latest)")
    .option("--planning [plan]", "the latest planning session (of the plan), instead of a run")
    .option("--json", "print the lines of the journal")
    .addHelpText(
      "after",
      more({
        codes: {
          ...trouble,
          0: "shown",
          2: "no such task, run or planning session; bad usage",
          130: "interrupted while following",
        },
        examples: {
          "stint log": "the events of the latest run",
          "stint log 03-routes": "one task, with what its agents said and did",
          "stint log 03-routes --follow": "the same, live",
          "stint log --planning": "what the planner said and did",
          "stint log --json": "the journal itself",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/log.ts")).log(io, task, options)));
}

function report(program: Command, io: Io, go: Go): void {
  program
    .command("report [run]")
    .summary("summarise a run: results, what needs you, how to merge")
    .description(
      "Rebuilds the report of the latest run, or of the given one, from its journal: the verdict, what needs you, each task with its proof and its failed attempts, waiting times, cost, and the commands to inspect, merge, sign and undo. Prints it and writes report.md and timeline.svg to the run's folder, as every run does when it ends.",
    )
    .option("--json", "print the whole report as one JSON object")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "printed", 2: "no such run; bad usage" },
        examples: {
          "stint report": "the latest run",
          "stint report invoices": "the latest run of a plan",
          "stint report --json": "for scripts",
        },
      }),
    )
    .action(async (run, options) => go((await import("../commands/report.ts")).report(io, run, options)));
}

function map(program: Command, io: Io, go: Go): void {
  program
    .command("map")
    .summary("outline the code: its most used definitions, on a few pages")
    .description(
      "Reads the files committed at HEAD and prints the definitions that are referred to most, and those the goal mentions, within a token budget (four bytes per token). This is what a planner sees. Third-party and generated code comes last. Results are cached, so the next map is fast.",
    )
    .option("--tokens <n>", "token budget", wholeNumberTo(cliLimits.mapTokensMax), planningLimits.mapTokensDefault)
    .option("--goal <words>", "what the map is for: files and names with these words come first")
    .option("--json", "print {commit, files, filesInAll, symbols, tokens, text}")
    .addHelpText(
      "after",
      more({
        codes: { ...trouble, 0: "printed" },
        examples: {
          "stint map": "the repository on a few pages",
          'stint map --tokens 8000 --goal "add a login"': "for one piece of work",
          "stint map --json": "for scripts",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/map.ts")).map(io, options)));
}
