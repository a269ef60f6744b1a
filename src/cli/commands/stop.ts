import type { Io } from "../io.ts";
import { send, type SendOptions } from "./send.ts";

/** `stint stop`: ends the driver as Ctrl-C in its terminal would; everything is resumable. */
export async function stop(io: Io, options: SendOptions): Promise<number> {
  return await send(io, options, {
    request: { kind: "stop" },
    said: {
      driven: (process, run) =>
        `Run ${run} is stopped: ${process} ends what is under way, and then itself. Go on with \`stint resume ${run}\`.`,
      alone: (resume, run) => `Run ${run} is stopped; no process drives it. Go on with ${resume}.`,
    },
  });
}
