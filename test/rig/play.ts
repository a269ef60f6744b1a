import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent, SessionRequest, SessionResult } from "../../src/agents/driver-kit/agent.ts";
import { scriptedDriver } from "../../src/agents/scripted/driver.ts";
import type { Move } from "../../src/agents/scripted/moves.ts";
import { sessionRequest } from "./session.ts";

export interface Played extends SessionResult {
  readonly events: readonly AgentEvent[];
  readonly folder: string;
}

/** One session of task 01-a with these moves, or with a moves file of this text. */
export async function play(moves: readonly Move[] | string, more: Partial<SessionRequest> = {}): Promise<Played> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stint-scripted-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "moves.json");
  writeFileSync(file, typeof moves === "string" ? moves : JSON.stringify({ "01-a": moves }));
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent) => void events.push(event);
  const result = await scriptedDriver.run(sessionRequest(folder, { command: [file], observe, ...more }));
  return { ...result, events, folder };
}
