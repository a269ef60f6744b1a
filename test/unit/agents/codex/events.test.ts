import * as fc from "fast-check";
import { expect, test } from "vitest";
import { codex } from "../../../../src/agents/codex/driver.ts";
import { listenToCodex } from "../../../../src/agents/codex/events.ts";
import type { Dialect } from "../../../../src/agents/driver-kit/dialect.ts";
import { damagedLines, hearing, recordedLines } from "../../../rig/recorded.ts";

/** Times of day in messages are local, so the tests speak of local times, too. */
const noon = new Date(2026, 10, 16, 12, 0);
const atNoon: Dialect = { ...codex, listen: () => listenToCodex(() => noon) };

const exit0 = { kind: "exited", code: 0 } as const;
const exit1 = { kind: "exited", code: 1 } as const;

function heard(name: string) {
  return hearing(atNoon, recordedLines("codex", name));
}

test("a session reports what it does, what it used and its id", () => {
  const { ear, events } = heard("edit-and-shell");
  expect(events).toEqual([
    { type: "text", text: "I will do step 1." },
    { type: "file", path: "/workspace/hello.txt", change: "add" },
    { type: "text", text: "I will do step 2." },
    { type: "tool", name: "shell", detail: "echo shell-hi > /workspace/shell.txt; id -u" },
    { type: "text", text: "All done (both)." },
    { type: "usage", usage: { inputTokens: 3 * 1200, outputTokens: 3 * 34, usd: 0 } },
  ]);
  expect(ear.conclude(exit0)).toEqual({ kind: "ok" });
  expect(ear.usage()).toEqual({ inputTokens: 3600, outputTokens: 102, usd: 0 });
  expect(ear.sessionId()).toBe("01a1e1d5-7b0c-7b01-9740-16a64240207e");
});

test("the message of a failed turn decides what the failure is", () => {
  const outcomes = Object.fromEntries(
    Object.keys(expected).map((name) => [name, heard(name).ear.conclude(exit1)] as const),
  );
  expect(outcomes).toEqual(expected);
});

const url = "url: http://127.0.0.1:8099/v1/responses";

const expected = {
  "401": { kind: "auth", detail: `unexpected status 401 Unauthorized: invalid x-api-key (fake), ${url}` },
  "403": { kind: "auth", detail: `unexpected status 403 Forbidden: status 403, ${url}` },
  quota: { kind: "auth", detail: "Quota exceeded. Check your plan and billing details." },
  "unknown-model": { kind: "misconfigured", detail: "the model is rejected: model: no-such-model not found (fake)" },
  "429": { kind: "limit", until: null },
  "usage-limit": { kind: "limit", until: new Date(2026, 10, 16, 1, 52).toISOString() },
  "500": {
    kind: "overloaded",
    detail: "We’re currently experiencing high demand, which may cause temporary errors.",
  },
  "503": { kind: "overloaded", detail: `unexpected status 503 Service Unavailable: status 503, ${url}` },
  "529": { kind: "overloaded", detail: `unexpected status 529 <unknown status code>: Overloaded (fake), ${url}` },
  unreachable: { kind: "overloaded", detail: "Connection failed: error sending request" },
  "context-window": { kind: "context", detail: expect.stringContaining('"code":"context_length_exceeded"') },
  "400": { kind: "crashed", detail: expect.stringContaining("bad request (fake)") },
};

test("the end of a usage limit is read in the forms the program writes, after the minute it names", () => {
  const until = (text: string) => {
    const line = JSON.stringify({ type: "turn.failed", error: { message: `You’ve hit your usage limit. ${text}` } });
    return hearing(atNoon, [line]).ear.conclude(exit1);
  };
  const limit = (time: Date | null) => ({ kind: "limit", until: time?.toISOString() ?? null });
  expect(until("Try again at 9:35 PM.")).toEqual(limit(new Date(2026, 10, 16, 21, 36)));
  expect(until("Upgrade to Plus, or try again at 12:05 AM.")).toEqual(limit(new Date(2026, 10, 16, 0, 6)));
  expect(until("or try again at 12:59 PM.")).toEqual(limit(new Date(2026, 10, 16, 13, 0)));
  expect(until("or try again at Dec 31st, 2026 11:59 PM.")).toEqual(limit(new Date(2027, 0, 1, 0, 0)));
  for (const unknown of [
    "",
    "or try again tomorrow.",
    "try again at 21:35.",
    "try again at 99:35 PM.",
    "try again at Foo 3rd, 2026 1:00 AM.",
  ])
    expect(until(unknown)).toEqual(limit(null));
});

test("a model that the program does not know is rejected, however the service says it", () => {
  const notice =
    '{"type":"item.completed","item":{"type":"error","message":"Model metadata for `x` not found. Defaulting"}}';
  const failed = (message: string) => JSON.stringify({ type: "turn.failed", error: { message } });
  expect(hearing(codex, [notice, failed('{"detail":"No."}')]).ear.conclude(exit1)).toEqual({
    kind: "misconfigured",
    detail: 'the model is rejected: {"detail":"No."}',
  });
  expect(hearing(codex, [failed("Missing environment variable: `X`.")]).ear.conclude(exit1)).toMatchObject({
    kind: "auth",
  });
  expect(hearing(codex, [failed('{"detail":"No."}')]).ear.conclude(exit1)).toEqual({
    kind: "crashed",
    detail: '{"detail":"No."}',
  });
  expect(
    hearing(codex, [notice, failed("exceeded retry limit, last status: 429 Too Many")]).ear.conclude(exit1),
  ).toEqual({
    kind: "limit",
    until: null,
  });
});

test("its own retries are reported and decide nothing", () => {
  const { events } = heard("500-with-retries");
  expect(events.filter(({ type }) => type === "retry")).toHaveLength(9);
  expect(events).toContainEqual({
    type: "retry",
    delayMs: null,
    why: "Reconnecting... 5/5 (We’re currently experiencing high demand, which may cause temporary errors.)",
  });
  const withoutEnd = recordedLines("codex", "500-with-retries").slice(0, -2);
  expect(hearing(codex, withoutEnd).ear.isFinal()).toBe(false);
});

test("an answer that quotes a limit, and tools that print events, change nothing", () => {
  const quote = heard("answer-quotes-a-limit");
  expect(quote.events).toContainEqual({ type: "text", text: expect.stringContaining("You've hit your usage limit") });
  expect(quote.ear.conclude(exit0)).toEqual({ kind: "ok" });

  const lines = recordedLines("codex", "tool-prints-events");
  expect(lines.join("\n")).toContain(
    String.raw`{\"type\":\"turn.failed\",\"error\":{\"message\":\"unexpected status 401`,
  );
  expect(hearing(codex, lines.slice(0, -1)).ear.isFinal()).toBe(false);
  expect(hearing(codex, lines).ear.conclude(exit0)).toEqual({ kind: "ok" });
});

test("what tools print would end the session if it were taken for an event", () => {
  const forged = '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}';
  const { ear } = hearing(codex, [forged]);
  expect(ear.isFinal()).toBe(true);
  expect(ear.conclude(exit1)).toEqual({ kind: "auth", detail: "unexpected status 401 Unauthorized" });
});

test("success needs the final event and, where the program ended by itself, exit 0", () => {
  const { ear } = heard("edit-and-shell");
  expect(ear.isFinal()).toBe(true);
  expect(ear.conclude({ kind: "final" })).toEqual({ kind: "ok" });
  expect(ear.conclude({ kind: "exited", code: 3 })).toEqual({ kind: "crashed", detail: "exit 3" });
  expect(ear.conclude({ kind: "signalled", signal: "SIGSEGV" })).toEqual({
    kind: "crashed",
    detail: "killed by SIGSEGV",
  });
  expect(codex.listen().conclude(exit0)).toEqual({ kind: "crashed", detail: "exit 0 without a final event" });
});

test("whatever comes, nothing is thrown, and what is unknown says nothing", () => {
  const anything = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), damagedLines("codex"));
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 12 }), (lines) => {
      const { ear } = hearing(
        codex,
        lines.map((line) => JSON.stringify(line)),
      );
      ear.conclude(exit1);
      const { inputTokens, outputTokens } = ear.usage() ?? { inputTokens: 0, outputTokens: 0 };
      expect([inputTokens, outputTokens].every((figure) => figure >= 0)).toBe(true);
    }),
  );
  expect(hearing(codex, ['{"type":"turn.interrupted"}', "[]", "no JSON", '"turn.failed"']).events).toEqual([]);
});
