import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Declare, Go } from "./declare.ts";
import { more, runCodes } from "./more.ts";
import { collect, positiveNumber, wholeNumber } from "./arguments.ts";

/** What drives agents. */
export const running: readonly Declare[] = [run, doGoal, resume];

function run(program: Command, io: Io, go: Go): void {
  const command = program
    .command("run [plans...]")
    .summary("execute approved plans, or go on with their unfinished runs")
    .description(
      "Drives agents through a plan's tasks. A task is done when its checks were red before and are green after, in a fresh checkout of the commit that lands on the run branch. Ctrl-C leaves everything resumable. Commits land on the branch stint/<plan>, the journal in .git/stint/runs; your checkout is never written.\nSeveral plans are looked at first (lint, approval, agents), then run one after the other, each on HEAD: one that waits for a person (3), is red (4) or cannot go on (1, 2) does not stop the next; the first code that is not 0 is the exit code.",
    )
    .option("--yes", "approve what lint accepts, then run")
    .option("--task <id>", "only this task and what it builds on; a later `stint run` goes on with the rest")
    .option("--parallel <number>", "lanes: sessions and verifications at a time", wholeNumber)
    .option("--dry-run", "say what would be done, and do nothing");
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          "stint run": "the only plan, or go on with its run",
          "stint run add-auth add-export": "a night of two plans",
          "stint run --parallel 8 --budget-usd 20": "more lanes, and a cap",
          "stint run --dry-run": "say what would be done",
        },
      }),
    )
    .action(async (plans, options) => go((await import("../commands/run.ts")).run(io, plans, options)));
}

function doGoal(program: Command, io: Io, go: Go): void {
  const command = program
    .command("do [goal]")
    .summary("do one thing: a goal in words, and the checks that prove it")
    .description(
      "A plan of one task, run at once with the guarantees of any run. Typing it is the approval. The plan is a commit on top of HEAD that only Stint and the branch of the run hold; your checkout, index and branches are not touched. The same words on the same HEAD go on with the same run.\nA goal that begins with a dash comes last, after --.",
    )
    .option("--check <command>", "one must fail now, all must pass then; may be given several times", collect)
    .option(
      "--files <glob...>",
      "what may be made, changed or deleted, from the repo's root; default: all that is not protected",
    );
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          'stint do "Greet people" --check "npm test"': "proven by the tests",
          'stint do "Greet" --check "npm test" --files "src/**"': "and only there",
        },
      }),
    )
    .action(async (goal, options) => go((await import("../commands/do.ts")).doGoal(io, goal, options)));
}

function resume(program: Command, io: Io, go: Go): void {
  const command = program
    .command("resume [run]")
    .summary("continue an unfinished run: after Ctrl-C, a crash, a limit")
    .description(
      "Takes up the named run, or the newest one of a plan still approved that has something left to do.\nA paused run that a process drives goes on there; with --budget-usd, the cap of a run that a process drives is raised there. The base is the one the run was started on; settings approved since then hold.",
    )
    .option("--all", "every run of a plan still approved that has something left to do, oldest first");
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          "stint resume": "the newest run that has something left to do",
          "stint resume --all": "of every plan the open run, oldest first",
          "stint resume --budget-usd 40": "raise the cap, under way or not, and go on",
        },
      }),
    )
    .action(async (run, options) => go((await import("../commands/resume.ts")).resume(io, run, options)));
}

/** The options of every command that drives agents. */
function driving(command: Command): Command {
  return command
    .option("--budget-usd <amount>", "end sessions and start none once this much is spent", positiveNumber)
    .option("--no-wait", "end with 75 at a usage limit instead of waiting for its reset")
    .option("--json", "print the journal's lines as they happen");
}
