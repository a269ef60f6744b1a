import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { errorOutcome, stopOutcome, converse } from "../../../../src/agents/acp/conversation.ts";
import type { SessionRequest } from "../../../../src/agents/driver-kit/agent.ts";
import { conversationIn, greeting, greetingWith, opened, over, talkIn } from "../../../rig/acp-talk.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "acp-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const talk = (more: Partial<SessionRequest>, answers: readonly object[]) => talkIn(folder, more, answers);

const conversation = (say: (text: string) => void, how?: Parameters<typeof conversationIn>[2]) =>
  conversationIn(folder, say, how);

test("the model is chosen by whatever the agent offers for it", () => {
  const configOptions = [{ id: "llm", category: "model", currentValue: "a" }];
  const taken = { result: { configOptions: [{ id: "llm", category: "model", currentValue: "m" }] } };
  const option = talk({ model: "m" }, [greeting, { result: { sessionId: "s1", configOptions } }, taken, over]);
  expect(option.outcome).toEqual({ kind: "ok" });
  expect(option.told("session/set_config_option")).toEqual([{ sessionId: "s1", configId: "llm", value: "m" }]);

  const models = { availableModels: [{ modelId: "a" }], currentModelId: "a" };
  const listed = talk({ model: "m" }, [greeting, { result: { sessionId: "s1", models } }, { result: {} }, over]);
  expect(listed.outcome).toEqual({ kind: "ok" });
  expect(listed.told("session/set_model")).toEqual([{ sessionId: "s1", modelId: "m" }]);

  const effort = [{ id: "reasoning", category: "thought_level", currentValue: "low" }];
  const both = { result: { sessionId: "s1", configOptions: [...configOptions, ...effort] } };
  const chosen = talk({ model: "m", effort: "high" }, [greeting, both, taken, { result: {} }, over]);
  expect(chosen.told("session/set_config_option")).toEqual([
    { sessionId: "s1", configId: "llm", value: "m" },
    { sessionId: "s1", configId: "reasoning", value: "high" },
  ]);
});

test("a model that cannot be chosen, is refused or is not taken ends the session before it is prompted", () => {
  const configOptions = [{ id: "model", category: "model", currentValue: "a" }];
  const offering = { result: { sessionId: "s1", configOptions } };
  const refusing = { error: { code: -32602, message: "model not found: m" } };
  const cases = [
    [[opened], "the agent does not let Stint choose the model, but m is set"],
    [[offering, refusing], "the agent refused the model m: model not found: m"],
    [[offering, { result: { configOptions } }], "the agent did not accept the model m"],
  ] as const;
  for (const [answers, detail] of cases) {
    const ended = talk({ model: "m" }, [greeting, ...answers, over]);
    expect(ended.outcome).toEqual({ kind: "misconfigured", detail });
    expect(ended.told("session/prompt")).toEqual([]);
  }
  expect(talk({ effort: "high" }, [greeting, opened, over]).outcome).toEqual({
    kind: "misconfigured",
    detail: "the agent does not let Stint choose the effort, but high is set",
  });
  expect(talk({}, [greeting, opened, over]).outcome).toEqual({ kind: "ok" });
});

test("servers are handed over; one over HTTP only to an agent that takes it", () => {
  const mcp = {
    local: { command: "node", args: ["m.mjs"], env: { KEY: "v" } },
    far: { url: "http://127.0.0.1:1/", headers: { A: "b" } },
  };
  const local = { name: "local", command: "node", args: ["m.mjs"], env: [{ name: "KEY", value: "v" }] };
  const without = talk({ mcp }, [greeting, opened, over]);
  expect(without.told("session/new")).toMatchObject([{ mcpServers: [local] }]);
  expect(without.events).toEqual([
    { type: "notice", text: "the agent does not support MCP servers over HTTP: far is left out" },
  ]);
  const far = { type: "http", name: "far", url: "http://127.0.0.1:1/", headers: [{ name: "A", value: "b" }] };
  const taking = talk({ mcp }, [greetingWith({ mcpCapabilities: { http: true } }), opened, over]);
  expect(taking.told("session/new")).toMatchObject([{ mcpServers: [local, far] }]);
});

test("an error in place of an answer is recognised by its code and fields, never by its text", () => {
  const required = { error: { code: -32000, message: "Authentication required" } };
  expect(talk({}, [greeting, opened, required]).outcome).toEqual({
    kind: "auth",
    detail: "session/prompt: error -32000: Authentication required",
  });
  expect(talk({}, [greeting, { error: { code: -32000, message: "Log in first" } }]).outcome).toEqual({
    kind: "auth",
    detail: "session/new: error -32000: Log in first",
  });
  const kindOf = (code: number, data?: object, message = "m") => errorOutcome({ code, message, data }, "x");
  expect(kindOf(401)).toMatchObject({ kind: "auth" });
  expect(kindOf(429)).toEqual({ kind: "limit", until: null });
  expect(kindOf(-32603, { errorKind: "rate_limit" })).toEqual({ kind: "limit", until: null });
  expect(kindOf(-32603, { statusCode: 503 })).toMatchObject({ kind: "overloaded" });
  expect(kindOf(500)).toMatchObject({ kind: "crashed" });
  expect(kindOf(-32603, {}, "429 rate limit exceeded, 401")).toEqual({
    kind: "crashed",
    detail: "x: error -32603: 429 rate limit exceeded, 401",
  });
});

test("why the agent stopped decides what becomes of the session", () => {
  expect(stopOutcome("end_turn")).toEqual({ kind: "ok" });
  expect(stopOutcome("refusal")).toEqual({ kind: "refused", detail: "the agent refused to continue" });
  expect(stopOutcome("max_tokens")).toEqual({ kind: "context", detail: "the agent reached its limit of tokens" });
  expect(stopOutcome("max_turn_requests")).toMatchObject({ kind: "context" });
  expect(stopOutcome("cancelled")).toEqual({ kind: "crashed", detail: "the agent cancelled its own turn" });
  expect(stopOutcome(undefined)).toEqual({
    kind: "crashed",
    detail: "the agent stopped for an unknown reason: undefined",
  });
});

test("the cancellation names the session, and comes only while there is one to cancel", () => {
  const lines: string[] = [];
  const begun = conversation((text) => lines.push(text));
  begun.cancel();
  expect(lines.join()).not.toContain("session/cancel");
  answer(begun, 1, { protocolVersion: 1 });
  answer(begun, 2, { sessionId: "s1" });
  begun.cancel();
  expect(lines.at(-1)).toBe('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}\n');
  answer(begun, 3, { stopReason: "end_turn" });
  begun.cancel();
  expect(lines.filter((line) => line.includes("session/cancel"))).toHaveLength(1);
});

test("standard input ends with the session, so that an agent that waits for more ends too", () => {
  let ended = false;
  const hangUp = (): void => {
    ended = true;
  };
  const begun = conversation(() => undefined, { hangUp });
  answer(begun, 1, { protocolVersion: 1 });
  answer(begun, 2, { sessionId: "s1" });
  expect(ended).toBe(false);
  expect(answer(begun, 3, { stopReason: "end_turn" }).final).toBe(true);
  expect(ended).toBe(true);
});

test("no message makes it throw", () => {
  const method = fc.constantFrom("session/update", "session/request_permission", "fs/read_text_file", undefined);
  const update = fc.constantFrom("agent_message_chunk", "tool_call", "tool_call_update", "usage_update", "plan");
  const fields = fc.dictionary(
    fc.constantFrom("content", "kind", "status", "title", "cost", "locations", "toolCallId"),
    fc.jsonValue(),
  );
  const params = fc.record({
    sessionId: fc.constantFrom<unknown>("s1", 7),
    update: fc.tuple(update, fields).map(([sessionUpdate, more]) => ({ ...more, sessionUpdate })),
    toolCall: fields,
    options: fc.jsonValue(),
  });
  const message = fc.record(
    { id: fc.constantFrom<unknown>(1, 2, 3, "a", null), method, params, result: fc.jsonValue(), error: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(message, fc.jsonValue())), fc.boolean(), (messages, opened) => {
      const begun = conversation(() => undefined);
      if (opened) {
        answer(begun, 1, { protocolVersion: 1 });
        answer(begun, 2, { sessionId: "s1" });
      }
      for (const each of messages) begun.hear(JSON.stringify(each));
      begun.usage();
      begun.outcome();
    }),
  );
});

test("neither depth nor methods of what it receives make it throw", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const hostile = '{"toString":1,"valueOf":1}';
  for (const value of [deep, hostile]) {
    const lines = [
      `{"id":1,"result":{"protocolVersion":${value}}}`,
      `{"id":2,"result":{"sessionId":"s1","configOptions":[{"id":${value},"category":"model"}]}}`,
      `{"id":3,"result":{"stopReason":${value}}}`,
      `{"id":${value},"method":"m","params":${value}}`,
      `{"id":1,"error":{"code":${value},"message":${value},"data":${value}}}`,
    ];
    for (const [index, line] of lines.entries()) {
      const begun = conversation(() => undefined, { more: { model: index === 1 ? "m" : undefined } });
      if (index > 0) answer(begun, 1, { protocolVersion: 1 });
      if (index > 1) answer(begun, 2, { sessionId: "s1" });
      expect(() => begun.hear(line)).not.toThrow();
    }
  }
});

function answer(session: ReturnType<typeof converse>, id: number, result: object) {
  return session.hear(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
