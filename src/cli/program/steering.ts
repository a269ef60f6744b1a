import type { Command } from "commander";
import type { Io } from "../io.ts";
import { type Declare, type Go, more, sentCodes, trouble } from "./declare.ts";

const fromAnywhere = [
  "Works from any terminal, whether or not the run is in progress, and is recorded",
  "in its journal.",
];
const whichRun = "which run, if several are unfinished: invoices#3, invoices (its latest)";

/** The commands by which a person steers a run, from any terminal. */
export const steering: readonly Declare[] = [pause, stop, requeue, answer, take, submit];

function pause(program: Command, io: Io, go: Go): void {
  program
    .command("pause")
    .summary("start nothing new in a run until `stint resume`")
    .description(
      [
        "Agents that end their turn by themselves (claude, codex, gemini, acp) finish",
        "the session they are in, within its timeouts; what they made is kept and",
        "verified after `stint resume`. Agents with `driver: command`, checks, judges and",
        "planners end at once and restart then; this does not count as an attempt. The",
        "run's process stays and waits for `stint resume` in any terminal.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--now", "end every session at once, also one that is finishing; this does not count as an attempt")
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: {
          "stint pause": "the run that is in progress",
          "stint pause --now": "wait for no session",
          "stint resume": "resume it, from any terminal",
        },
      }),
    )
    .action(async (options) => go((await import("../commands/steer.ts")).pause(io, options)));
}

function stop(program: Command, io: Io, go: Go): void {
  program
    .command("stop")
    .summary("end a run's process, like Ctrl-C in its terminal")
    .description(
      [
        "Ends running agents and checks, which does not count as an attempt, and then",
        "the process of the run, with exit code 130. Everything can be resumed.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: { "stint stop": "the run that is in progress", "stint resume": "resume it later" },
      }),
    )
    .action(async (options) => go((await import("../commands/steer.ts")).stop(io, options)));
}

function requeue(program: Command, io: Io, go: Go): void {
  program
    .command("requeue <task>")
    .summary("retry a blocked task, or give a taken one back to agents")
    .description(
      [
        "Gives a blocked task new attempts, counted from zero. A task that was taken by",
        "hand goes back to the agents.",
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
          "stint resume": "if the run is not in progress",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/steer.ts")).requeue(io, task, options)));
}

function answer(program: Command, io: Io, go: Go): void {
  program
    .command("answer <question> <text>")
    .summary("answer an open question, so its task can continue")
    .description(
      [
        "`stint status` shows open questions with their ids and what to type. Answer a",
        "request for files with grant or refuse; for a blocked task, use the task's id",
        "and your own words, which its next agent will see.",
        ...fromAnywhere,
      ].join("\n"),
    )
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: sentCodes,
        examples: {
          "stint answer 03-routes.1 grant": "allow the files it asks for",
          'stint answer 03-routes "Use the old API."': "unblock a task",
        },
      }),
    )
    .action(async (question, text, options) =>
      go((await import("../commands/steer.ts")).answer(io, { question, text }, options)),
    );
}

function take(program: Command, io: Io, go: Go): void {
  program
    .command("take <task>")
    .summary("do a task yourself, in the workspace an agent would get")
    .description(
      "Prints the path of a clone of the run's tip, set up and ready, once the task's checks have failed there; agents leave the task alone. If there is no unfinished run, one is started without agents. Taking a task again gives the same workspace, or a fresh one after a conflict.",
    )
    .option("--run <run>", whichRun)
    .option("--plan <plan>", "which plan, if there are several")
    .addHelpText(
      "after",
      more({
        codes: {
          0: "the workspace is ready; its path is on standard output",
          1: trouble[1],
          2: "the task cannot be taken now; bad usage",
          3: "already done, plan not approved, or the run is paused",
          4: "it landed and turned final checks red, or one of its checks cannot run",
        },
        examples: {
          'cd "$(stint take 03-routes)"': "start working",
          "stint submit 03-routes": "when done, from your checkout",
        },
      }),
    )
    .action(async (task, options) => go((await import("../commands/take.ts")).take(io, task, options)));
}

function submit(program: Command, io: Io, go: Go): void {
  program
    .command("submit <task>")
    .summary("submit a task done by hand, to be verified like any other")
    .description(
      "Takes the files in the workspace, committed or not, and verifies them with the same guards and checks as any other work. If they pass, they land on the run's branch; if not, they stay in the workspace, and the output says what failed and how to fix it.",
    )
    .option("--run <run>", whichRun)
    .addHelpText(
      "after",
      more({
        codes: {
          0: "integrated",
          1: trouble[1],
          2: "you have not taken this task; bad usage",
          3: "rejected, or conflicts with work that landed: fix it, submit again",
          4: "one of its checks cannot run",
        },
        examples: { "stint submit 03-routes": "from your checkout, not from the workspace" },
      }),
    )
    .action(async (task, options) => go((await import("../commands/submit.ts")).submit(io, task, options)));
}
