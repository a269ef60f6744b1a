import fs from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../../src/agents/driver-kit/agent.ts";
import { parseRecord } from "../../../../src/agents/driver-kit/dialect.ts";
import { gemini } from "../../../../src/agents/gemini/driver.ts";
import type { OwnEnd } from "../../../../src/agents/driver-kit/session.ts";

test("a session that edits and runs a command says so, and what it used", () => {
  const { ear, events } = listen("edit-and-shell");

  expect(joined(events)).toEqual([
    "I will do step 1.",
    { type: "tool", name: "write_file", detail: "/workspace/hello.txt" },
    { type: "file", path: "/workspace/hello.txt", change: "modify" },
    "I will do step 2.",
    { type: "tool", name: "run_shell_command", detail: "echo shell-hi > /workspace/shell.txt; id -u" },
    "All done (both).",
    { type: "usage", usage: { inputTokens: 3600, outputTokens: 102, usd: 0 } },
  ]);
  expect(ear.isFinal()).toBe(true);
  expect(ear.sessionId()).toBe("71258db2-82d5-4bd3-a898-75493813d1a7");
  expect(ear.usage()).toEqual({ inputTokens: 3600, outputTokens: 102, usd: 0 });
  expect(ear.conclude(exit(0))).toEqual({ kind: "ok" });
});

test("its exit code says why a session failed: the status of the request, modulo 256", () => {
  expect(outcomeOf("status-401", 145)).toEqual({
    kind: "auth",
    detail:
      'exit 145: [API Error: {"error":{"code":401,"message":"invalid x-api-key (fake)","status":"UNAUTHENTICATED","details":[]}}]',
  });
  expect(outcomeOf("status-500", 244)).toMatchObject({ kind: "overloaded" });
  expect(outcomeOf("unknown-model", 1)).toEqual({
    kind: "crashed",
    detail: "exit 1: [API Error: model: bad-model not found (fake)]",
  });
  const noModel = gemini.listen();
  const missing = "[API Error: models/gemini-9 is not found for API version v1beta, or is not supported]";
  noModel.hear({ type: "result", status: "error", error: { type: "unknown", message: missing } });
  expect(noModel.conclude(exit(1))).toEqual({ kind: "misconfigured", detail: `exit 1: ${missing}` });
  const unreachable = gemini.listen();
  const error = { type: "unknown", message: "[API Error: exception TypeError: fetch failed sending request]" };
  unreachable.hear({ type: "result", status: "error", error });
  expect(unreachable.conclude(exit(1))).toMatchObject({ kind: "overloaded" });
  expect(gemini.listen().conclude(exit(41))).toEqual({ kind: "auth", detail: "exit 41 without a result" });
  for (const code of [1, 42, 52, 55]) expect(gemini.listen().conclude(exit(code))).toMatchObject({ kind: "crashed" });
});

test("a key that the service does not know is a matter of the login, although its status is that of any bad request", () => {
  const reply = (reason: string, message: string) =>
    JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT", details: [{ reason }] } });
  const ended = (message: string) => {
    const ear = gemini.listen();
    ear.hear({ type: "result", status: "error", error: { type: "unknown", message: `[API Error: ${message}]` } });
    return ear.conclude(exit(400 % 256));
  };
  const invalid = "API key not valid. Please pass a valid API key.";
  expect(ended(reply("API_KEY_INVALID", invalid))).toMatchObject({ kind: "auth" });
  expect(ended(invalid)).toEqual({ kind: "auth", detail: `exit 144: [API Error: ${invalid}]` });
  expect(ended(reply("FIELD_INVALID", 'Unknown name "API_KEY_INVALID"'))).toMatchObject({ kind: "crashed" });
});

test("a program without a login is quoted, without its colours", () => {
  const tail = "Ripgrep is not available.\n\u001b[31mPlease set an Auth method.\u001b[0m";
  expect(gemini.listen().conclude({ ...exit(41), tail })).toEqual({
    kind: "auth",
    detail: "Please set an Auth method.",
  });
});

test("a usage limit is until the delay that the service reported, or none", () => {
  expect(outcomeOf("status-429-in-30-s", 173)).toEqual({ kind: "limit", until: after("status-429-in-30-s", 30) });
  expect(outcomeOf("status-429-in-1-h", 173)).toEqual({ kind: "limit", until: after("status-429-in-1-h", 3600) });
  expect(outcomeOf("status-429", 173)).toEqual({ kind: "limit", until: null });
});

test("an answer and a tool's output that quote limits, errors and events change nothing", () => {
  const { ear, events } = listen("quotes-a-limit");
  expect(fixture("quotes-a-limit").join()).toContain("TerminalQuotaError");
  expect(events.filter(({ type }) => type === "usage")).toHaveLength(1);
  expect(ear.conclude(exit(0))).toEqual({ kind: "ok" });

  const quoting = gemini.listen();
  quoting.hear({ type: "message", role: "assistant", content: "429 quota exceeded\nSuggested retry after 30s." });
  quoting.hear({ type: "result", status: "success", stats: {} });
  expect(quoting.conclude(exit(0))).toEqual({ kind: "ok" });
});

test("a success in which another model answered in place of the one asked for is a failure", () => {
  const { ear, events } = listen("falls-back");
  expect(ear.conclude(exit(0))).toEqual({
    kind: "crashed",
    detail: "the model gemini-3.5-flash-lite did not answer, but gemini-3.8-flash did",
  });
  expect(events.at(-1)).toEqual({
    type: "notice",
    text: "asked for the model gemini-3.5-flash-lite, answered by gemini-3.8-flash",
  });
});

test("a name that the program resolves to a model is no failure, and is reported", () => {
  const ear = gemini.listen();
  ear.hear({ type: "init", session_id: "s", model: "auto" });
  const stats = { models: { "some-model": { total_tokens: 1234 } } };
  expect(ear.hear({ type: "result", status: "success", stats })).toEqual([
    { type: "notice", text: "asked for the model auto, answered by some-model" },
  ]);
  expect(ear.conclude(exit(0))).toEqual({ kind: "ok" });
});

test("an answer that was blocked is refused, one that was cut off is too long", () => {
  expect(outcomeOf("blocked", 0)).toEqual({
    kind: "refused",
    detail: "exit 0: The model response was blocked due to safety settings.",
  });
  expect(outcomeOf("cut-off", 0)).toMatchObject({ kind: "context" });
});

test("success needs the final event and the exit code; a hang after the final event takes nothing away", () => {
  const lines = fixture("edit-and-shell");
  const unfinished = gemini.listen();
  for (const line of lines.slice(0, -1)) unfinished.hear(parseRecord(line) ?? {});
  expect(unfinished.isFinal()).toBe(false);
  expect(unfinished.usage()).toBeNull();
  expect(unfinished.conclude(exit(0))).toEqual({ kind: "crashed", detail: "exit 0 without a result" });

  expect(listen("edit-and-shell").ear.conclude(exit(1))).toEqual({ kind: "crashed", detail: "exit 1" });
  const killed = { kind: "signalled", signal: "SIGKILL" } as const;
  expect(listen("edit-and-shell").ear.conclude(killed)).toEqual({ kind: "crashed", detail: "killed by SIGKILL" });
  expect(listen("edit-and-shell").ear.conclude({ kind: "final" })).toEqual({ kind: "ok" });
});

test("thoughts are counted as output, because they are paid", () => {
  const ear = gemini.listen();
  ear.hear({ type: "result", status: "success", stats: { total_tokens: 1284, input_tokens: 1200, output_tokens: 34 } });
  expect(ear.usage()).toEqual({ inputTokens: 1200, outputTokens: 84, usd: 0 });
});

test("no line makes it throw, and one it does not know says nothing", () => {
  const kind = fc.constantFrom("init", "message", "tool_use", "tool_result", "error", "result");
  const known = fc.tuple(kind, fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(known), fc.integer({ min: 0, max: 255 }), (lines, code) => {
      const ear = gemini.listen();
      for (const [type, more] of lines) ear.hear({ ...more, type });
      ear.conclude(exit(code));
      ear.conclude({ kind: "final" });
      ear.usage();
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (line) => {
      const ear = gemini.listen();
      expect(ear.hear({ ...line, type: "of another version" })).toEqual([]);
      expect(ear.isFinal()).toBe(false);
    }),
  );
});

const keys = [
  "role",
  "content",
  "session_id",
  "model",
  "tool_name",
  "tool_id",
  "parameters",
  "status",
  "error",
  "message",
  "stats",
  "timestamp",
];

function fixture(name: string): string[] {
  return fs.readFileSync(`test/fixtures/gemini/${name}.jsonl`, "utf8").trim().split("\n");
}

function listen(name: string) {
  const ear = gemini.listen();
  const events = fixture(name).flatMap((line) => ear.hear(parseRecord(line) ?? {}));
  return { ear, events };
}

function outcomeOf(name: string, code: number) {
  return listen(name).ear.conclude(exit(code));
}

function exit(code: number): OwnEnd {
  return { kind: "exited", code };
}

/** So many seconds after the last line of the recording. */
function after(name: string, seconds: number): string {
  const { timestamp } = parseRecord(fixture(name).at(-1) ?? "") ?? {};
  return new Date(Date.parse(String(timestamp)) + seconds * 1000).toISOString();
}

/** Texts come in pieces; what counts is what they say together. */
function joined(events: readonly AgentEvent[]): (AgentEvent | string)[] {
  const all: (AgentEvent | string)[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type !== "text") all.push(event);
    else if (typeof last === "string") all[all.length - 1] = last + event.text;
    else all.push(event.text);
  }
  return all;
}
