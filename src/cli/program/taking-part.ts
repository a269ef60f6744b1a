import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Declare, Go } from "./declare.ts";
import { more, sentCodes, trouble } from "./more.ts";

const fromAnywhere = [
  "Works from any terminal, whether or not a process drives the run, and is",
  "recorded in the run's journal.",
];
const whichRun = "which run, where several plans have an unfinished one";

/** What a person says to a run, from any terminal. */
export const takingPart: readonly Declare[] = [pause, stop, requeue, answer, take, submit];

function pause(program: Command, io: Io, go: Go): void {
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
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: { "stint pause": "the only unfinished run", "stint resume": "go on, from any terminal" },
      }),
    )
    .action(async (options) => go((await import("../commands/pause.ts")).pause(io, options)));
}

function stop(program: Command, io: Io, go: Go): void {
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
    .addHelpText(
      "after",
      more({ codes: sentCodes, examples: { "stint stop": "the only unfinished run", "stint resume": "go on later" } }),
    )
    .action(async (options) => go((await import("../commands/stop.ts")).stop(io, options)));
}

function requeue(program: Command, io: Io, go: Go): void {
  program
    .command("requeue <task>")
    .summary("give a blocked task new attempts, or a taken one to agents")
    .description(
      [
        "Gives a task new attempts: all count from zero again. A task that was taken by",
        "hand goes back to agents.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: {
          "stint requeue 03-routes": "try again, from the first attempt",
          "stint resume": "where no process drives the run",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/requeue.ts")).requeue(io, task, options)));
}

function answer(program: Command, io: Io, go: Go): void {
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
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: {
          "stint answer 03-routes.1 grant": "let it touch the files it asks for",
          'stint answer 03-routes "Use the old API."': "tell a blocked task how to go on",
        },
      }),
    )
    .action(async (question, text, options) =>
      go((await import("../commands/answer.ts")).answer(io, { question, text }, options)),
    );
}

function take(program: Command, io: Io, go: Go): void {
  program
    .command("take <task>")
    .summary("do a task by hand, in the workspace an agent would have had")
    .description(
      "Prints the path of a clone of the run's tip, set up, after the task's checks were red there; agents leave the task alone. Where no run is under way, one begins that starts no agent. Taken again, it is the same workspace; after a conflict a fresh one.",
    )
    .option("--run <run>", whichRun)
    .option("--plan <plan>", "which plan, where there are several")
    .addHelpText(
      "after",
      more({
        codes: {
          0: "the workspace is there; its path is on standard output",
          1: trouble[1],
          2: "the task cannot be taken now; bad usage",
          3: "satisfied already, unapproved, or the run is paused",
          4: "its check is broken",
        },
        examples: {
          'cd "$(stint take 03-routes)"': "go to work there",
          "stint submit 03-routes": "hand it in, from your checkout",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/take.ts")).take(io, task, options)));
}

function submit(program: Command, io: Io, go: Go): void {
  program
    .command("submit <task>")
    .summary("hand in a task done by hand, to be verified like any other")
    .description(
      "What the files of the workspace say counts, committed or not; guards and checks are those of every task. What passes lands on the run branch; what does not stays in the workspace, with the evidence and the cure.",
    )
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: {
          0: "integrated",
          1: trouble[1],
          2: "the task is not in your hands; bad usage",
          3: "refused, or in conflict with what landed: mend it, hand in again",
          4: "its check is broken",
        },
        examples: { "stint submit 03-routes": "from your checkout, not from the workspace" },
      }),
    )
    .action(async (task, options) => go((await import("../commands/submit.ts")).submit(io, task, options)));
}
