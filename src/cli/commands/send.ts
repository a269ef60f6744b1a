import type { Request } from "../../engine/commands.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { sendCommand } from "../../host/send-command.ts";
import { visible } from "../../plan/visible.ts";
import { unreachable } from "../../result.ts";
import { refuse, type Io } from "../io.ts";
import { openRunToCommand } from "./select.ts";

export interface SendOptions {
  readonly run?: string;
}

/** What is said once a command is accepted, where a process drives the run and where none does. */
export interface Said {
  readonly driven: (process: string, run: string) => string;
  readonly alone: (resume: string, run: string) => string;
}

/** Brings a command to the run that is meant and says what became of it. */
export async function send(
  io: Io,
  { run }: SendOptions,
  { request, said }: { readonly request: Request; readonly said: Said },
): Promise<number> {
  const opened = await openRunToCommand(io, run);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { project, state } = opened.value;
  const sent = await sendCommand(project, state, { request, signal: io.signal });
  switch (sent.kind) {
    case "accepted": {
      const words =
        sent.driver === null
          ? said.alone(`\`stint resume ${state.run}\``, state.run)
          : said.driven(`process ${sent.driver}`, state.run);
      io.out(visible(words));
      return exitCodes.done;
    }
    case "ignored":
      return refuse(io, exitCodes.usage, sent.why);
    case "not-accepted":
      return refuse(io, exitCodes.internal, `not accepted: ${sent.why}`);
    default:
      return unreachable(sent);
  }
}
