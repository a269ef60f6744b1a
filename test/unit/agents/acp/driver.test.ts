import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acpDriver } from "../../../../src/agents/acp/driver.ts";
import type { AgentEvent, SessionRequest } from "../../../../src/agents/driver-kit/agent.ts";
import { processLimits } from "../../../../src/process/limits.ts";
import { sessionRequest } from "../../../rig/session.ts";
import { greeting, greetingWith, opened, over, talkIn, type Heard } from "../../../rig/acp-talk.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "acp-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const talk = (more: Partial<SessionRequest>, answers: readonly object[]) => talkIn(folder, more, answers);

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

test("an answer that quotes a limit changes nothing", async () => {
  const text = "Error 429: rate limit exceeded, quota exhausted";
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  expect(await outcomeOf({ turn: [{ update: chunk }] })).toEqual({ kind: "ok" });
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

test("noise, answers to no request and a line beyond the bound have no effect", async () => {
  const raw = ["not JSON", "[]", "null", '{"id":99,"result":{"stopReason":"refusal"}}', '{"result":{}}', '{"id":3}x'];
  const turn = [...raw.map((line) => ({ raw: line })), { long: processLimits.agentLineBytesMax + 1 }];
  expect(await outcomeOf({ turn })).toEqual({ kind: "ok" });
  expect(events).toEqual([]);
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
