import type { Io } from "../io.ts";
import { send, type SendOptions } from "./send.ts";

/** `stint answer`: answers an open question, so that its task goes on. */
export async function answer(
  io: Io,
  { question, text }: { readonly question: string; readonly text: string },
  options: SendOptions,
): Promise<number> {
  return await send(io, options, {
    request: { kind: "answer", question, answer: text },
    said: {
      driven: (process) => `Question ${question} is answered; ${process} goes on with it.`,
      alone: (resume) => `Question ${question} is answered. Go on with ${resume}.`,
    },
  });
}
