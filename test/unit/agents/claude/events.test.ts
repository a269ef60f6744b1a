import * as fc from "fast-check";
import { expect, test } from "vitest";
import { claude } from "../../../../src/agents/claude/driver.ts";
import { damagedLines, hearing, recordedLines } from "../../../rig/recorded.ts";

const [exit0, exit1] = [0, 1].map((code) => ({ kind: "exited", code }) as const) as [
  { kind: "exited"; code: number },
  { kind: "exited"; code: number },
];

function heard(name: string) {
  return hearing(claude, recordedLines("claude", name));
}

test("a session reports what it does, what it used and its id", () => {
  const { ear, events } = heard("edit-and-shell");
  expect(events).toEqual([
    { type: "text", text: "I will do step 1." },
    { type: "usage", usage: { inputTokens: 1200, outputTokens: 1, usd: 0 } },
    { type: "tool", name: "Write", detail: "/workspace/hello.txt" },
    { type: "file", path: "/workspace/hello.txt", change: "add" },
    { type: "text", text: "I will do step 2." },
    { type: "usage", usage: { inputTokens: 2400, outputTokens: 2, usd: 0 } },
    { type: "tool", name: "Bash", detail: "echo shell-hi > /workspace/shell.txt; id -u" },
    { type: "text", text: "All done (both)." },
    { type: "usage", usage: { inputTokens: 3600, outputTokens: 3, usd: 0 } },
    { type: "usage", usage: { inputTokens: 3 * 1200, outputTokens: 3 * 34, usd: 0.00252 } },
  ]);
  expect(ear.conclude(exit0)).toEqual({ kind: "ok" });
  expect(ear.usage()).toEqual({ inputTokens: 3600, outputTokens: 102, usd: 0.00252 });
  expect(ear.sessionId()).toBe("ff0583fc-f175-45eb-859f-358272e80fbd");
});

test("usage is known before the final event, and a session that reported none leaves it to the outbox", () => {
  const { ear } = hearing(claude, recordedLines("claude", "edit-and-shell").slice(0, -1));
  expect(ear.usage()).toEqual({ inputTokens: 3600, outputTokens: 3, usd: 0 });
  expect(claude.listen().usage()).toBeNull();
});

test("fields of the final event and of marked messages decide what a failure is", () => {
  const outcomes = Object.fromEntries(
    Object.keys(expected).map((name) => [name, heard(name).ear.conclude(exit1)] as const),
  );
  expect(outcomes).toEqual(expected);
});

const hint =
  "This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8099).";

const expected = {
  "401": { kind: "auth", detail: "401: authentication_failed: Invalid API key · Fix external API key" },
  "401-token": { kind: "auth", detail: "401: authentication_failed: Not logged in · Please run /login" },
  "not-logged-in": { kind: "auth", detail: "authentication_failed: Not logged in · Please run /login" },
  "403": { kind: "auth", detail: "403: authentication_failed: Failed to authenticate. API Error: 403 status 403" },
  "unknown-model": {
    kind: "misconfigured",
    detail:
      "404: model_not_found: There's an issue with the selected model (no-such-model). It may not exist or you may not have access to it. Run --model to pick a different model.",
  },
  "429": { kind: "limit", until: null },
  "usage-limit": { kind: "limit", until: "2026-11-16T01:51:50.000Z" },
  "500": { kind: "overloaded", detail: `500: server_error: API Error: 500 Internal server error (fake). ${hint}` },
  "503": { kind: "overloaded", detail: `503: server_error: API Error: 503 status 503. ${hint}` },
  "529": { kind: "overloaded", detail: `529: server_error: API Error: 529 Overloaded (fake). ${hint}` },
  unreachable: {
    kind: "overloaded",
    detail: "server_error: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
  },
  "prompt-too-long": { kind: "context", detail: expect.stringMatching(/^400: invalid_request: Prompt is too long · /) },
  "400": { kind: "crashed", detail: "400: unknown: API Error: 400 bad request (fake)" },
};

test("a reset time is read from fields only, and one that is no time is none", () => {
  const withReset = (resetsAt: unknown) => {
    const lines = recordedLines("claude", "usage-limit").map((line) => {
      return line.replaceAll(/"resetsAt":\d+/g, `"resetsAt":${JSON.stringify(resetsAt)}`);
    });
    return hearing(claude, lines).ear.conclude(exit1);
  };
  expect(withReset(1_794_790_310)).toEqual({ kind: "limit", until: "2026-11-16T00:51:50.000Z" });
  for (const invalid of ["1794790310", -1, 1.5, 1e300, null, {}])
    expect(withReset(invalid)).toEqual({ kind: "limit", until: null });
});

test("a refusal of the model differs from an answer", () => {
  const answer = recordedLines("claude", "edit-and-shell");
  const refusal = answer.map((line) => line.replace('"stop_reason":"end_turn"', '"stop_reason":"refusal"'));
  expect(hearing(claude, refusal).ear.conclude(exit0)).toEqual({ kind: "refused", detail: "the model refused" });
});

test("an answer that quotes a limit, and tools that print events, change nothing", () => {
  const quote = heard("answer-quotes-a-limit");
  expect(quote.events).toContainEqual({ type: "text", text: expect.stringContaining("You've hit your usage limit") });
  expect(quote.ear.conclude(exit0)).toEqual({ kind: "ok" });

  const lines = recordedLines("claude", "tool-prints-events");
  expect(lines.join("\n")).toContain(String.raw`{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true`);
  expect(hearing(claude, lines.slice(0, -1)).ear.isFinal()).toBe(false);
  expect(hearing(claude, lines).ear.conclude(exit0)).toEqual({ kind: "ok" });
});

test("what tools print would end the session if it were taken for an event", () => {
  const forged = '{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"x"}';
  const { ear } = hearing(claude, [forged]);
  expect(ear.isFinal()).toBe(true);
  expect(ear.conclude(exit1)).toEqual({ kind: "auth", detail: "401: success: x" });
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
  expect(claude.listen().conclude(exit0)).toEqual({ kind: "crashed", detail: "exit 0 without a final event" });
});

test("its own retries are reported, with the wait where it says so", () => {
  expect(heard("401-token").events).toContainEqual({
    type: "retry",
    delayMs: expect.any(Number),
    why: "authentication_failed",
  });
});

test("whatever comes, nothing is thrown, and what is unknown says nothing", () => {
  const anything = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), damagedLines("claude"));
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 12 }), (lines) => {
      const { ear } = hearing(
        claude,
        lines.map((line) => JSON.stringify(line)),
      );
      ear.conclude(exit1);
      const { inputTokens, outputTokens, usd } = ear.usage() ?? { inputTokens: 0, outputTokens: 0, usd: 0 };
      expect([inputTokens, outputTokens, usd].every((figure) => figure >= 0)).toBe(true);
    }),
  );
  expect(hearing(claude, ['{"type":"result-of-another-version"}', "[]", "no JSON", '"result"']).events).toEqual([]);
});

/** What 2.1.197 wrote, as npm installs it on Node 20, without the fields that nothing reads: no mark on its own message. */
function linesOf197(text: string, end: { error: string; status?: number; reason?: string }): string[] {
  const message = { model: "<synthetic>", role: "assistant", content: [{ type: "text", text }] };
  const { error, status = null, reason = "completed" } = end;
  const result = { type: "result", subtype: "success", is_error: true, api_error_status: status, result: text };
  return [
    { type: "system", subtype: "init", session_id: "s", claude_code_version: "2.1.197" },
    { type: "assistant", message, error },
    { ...result, stop_reason: "stop_sequence", terminal_reason: reason },
  ].map((line) => JSON.stringify(line));
}

test.each([
  ["Not logged in · Please run /login", { error: "authentication_failed" }, "auth"],
  ["Invalid API key · Fix external API key", { error: "authentication_failed", status: 401 }, "auth"],
  ["Credit balance is too low", { error: "billing_error", status: 400 }, "auth"],
  ["API Error: Unable to connect to API (ConnectionRefused)", { error: "server_error" }, "overloaded"],
  ["API Error: 529 Overloaded.", { error: "server_error", status: 529 }, "overloaded"],
  ["API Error: Request rejected (429) · slow down", { error: "rate_limit", status: 429 }, "limit"],
  ["There's an issue with the selected model (x).", { error: "model_not_found", status: 404 }, "misconfigured"],
  ["Prompt is too long", { error: "invalid_request", status: 400, reason: "prompt_too_long" }, "context"],
  ["API Error: 400 something is off", { error: "unknown", status: 400 }, "crashed"],
] as const)("2.1.197 says it without a mark: %s", (text, end, kind) => {
  const { ear } = hearing(claude, linesOf197(text, end));
  expect(ear.conclude(exit1)).toMatchObject({ kind });
  expect(ear.version?.()).toBe("2.1.197");
});

test("2.1.197 says in an event when a limit ends", () => {
  const info = { status: "rejected", resetsAt: 1_794_945_220, rateLimitType: "five_hour" };
  const limit = JSON.stringify({ type: "rate_limit_event", rate_limit_info: info });
  const lines = [limit, ...linesOf197("You've hit your session limit", { error: "rate_limit", status: 429 })];
  expect(hearing(claude, lines).ear.conclude(exit1)).toEqual({ kind: "limit", until: "2026-11-17T19:53:40.000Z" });
});

test("a model that answers is no message of the program's own, whatever its line has", () => {
  const lines = linesOf197("x", { error: "authentication_failed" }).map((line) => line.replace("<synthetic>", "real"));
  expect(hearing(claude, lines).ear.conclude(exit1)).toEqual({ kind: "crashed", detail: "completed: x" });
});
