import { converse } from "../../src/agents/acp/conversation.ts";
import type { SessionRequest } from "../../src/agents/driver-kit/agent.ts";
import { sessionRequest } from "./session.ts";

/** A line that Stint says to an agent. */
export interface Heard {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export const greeting = { result: { protocolVersion: 1 } };

export const opened = { result: { sessionId: "s1" } };

export const over = { result: { stopReason: "end_turn" } };

export function greetingWith(agentCapabilities: object) {
  return { result: { protocolVersion: 1, agentCapabilities } };
}

interface How {
  readonly more?: Partial<SessionRequest>;
  readonly hangUp?: () => void;
}

/** A conversation without a process, with its files in a folder of the test. */
export function conversationIn(folder: string, say: (text: string) => void, { more = {}, hangUp }: How = {}) {
  const { enclosure, ...request } = sessionRequest(folder, more);
  const begun = converse({ ...request, folders: enclosure.folders, confined: false, images: new Map() });
  begun.begin(say, hangUp ?? (() => undefined));
  return begun;
}

/** A whole session without a process: one answer for each request. */
export function talkIn(folder: string, more: Partial<SessionRequest>, answers: readonly object[]) {
  const lines: Heard[] = [];
  const session = conversationIn(folder, (text) => lines.push(JSON.parse(text) as Heard), { more });
  const events = answers.flatMap((each, index) => session.hear(JSON.stringify({ id: index + 1, ...each })).events);
  const told = (method: string) => lines.filter((line) => line.method === method).map(({ params }) => params);
  return { outcome: session.outcome(), events, told };
}
