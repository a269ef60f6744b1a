import type { Io } from "../io.ts";
import { send, type SendOptions } from "./send.ts";

/** `stint pause`: ends running agents and checks, which counts as no attempt, and starts nothing until the run is resumed. */
export async function pause(io: Io, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "pause" },
    said: {
      driven: (process, run) =>
        `Run ${run} is paused; ${process} is waiting. Resume it with \`stint resume ${run}\`, or end it with \`stint stop --run ${run}\`.`,
      alone: (resume, run) => `Run ${run} is paused; no process is running it. Resume it with ${resume}.`,
    },
  });
}

/** `stint stop`: ends the run's process as Ctrl-C in its terminal would; everything can be resumed. */
export async function stop(io: Io, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "stop" },
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
    said: {
      driven: (process) => `Question ${question} is answered; ${process} continues with it.`,
      alone: (resume) => `Question ${question} is answered. Resume the run with ${resume}.`,
    },
  });
}
