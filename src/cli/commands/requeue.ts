import type { Io } from "../io.ts";
import { send, type SendOptions } from "./send.ts";

/** `stint requeue`: gives a task that is blocked, or taken by hand, to agents again. */
export async function requeue(io: Io, task: string, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "requeue", task },
    said: {
      driven: (process) => `Task ${task} gets new attempts from ${process}.`,
      alone: (resume) => `Task ${task} gets new attempts. Go on with ${resume}.`,
    },
  });
}
