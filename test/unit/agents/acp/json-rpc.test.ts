import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { converse } from "../../../../src/agents/acp/conversation.ts";
import type { SessionRequest } from "../../../../src/agents/driver-kit/agent.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "acp-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("one that asks without end, or with an id without end, is not answered without end", () => {
  let chars = 0;
  const begun = conversation((text) => (chars += text.length));
  const ask = (id: unknown): void => void begun.hear(JSON.stringify({ id, method: "m", params: {} }));
  ask("short");
  const short = chars;
  ask("x".repeat(agentsLimits.agentRequestIdCharsMax + 1));
  expect(chars).toBe(short);
  for (let id = 0; id < 20_000; id += 1) ask(String(id).padStart(agentsLimits.agentRequestIdCharsMax, "0"));
  expect(chars).toBeGreaterThan(agentsLimits.agentAnswersCharsMax);
  expect(chars).toBeLessThan(agentsLimits.agentAnswersCharsMax + 2_000);
});

function conversation(
  say: (text: string) => void,
  { more = {}, hangUp = () => undefined }: { more?: Partial<SessionRequest>; hangUp?: () => void } = {},
) {
  const { enclosure, ...request } = sessionRequest(folder, more);
  const begun = converse({ ...request, folders: enclosure.folders, confined: false, images: new Map() });
  begun.begin(say, hangUp);
  return begun;
}
