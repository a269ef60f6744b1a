import { expect, test } from "vitest";
import { withFalseStart } from "../../../../src/agents/driver-kit/false-start.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { redactor } from "../../../../src/base/redact.ts";
import type { Outcome } from "../../../../src/engine/session.ts";

const crashed = (detail: string): Outcome => ({ kind: "crashed", detail });
const facts = { durationMs: 900, usedTools: false };
const failure = (detail: string) => withFalseStart(crashed(detail), facts).falseStart;

test("a program that crashes within seconds and before any tool call makes a false start, with its last words", () => {
  const program = { ...facts, durationMs: agentsLimits.falseStartMsMax, lastWords: "no Node" };
  expect(withFalseStart(crashed("exit 1"), program)).toEqual({ ...program, falseStart: "exit 1: no Node" });
});

test.each([
  ["works for a while and then crashes", crashed("exit 1"), { durationMs: agentsLimits.falseStartMsMax + 1 }],
  ["crashes after a tool call", crashed("exit 1"), { usedTools: true }],
  ["is interrupted", { kind: "interrupted", detail: "" } as const, {}],
  ["succeeds", { kind: "ok" } as const, {}],
])("a program that %s makes none", (_, outcome, more) => {
  expect(withFalseStart(outcome, { ...facts, ...more })).toEqual({ ...facts, ...more });
});

test("a secret is removed as a whole", () => {
  const redact = redactor([{ name: "KEY", value: "sk-ant-api03-abcdefgh" }]);
  expect(withFalseStart(crashed("rejected sk-ant-api03-abcdefgh"), facts, redact).falseStart).toBe(
    "rejected [secret KEY]",
  );
});

test.each([
  ["exit 1: port 40112", "exit 1: port 40113", true],
  ["2026-11-18T02:08:02.883Z ERROR core: no config", "2026-11-18T02:09:41.012Z ERROR core: no config", true],
  ["[02:08:02] cannot start (pid 77)", "[02:09:59] cannot start (pid 812)", true],
  ["gave up after 812 ms", "gave up after 90 ms", true],
  ["gave up after 1.5s at main.js:12:7", "gave up after 2s at main.js:12:7", true],
  ["cannot open /tmp/x-aBcDeF/socket", "cannot open /tmp/x-QwErTy/socket", true],
  ["status 500 at 02:08:02", "status 401 at 02:08:02", false],
  ["400: off (req_011CSHo)", "400: off (req_9xK2m)", true],
  ["session 0a1b2c3d-0000-4abc-8def-abcdefabcdef gone", "session fedcba98-1111-4abc-8def-0123456789ab gone", true],
  ["exit 1", "exit 2", false],
  ["400: off", "404: off", false],
  ["no such file", "no such host", false],
])("%s and %s: the same is %s", (words, before, same) => {
  expect(failure(words) === failure(before)).toBe(same);
});
