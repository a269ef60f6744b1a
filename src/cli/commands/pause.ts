import type { Io } from "../io.ts";
import { send, type SendOptions } from "./send.ts";

/** `stint pause`: ends what is under way at no cost and starts nothing until somebody resumes the run. */
export async function pause(io: Io, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "pause" },
    said: {
      driven: (process, run) =>
        `Run ${run} is paused; ${process} waits. Go on with \`stint resume ${run}\`, or end it with \`stint stop --run ${run}\`.`,
      alone: (resume, run) => `Run ${run} is paused; no process drives it. Go on with ${resume}.`,
    },
  });
}
