#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { exitCodes } from "../engine/exit-code.ts";
import { messageOf, processIo, refuse, type Io } from "./io.ts";

/** Put in by the bundler from package.json. */
declare const STINT_VERSION: string;

const fromAnywhere = [
  "Works from any terminal, whether or not a process drives the run.",
  "Exit code 0 accepted, 2 refused with the reason, 1 not accepted within 10 s;",
  "what is not accepted is not obeyed later.",
];
const whichRun = "which run, where several plans have an unfinished one";

/** Every command is a chunk of its own, loaded when it is called: `stint --help` reads none of them. */
function buildProgram(io: Io, end: (code: number) => void): Command {
  const program = new Command("stint")
    .description("Executes an approved plan with coding agents, one verified commit per task.")
    .version(STINT_VERSION, "-V, --version")
    .showHelpAfterError("(run with --help for usage)")
    .exitOverride();
  const go = (command: Promise<number>) => command.then(end);

  program
    .command("lint [plan]")
    .summary("say what is wrong with a plan, its rules and the settings")
    .description(
      "Reads plans/<plan>, .stint/rules.md, .stint/config.yaml and prompts, and prints file:line:column: error|warning: message.\nExit code 2 on errors, 0 on warnings only.",
    )
    .option("--json", "print an array of {file, line, column, severity, code, message}")
    .action(async (plan, options) => go((await import("./commands/lint.ts")).lint(io, plan, options)));

  program
    .command("check [plan]")
    .summary("run every check of a plan on HEAD, as a run would")
    .description(
      "Runs each check of the plan in the work tree, in a fresh checkout of HEAD, and prints red, green or broken.\nThe commands are run without an approval. Exit code 4 if one is broken (it cannot be run), else 0.",
    )
    .option("--json", "print an array of {task, label, state, why}")
    .action(async (plan, options) => go((await import("./commands/check.ts")).check(io, plan, options)));

  program
    .command("approve [plan]")
    .summary("show every command a plan would run, and approve it")
    .description(
      "Shows what would be approved, or what changed since the last approval, and records its hash.\nOn a terminal it asks; without one it records at once.\nWhat is approved must be committed: --yes commits the plan, its rules and settings, and nothing else.",
    )
    .option("--yes", "ask nothing; commit the plan's files if they are not committed")
    .action(async (plan, options) => go((await import("./commands/approve.ts")).approve(io, plan, options)));

  program
    .command("run [plans...]")
    .summary("execute approved plans in order, or continue their unfinished runs")
    .description(
      "Drives agents through a plan's tasks. A task is done when its checks were red before and are green after, in a fresh checkout of the commit that lands on the run branch. Ctrl-C leaves everything resumable.\nSeveral plans are looked at first (lint, approval, agents), then run one after the other, each on HEAD: one that waits for a person (3), is red (4) or cannot go on (1, 2) does not stop the next; the first code that is not 0 is the exit code.",
    )
    .option("--yes", "approve what lint accepts, then run")
    .option("--task <id>", "only this task and what it builds on; a later `stint run` goes on with the rest")
    .option("--parallel <number>", "lanes: sessions and verifications at a time", wholeNumber)
    .option("--dry-run", "say what would be done, and do nothing")
    .option("--budget-usd <amount>", "end sessions and start none once this much is spent", positiveNumber)
    .option("--no-wait", "end with 75 at a usage limit instead of waiting for its reset")
    .option("--json", "print the journal's lines as they happen")
    .action(async (plans, options) => go((await import("./commands/run.ts")).run(io, plans, options)));

  program
    .command("do [goal]")
    .summary("do one thing: a goal in words, and the checks that prove it")
    .description(
      'A plan of one task, run at once with the guarantees of any run: stint do "Greet people" --check "npm test".\nTyping it is the approval. The plan is a commit on top of HEAD that only Stint and the branch of the run hold; your checkout, index and branches are not touched. The same words on the same HEAD go on with the same run.\nA goal that begins with a dash comes last, after --.',
    )
    .option("--check <command>", "one must fail now, all must pass then; may be given several times", collect)
    .option(
      "--files <glob...>",
      "what may be made, changed or deleted, from the repo's root; default: all that is not protected",
    )
    .option("--budget-usd <amount>", "end sessions and start none once this much is spent", positiveNumber)
    .option("--no-wait", "end with 75 at a usage limit instead of waiting for its reset")
    .option("--json", "print the journal's lines as they happen")
    .action(async (goal, options) => go((await import("./commands/do.ts")).doGoal(io, goal, options)));

  program
    .command("resume [run]")
    .summary("continue an unfinished run: after Ctrl-C, a crash, a limit")
    .description(
      "Takes up the named run, or the newest one of a plan still approved that has something left to do.\nA paused run that a process drives goes on there. The base is the one the run was started on; settings approved since then hold. Exit codes as of `stint run`.",
    )
    .option("--all", "every run of a plan still approved that has something left to do, oldest first")
    .option("--budget-usd <amount>", "end sessions and start none once this much is spent", positiveNumber)
    .option("--no-wait", "end with 75 at a usage limit instead of waiting for its reset")
    .option("--json", "print the journal's lines as they happen")
    .action(async (run, options) => go((await import("./commands/resume.ts")).resume(io, run, options)));

  program
    .command("pause")
    .summary("let nothing go on in a run until `stint resume`")
    .description(
      [
        "Ends sessions and checks under way, which costs no attempt, and starts none.",
        "A process that drives the run stays and waits: `stint resume` in any terminal",
        "makes it go on.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .action(async (options) => go((await import("./commands/pause.ts")).pause(io, options)));

  program
    .command("stop")
    .summary("end the process that drives a run, as Ctrl-C there would")
    .description(
      [
        "Ends sessions and checks under way, which costs no attempt; the driver ends",
        "with 130. Everything is resumable.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .action(async (options) => go((await import("./commands/stop.ts")).stop(io, options)));

  program
    .command("requeue <task>")
    .summary("give a blocked task new attempts, or one taken by hand back to agents")
    .description(
      [
        "All attempts of the task count from zero again. A task that was taken by hand",
        "goes back to agents.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .action(async (task, options) => go((await import("./commands/requeue.ts")).requeue(io, task, options)));

  program
    .command("answer <question> <text>")
    .summary("answer an open question, so that its task goes on")
    .description(
      [
        "`stint status` shows open questions with their ids and what to type. A request",
        "for files is answered by grant or refuse; what blocks a task, whose id is that",
        "of its question, in your own words, which its next agent is told.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .action(async (question, text, options) =>
      go((await import("./commands/answer.ts")).answer(io, { question, text }, options)),
    );

  program
    .command("take <task>")
    .summary("do a task by hand, in the workspace an agent would have had")
    .description(
      "Prints the path of a clone of the run's tip, set up, after the task's checks were red there; agents leave the task alone. Where no run is under way, one begins that starts no agent. Taken again, it is the same workspace; after a conflict a fresh one.\nExit code 0 when the workspace is there, 2 if the task cannot be taken now, 3 if it is satisfied already or the run is paused, 4 if its check is broken.",
    )
    .option("--run <run>", whichRun)
    .option("--plan <plan>", "which plan, where there are several")
    .action(async (task, options) => go((await import("./commands/take.ts")).take(io, task, options)));

  program
    .command("submit <task>")
    .summary("hand in a task done by hand: it is verified and integrated like any other")
    .description(
      "What the files of the workspace say counts, committed or not; guards and checks are those of every task.\nExit code 0 integrated; 3 refused or in conflict with what landed, with the evidence and the cure: the workspace stays, hand in again; 2 if the task is not in your hands.",
    )
    .option("--run <run>", whichRun)
    .action(async (task, options) => go((await import("./commands/submit.ts")).submit(io, task, options)));

  program
    .command("status [run]")
    .summary("show where a run stands")
    .description(
      "Reads the newest run, or the named one, without taking part in it.\n[ ] waits (and for whom), [>] is worked on, [~] is verified, [?] asks, [h] is in a person's hands, [x] has landed, [=] was green before any work, [!] is blocked.",
    )
    .option(
      "--json",
      "print {run, plan, state, reason, branch, tip, published, pushed, tasks, questions, flaky, cost, cost_by_role, budget}",
    )
    .action(async (run, options) => go((await import("./commands/status.ts")).status(io, run, options)));

  program
    .command("log [task]")
    .summary("show what happened, with the evidence of each verdict")
    .description(
      "Shows the events of the newest run, or those of one task, with violations and the output of red checks.",
    )
    .option("--run <run>", "another run than the newest")
    .option("--json", "print the journal's lines")
    .action(async (task, options) => go((await import("./commands/log.ts")).log(io, task, options)));

  program
    .command("doctor")
    .summary("say whether runs can work here: agents, logins, git, disk")
    .description(
      "Looks at the machine and asks each agent for its version and its login, with the environment a session would have.\nExit code 0 if all that is needed is there, 1 if something is missing (named, with the cure), 2 if the settings are wrong.",
    )
    .option("--json", "print {ok, findings: [{about, state, says, cure}], agents}")
    .action(async (options) => go((await import("./commands/doctor.ts")).doctor(io, options)));

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
    .action(async (options) => go((await import("./commands/config.ts")).config(io, options)));

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
    .action(async (options) => go((await import("./commands/gc.ts")).gc(io, options)));

  program
    .command("demo")
    .summary("watch a plan being executed by a scripted agent, in a temporary folder")
    .action(async () => go((await import("./commands/demo.ts")).demo(io)));

  return program;
}

/** For an option that may stand several times. */
function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

/** The one owner of signals: the first asks for an orderly end, the second does not wait for it. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // A reader that has seen enough, such as `head`, or a lost terminal ends a run in order: nobody would see how it goes on.
  process.stdout.on("error", () => controller.abort());
  process.stderr.on("error", () => undefined);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort();
    });
  }
  return controller.signal;
}

async function main(): Promise<number> {
  const io = processIo(interruptSignal());
  let code: number = exitCodes.done;
  try {
    await buildProgram(io, (ended) => (code = ended)).parseAsync();
    return io.signal.aborted && code !== exitCodes.done ? exitCodes.interrupted : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (io.signal.aborted) return exitCodes.interrupted;
    return refuse(io, exitCodes.internal, messageOf(error));
  }
}

process.exitCode = await main();
