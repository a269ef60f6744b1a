import { runName } from "../../engine/run-name.ts";
import type { Request } from "../../engine/commands.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { addressOf, sendCommand, type Sent } from "../../run/commands/send-command.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { finishingHint } from "../../engine/summary.ts";
import { visible } from "../../base/visible.ts";
import { ok, unreachable } from "../../base/result.ts";
import { printLine, refuseWith, type Io } from "../io.ts";
import { openRunToCommand, refusal, subjectTask, type RunToCommand, type Selected, type Subject } from "./select.ts";

export interface SendOptions {
  readonly run?: string;
}

/** What is printed once a command is accepted: if a process drives the run, and if none does. */
interface Said {
  readonly driven: (process: string, run: string, event: RunEntry) => string;
  readonly alone: (resume: string, run: string) => string;
}

/** `stint pause`: starts nothing until the run is resumed; sessions that can finish do so, unless they are to end now. */
export async function pause(io: Io, options: SendOptions & { readonly now?: true }): Promise<number> {
  return await send(io, options, {
    request: { kind: "pause", now: options.now },
    subject: "driven",
    said: {
      driven: (process, run, event) =>
        event.type === "pausing"
          ? `Run ${run} is pausing: ${finishingHint(event.finishing.length, run)}. Resume it with \`stint resume ${run}\`.`
          : `Run ${run} is paused; ${process} is waiting. Resume it with \`stint resume ${run}\`, or end it with \`stint stop --run ${run}\`.`,
      alone: (resume, run) => `Run ${run} is paused; no process is running it. Resume it with ${resume}.`,
    },
  });
}

/** `stint stop`: ends the run's process as Ctrl-C in its terminal would; everything can be resumed. */
export async function stop(io: Io, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "stop" },
    subject: "driven",
    said: {
      driven: (process, run) =>
        `Run ${run} is stopping: ${process} ends its agents and checks, then exits. Resume it with \`stint resume ${run}\`.`,
      alone: (resume, run) => `Run ${run} is stopped; no process is running it. Resume it with ${resume}.`,
    },
  });
}

/** `stint requeue`: gives a task that is blocked, or taken by hand, to agents again. */
export async function requeue(io: Io, task: string, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "requeue", task },
    subject: subjectTask(task),
    said: {
      driven: (process) => `Task ${task} gets new attempts from ${process}.`,
      alone: (resume) => `Task ${task} gets new attempts. Resume the run with ${resume}.`,
    },
  });
}

/** `stint answer`: answers an open question, so that its task can continue. */
export async function answer(
  io: Io,
  { question, text }: { readonly question: string; readonly text: string },
  options: SendOptions,
): Promise<number> {
  return await send(io, options, {
    request: { kind: "answer", question, answer: text },
    subject: { words: `an open question ${question}`, isIn: ({ questions }) => questions.has(question) },
    said: {
      driven: (process) => `Question ${question} is answered; ${process} continues with it.`,
      alone: (resume) => `Question ${question} is answered. Resume the run with ${resume}.`,
    },
  });
}

/** Sends a command to the right run and prints what came of it. */
async function send(
  io: Io,
  { run }: SendOptions,
  { request, subject, said }: { readonly request: Request; readonly subject: Subject | "driven"; readonly said: Said },
): Promise<number> {
  const opened = await openRunToCommand(io, run, subject);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const sent = await deliver(io, opened.value, request);
  if (!sent.ok) return refuseWith(io, sent.failure);
  const { driver, event } = sent.value;
  const name = runName(opened.value.state);
  const words =
    driver === null ? said.alone(`\`stint resume ${name}\``, name) : said.driven(`process ${driver}`, name, event);
  printLine(io, visible(words));
  return exitCodes.done;
}

/** Sends a command to a run; fails with why it was refused or not accepted. */
export async function deliver(
  io: Io,
  { project, state }: RunToCommand,
  request: Request,
): Promise<Selected<Extract<Sent, { kind: "accepted" }>>> {
  const sent = await sendCommand(addressOf(project, state), { request, signal: io.signal });
  switch (sent.kind) {
    case "accepted":
      return ok(sent);
    case "ignored":
      return refusal(exitCodes.usage, sent.why);
    case "not-accepted":
      return refusal(exitCodes.internal, `not accepted: ${sent.why}`);
    default:
      return unreachable(sent);
  }
}
