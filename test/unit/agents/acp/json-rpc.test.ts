import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { conversationIn } from "../../../rig/acp-talk.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "acp-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const conversation = (say: (text: string) => void, how?: Parameters<typeof conversationIn>[2]) =>
  conversationIn(folder, say, how);

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
