import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acpDriver } from "../../../../src/agents/acp/driver.ts";
import { errorOutcome, stopOutcome } from "../../../../src/agents/acp/outcome.ts";
import { permissionAnswer } from "../../../../src/agents/acp/permission.ts";
import { converse } from "../../../../src/agents/acp/conversation.ts";
import type { AgentEvent, SessionRequest } from "../../../../src/agents/driver-kit/agent.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { processLimits } from "../../../../src/process/limits.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "acp-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("a session is greeted without file or terminal capability, opened in the workspace and prompted", async () => {
  const { outcome, usage, sessionId } = await session({
    turn: [
      { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Working" } } },
      {
        update: { sessionUpdate: "tool_call", toolCallId: "c", kind: "edit", title: "Write a.txt", status: "pending" },
      },
      {
        update: {
          sessionUpdate: "tool_call_update",
          toolCallId: "c",
          status: "completed",
          content: [{ type: "diff", path: "/w/a.txt", oldText: null, newText: "a" }],
        },
      },
      { session: "of another", update: { sessionUpdate: "agent_message_chunk", content: { text: "not ours" } } },
      { update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.25, currency: "USD" } } },
    ],
    answer: {
      result: {
        stopReason: "end_turn",
        usage: { inputTokens: 200, outputTokens: 34, totalTokens: 1234, cachedReadTokens: 1000 },
      },
    },
  });

  const used = { inputTokens: 1200, outputTokens: 34, usd: 0.25 };
  expect({ outcome, usage, sessionId }).toEqual({ outcome: { kind: "ok" }, usage: used, sessionId: "s1" });
  expect(events).toEqual([
    { type: "text", text: "Working" },
    { type: "tool", name: "edit", detail: "Write a.txt" },
    { type: "file", path: "/w/a.txt", change: "add" },
    { type: "usage", usage: { inputTokens: 0, outputTokens: 0, usd: 0.25 } },
    { type: "usage", usage: used },
  ]);
  const workspace = path.join(folder, "workspace");
  expect(heard().map(({ method, params }) => ({ method, params }))).toEqual([
    {
      method: "initialize",
      params: {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: "stint", version: "1" },
      },
    },
    { method: "session/new", params: { cwd: workspace, mcpServers: [] } },
    { method: "session/prompt", params: { sessionId: "s1", prompt: [{ type: "text", text: "Do the task." }] } },
  ]);
});

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

test("an image goes along to an agent that takes images, and as a link to one that does not", async () => {
  const file = path.join(folder, "login.png");
  fs.writeFileSync(file, "pixels");
  const inputs = [
    { path: "/inbox/inputs/login page.png", file, mediaType: "image/png" },
    { path: "/inbox/inputs/a.md", file, mediaType: "text/plain" },
  ];
  const text = { type: "text", text: "Do the task." };
  await session({ initialize: greetingWith({ promptCapabilities: { image: true } }) }, { inputs });
  expect(said("session/prompt")).toEqual([
    { sessionId: "s1", prompt: [text, { type: "image", mimeType: "image/png", data: "cGl4ZWxz" }] },
  ]);
  const uri = "file:///inbox/inputs/login%20page.png";
  const link = { type: "resource_link", name: "login page.png", uri, mimeType: "image/png" };
  expect(talk({ inputs }, [greeting, opened, over]).told("session/prompt")).toEqual([
    { sessionId: "s1", prompt: [text, link] },
  ]);
});

test("a permission is given once for work inside, and refused for what is outside", async () => {
  const inside = path.join(folder, "workspace", "a.txt");
  await session({ turn: [permission("edit", inside), permission("edit", "/etc/passwd"), permission("execute")] });
  const chosen = heard().flatMap(({ id, result }) => (result === undefined ? [] : [[id, result]]));
  expect(chosen).toEqual([
    ["r1", { outcome: { outcome: "selected", optionId: "once" } }],
    ["r2", { outcome: { outcome: "selected", optionId: "no" } }],
    ["r3", { outcome: { outcome: "selected", optionId: "once" } }],
  ]);
  expect(events.filter(({ type }) => type === "notice")).toEqual([
    { type: "notice", text: "permission denied to the agent: edit /etc/passwd" },
  ]);
});

test("what is allowed depends on the kind of call, the paths it names and the sandbox", () => {
  const allowed = (call: object, more: object = {}): boolean => {
    const folders = { workspace: "/w", outbox: "/o", inbox: "/i", home: "/h", tmp: "/tmp" };
    const options = [{ kind: "allow_once", optionId: "once" }];
    return permissionAnswer({ toolCall: call, options }, { folders, confined: false, mcp: {}, ...more }).allowed;
  };
  const at = (kind: string, ...paths: unknown[]) => ({ kind, locations: paths.map((each) => ({ path: each })) });
  const confined = { confined: true };
  const mcp = { server: { command: "node", args: [], env: {} } };
  for (const kind of ["edit", "delete", "move"]) {
    expect(allowed(at(kind, "/w/a", "/o/report.json"))).toBe(true);
    expect(allowed(at(kind, "src/a"))).toBe(true);
    for (const outside of ["/w/../etc/a", "/wx/a", "../a", "/i/a", "/", 7])
      expect(allowed(at(kind, "/w/a", outside))).toBe(false);
    expect(allowed(at(kind))).toBe(false);
    expect(allowed(at(kind, "/elsewhere"), confined)).toBe(true);
  }
  expect(allowed({ kind: "edit", content: [{ type: "diff", path: "/etc/a" }] })).toBe(false);
  expect(allowed(at("read", "/i/plan.md"))).toBe(true);
  expect(allowed(at("read", "/root/.ssh/id"))).toBe(false);
  expect(allowed({ kind: "execute" })).toBe(true);
  expect(allowed({ kind: "fetch" })).toBe(false);
  expect(allowed({ kind: "fetch" }, confined)).toBe(true);
  for (const call of [{}, { kind: "other" }]) {
    expect(allowed(call, confined)).toBe(false);
    expect(allowed(call, { ...confined, mcp })).toBe(true);
  }
  for (const kind of ["switch_mode", "of another version", 7])
    expect(allowed({ kind }, { confined: true, mcp })).toBe(false);
});

test("a permission is never given for ever, and nothing offered means cancelled", () => {
  const folders = { workspace: "/w", outbox: "", inbox: "", home: "/h", tmp: "/tmp" };
  const answerTo = (...kinds: string[]) => {
    const options = kinds.map((kind) => ({ kind, optionId: kind }));
    return permissionAnswer({ toolCall: { kind: "execute" }, options }, { folders, confined: true, mcp: {} }).answer;
  };
  expect(answerTo("allow_always", "reject_once")).toEqual({
    outcome: { outcome: "selected", optionId: "reject_once" },
  });
  expect(answerTo("allow_always", "allow_once")).toEqual({ outcome: { outcome: "selected", optionId: "allow_once" } });
  expect(answerTo("allow_always")).toEqual({ outcome: { outcome: "cancelled" } });
});

test("files and terminals are not given, however often they are asked for", async () => {
  const params = { sessionId: "s1", path: "/etc/passwd", command: "sh" };
  const methods = ["fs/read_text_file", "fs/write_text_file", "terminal/create", "of/another"];
  const turn = methods.map((method) => ({ flood: 500, request: { method, params } }));
  expect(await outcomeOf({ turn })).toEqual({ kind: "ok" });
  const answers = heard().filter(({ id }) => String(id).startsWith("r"));
  expect(answers).toHaveLength(2000);
  expect(new Set(answers.map(({ error, result }) => JSON.stringify({ error, result })))).toEqual(
    new Set(['{"error":{"code":-32601,"message":"Method not found"}}']),
  );
});

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

test("an answer that quotes a limit changes nothing", async () => {
  const text = "Error 429: rate limit exceeded, quota exhausted";
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  expect(await outcomeOf({ turn: [{ update: chunk }] })).toEqual({ kind: "ok" });
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

test("an agent that ends too early or speaks another version has crashed", async () => {
  expect(await outcomeOf({ exitAt: "initialize" })).toEqual({ kind: "crashed", detail: "exit 3 before its answer" });
  expect(await outcomeOf({ exitAt: "session/prompt" })).toEqual({
    kind: "crashed",
    detail: "exit 3 before its answer",
  });
  expect(talk({}, [{ result: { protocolVersion: 2 } }]).outcome).toEqual({
    kind: "crashed",
    detail: "the agent speaks version 2 of ACP, not 1",
  });
  expect(talk({}, [greeting, { result: {} }]).outcome).toEqual({
    kind: "crashed",
    detail: "the agent opened a session without an id",
  });
});

test("one that is stopped gets a cancel request before it is killed", async () => {
  const stop = new AbortController();
  const working = { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Working" } } };
  const observe = (): void => stop.abort();
  const outcome = await outcomeOf({ turn: [working], answer: null }, { signal: stop.signal, observe });
  expect(outcome).toEqual({ kind: "interrupted", detail: "stopped by Stint" });
  expect(said("session/cancel")).toEqual([{ sessionId: "s1" }]);
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

test("noise, answers to no request and a line beyond the bound have no effect", async () => {
  const raw = ["not JSON", "[]", "null", '{"id":99,"result":{"stopReason":"refusal"}}', '{"result":{}}', '{"id":3}x'];
  const turn = [...raw.map((line) => ({ raw: line })), { long: processLimits.agentLineBytesMax + 1 }];
  expect(await outcomeOf({ turn })).toEqual({ kind: "ok" });
  expect(events).toEqual([]);
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

let events: AgentEvent[];

async function session(script: object, more: Partial<SessionRequest> = {}) {
  events = [];
  fs.rmSync(path.join(folder, "workspace", "heard.jsonl"), { force: true });
  const peer = path.resolve("test/rig/acp-peer.mjs");
  const request = sessionRequest(folder, {
    command: [process.execPath, peer, JSON.stringify(script)],
    observe: (event) => events.push(event),
    ...more,
  });
  return await acpDriver.run(request);
}

async function outcomeOf(script: object, more: Partial<SessionRequest> = {}) {
  return (await session(script, more)).outcome;
}

interface Heard {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What the agent was told. */
function heard(): Heard[] {
  const file = path.join(folder, "workspace", "heard.jsonl");
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
  return lines.map((line) => JSON.parse(line) as Heard);
}

function said(method: string): unknown[] {
  return heard()
    .filter((message) => message.method === method)
    .map(({ params }) => params);
}

function permission(kind: string, file?: string) {
  const options = [
    { kind: "allow_always", optionId: "always" },
    { kind: "allow_once", optionId: "once" },
    { kind: "reject_once", optionId: "no" },
  ];
  const locations = file === undefined ? [] : [{ path: file }];
  const toolCall = { toolCallId: `${kind} ${file}`, kind, title: `${kind} ${file}`, locations };
  return { request: { method: "session/request_permission", params: { sessionId: "s1", toolCall, options } } };
}

const greeting = { result: { protocolVersion: 1 } };

const opened = { result: { sessionId: "s1" } };

const over = { result: { stopReason: "end_turn" } };

function greetingWith(agentCapabilities: object) {
  return { result: { protocolVersion: 1, agentCapabilities } };
}

/** A whole session without a process: one answer for each request. */
function talk(more: Partial<SessionRequest>, answers: readonly object[]) {
  const lines: Heard[] = [];
  const session = conversation((text) => lines.push(JSON.parse(text) as Heard), { more });
  const heardEvents = answers.flatMap((each, index) => session.hear(JSON.stringify({ id: index + 1, ...each })).events);
  const told = (method: string) => lines.filter((line) => line.method === method).map(({ params }) => params);
  return { outcome: session.outcome(), events: heardEvents, told };
}

function conversation(
  say: (text: string) => void,
  { more = {}, hangUp = () => undefined }: { more?: Partial<SessionRequest>; hangUp?: () => void } = {},
) {
  const { enclosure, ...request } = sessionRequest(folder, more);
  const begun = converse({ ...request, folders: enclosure.folders, confined: false, images: new Map() });
  begun.begin(say, hangUp);
  return begun;
}

function answer(session: ReturnType<typeof converse>, id: number, result: object) {
  return session.hear(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
