import type { Request } from "../../engine/commands.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { addressOf, sendCommand, type Sent } from "../../run/commands/send-command.ts";
import { visible } from "../../base/visible.ts";
import { ok, unreachable } from "../../base/result.ts";
import { refuse, type Io } from "../io.ts";
import { openRunToCommand, refusal, type RunToCommand, type Selected } from "./select.ts";

export interface SendOptions {
  readonly run?: string;
}

/** What is printed once a command is accepted: if a process drives the run, and if none does. */
export interface Said {
  readonly driven: (process: string, run: string) => string;
  readonly alone: (resume: string, run: string) => string;
}

/** Sends a command to the right run and prints what came of it. */
export async function send(
  io: Io,
  { run }: SendOptions,
  { request, said }: { readonly request: Request; readonly said: Said },
): Promise<number> {
  const opened = await openRunToCommand(io, run);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const sent = await deliver(io, opened.value, request);
  if (!sent.ok) return refuse(io, sent.failure.code, sent.failure.message);
  const { driver } = sent.value;
  const id = opened.value.state.run;
  io.out(visible(driver === null ? said.alone(`\`stint resume ${id}\``, id) : said.driven(`process ${driver}`, id)));
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
