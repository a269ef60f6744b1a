import type { Command } from "commander";
import type { Io } from "../io.ts";

const fromAnywhere = [
  "Works from any terminal, whether or not a process drives the run.",
  "Exit code 0 accepted, 2 refused with the reason, 1 not accepted within 10 s;",
  "what is not accepted is not obeyed later.",
];
const whichRun = "which run, where several plans have an unfinished one";

/** What a person says to a run, from any terminal. */
export function declareTakingPart(program: Command, io: Io, go: (command: Promise<number>) => Promise<void>): void {
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
    .action(async (options) => go((await import("../commands/pause.ts")).pause(io, options)));

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
    .action(async (options) => go((await import("../commands/stop.ts")).stop(io, options)));

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
    .action(async (task, options) => go((await import("../commands/requeue.ts")).requeue(io, task, options)));

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
      go((await import("../commands/answer.ts")).answer(io, { question, text }, options)),
    );

  program
    .command("take <task>")
    .summary("do a task by hand, in the workspace an agent would have had")
    .description(
      "Prints the path of a clone of the run's tip, set up, after the task's checks were red there; agents leave the task alone. Where no run is under way, one begins that starts no agent. Taken again, it is the same workspace; after a conflict a fresh one.\nExit code 0 when the workspace is there, 2 if the task cannot be taken now, 3 if it is satisfied already or the run is paused, 4 if its check is broken.",
    )
    .option("--run <run>", whichRun)
    .option("--plan <plan>", "which plan, where there are several")
    .action(async (task, options) => go((await import("../commands/take.ts")).take(io, task, options)));

  program
    .command("submit <task>")
    .summary("hand in a task done by hand: it is verified and integrated like any other")
    .description(
      "What the files of the workspace say counts, committed or not; guards and checks are those of every task.\nExit code 0 integrated; 3 refused or in conflict with what landed, with the evidence and the cure: the workspace stays, hand in again; 2 if the task is not in your hands.",
    )
    .option("--run <run>", whichRun)
    .action(async (task, options) => go((await import("../commands/submit.ts")).submit(io, task, options)));
}
