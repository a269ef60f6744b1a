import type { Command } from "commander";
import type { Io } from "../io.ts";
import { type Declare, type Go, more, runCodes, collect, positiveNumber, wholeNumberTo } from "./declare.ts";

/** The commands that drive agents. */
export const running: readonly Declare[] = [run, doGoal, resume];

function run(program: Command, io: Io, go: Go): void {
  const command = program
    .command("run [plans...]")
    .summary("execute approved plans, or resume their unfinished runs")
    .description(
      "Drives agents through a plan's tasks. A task is done when its checks failed before the work and pass after it, in a fresh checkout of the commit that lands on the run's branch. Ctrl-C is safe: everything can be resumed. Commits land on the branch stint/<plan>, the journal in .git/stint/runs; your checkout is never touched.\nSeveral plans are all examined first (lint, approval, agents), then run one after the other, each from HEAD. A plan that needs you (3), fails a check (4) or cannot run (1, 2) does not stop the next one; the exit code is the first that is not 0.",
    )
    .option("--yes", "approve any plan without lint errors, then run it")
    .option("--task <id>", "only this task and those it depends on; a later `stint run` does the rest")
    .option("--parallel <number>", "how many agents and verifications run in parallel", wholeNumberTo(9_999))
    .option("--dry-run", "show what would be done, without doing it; with --json, as `stint approve --json` does");
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          "stint run": "the only plan, or resume its run",
          "stint run add-auth add-export": "two plans, overnight",
          "stint run --parallel 8 --budget-usd 20": "more in parallel, with a cost cap",
          "stint run --dry-run": "show what would be done",
        },
      }),
    )
    .action(async (plans, options) => go((await import("../commands/run.ts")).run(io, plans, options)));
}

function doGoal(program: Command, io: Io, go: Go): void {
  const command = program
    .command("do [goal]")
    .summary("do one small thing: a goal, and the checks that prove it")
    .description(
      "Makes a plan with one task and runs it at once, with the same guarantees as any run. Running this command counts as approval. The plan is kept in the run's folder, not in a commit; the work lands on the run's branch, and your checkout, index and other branches are not touched. The same command on the same HEAD resumes the same run.\nA goal that starts with a dash comes last, after --.",
    )
    .option("--check <command>", "repeatable; at least one must fail before the work; all must pass after it", collect)
    .option(
      "--files <glob...>",
      "files it may create, change or delete, relative to the repository root (default: all but protected ones)",
    );
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          'stint do "Greet people" --check "./greet | grep Hello"': "proven by its output",
          'stint do "Fix it" --check "npm test" --files "src/**"': "the tests fail now",
        },
      }),
    )
    .action(async (goal, options) => go((await import("../commands/do.ts")).doGoal(io, goal, options)));
}

function resume(program: Command, io: Io, go: Go): void {
  const command = program
    .command("resume [run]")
    .summary("resume an unfinished run: after Ctrl-C, a crash, a limit")
    .description(
      "Resumes the given run, or the latest unfinished run of a plan that is still approved.\nA paused run resumes in the process that is running it; --budget-usd also raises the cap of a run in progress. The base stays the commit the run was started from; settings approved since then apply.",
    )
    .option("--all", "every unfinished run of a plan that is still approved, oldest first");
  driving(command)
    .addHelpText(
      "after",
      more({
        codes: runCodes,
        examples: {
          "stint resume": "the latest unfinished run",
          "stint resume invoices#3": "the third run of a plan",
          "stint resume --all": "every unfinished run, oldest first",
          "stint resume --budget-usd 40": "raise the cap (even while it runs) and resume",
        },
      }),
    )
    .action(async (run, options) => go((await import("../commands/resume.ts")).resume(io, run, options)));
}

/** Adds the options of every command that drives agents. */
function driving(command: Command): Command {
  return command
    .option("--budget-usd <amount>", "stop agents and start no more once this much is spent", positiveNumber)
    .option("--no-wait", "exit with 75 at a usage limit instead of waiting for the reset")
    .option("--verbose", "print what agents say and do, as lines instead of the live view")
    .option("--json", "print the lines of the journal as they happen");
}
