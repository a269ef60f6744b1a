import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentEvent } from "../../../../src/agents/driver-kit/agent.ts";
import type { DialectWish } from "../../../../src/agents/driver-kit/dialect.ts";
import { parseRecord } from "../../../../src/agents/driver-kit/dialect.ts";
import { gemini, geminiDriver } from "../../../../src/agents/gemini/driver.ts";
import type { OwnEnd } from "../../../../src/agents/driver-kit/session.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gemini-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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
  expect(gemini.listen().conclude(exit(41))).toEqual({ kind: "auth", detail: "exit 41 without a result" });
  for (const code of [1, 42, 52, 55]) expect(gemini.listen().conclude(exit(code))).toMatchObject({ kind: "crashed" });
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

test("confined it may do everything; unconfined its file tools stay inside, and the shell is allowed by name", () => {
  expect(gemini.invoke(wish({ confined: true, model: "m" })).args).toEqual([
    ...["-o", "stream-json", "-m", "m", "--approval-mode", "yolo"],
    ...["--include-directories", "/outbox", "--include-directories", "/inbox", "-e", "none", "--skip-trust"],
  ]);
  const { args, homeFiles } = gemini.invoke(wish({ confined: false }));
  expect(args).toEqual([
    ...["-o", "stream-json", "--approval-mode", "auto_edit", "--policy", "/home/.gemini/stint/policy.toml"],
    ...["--include-directories", "/outbox", "--include-directories", "/inbox", "-e", "none", "--skip-trust"],
  ]);
  expect(homeFiles?.[".gemini/stint/policy.toml"]).toContain('"run_shell_command"');
});

test("settings of the repository are let in only where they were approved", () => {
  const without = gemini.invoke(wish({ repoSettings: false }));
  expect(without.env["GEMINI_CLI_TRUST_WORKSPACE"]).toBe("");
  expect(without.args).toContain("--skip-trust");
  expect(settingsOf(without)).toMatchObject({
    security: { auth: { useExternal: true }, folderTrust: { enabled: true } },
    advanced: { ignoreLocalEnv: true },
  });
  const approved = gemini.invoke(wish({ repoSettings: true }));
  expect(approved.env["GEMINI_CLI_TRUST_WORKSPACE"]).toBe("true");
  expect(approved.args).not.toContain("--skip-trust");
});

test("the login is the one the environment has, else the one kept in its home; its retries are off", () => {
  const type = (env: Record<string, string>) => settingsOf(gemini.invoke(wish({ env }))).security.auth.selectedType;
  expect(type({ GEMINI_API_KEY: "k" })).toBe("gemini-api-key");
  expect(type({ GEMINI_API_KEY: "k", GOOGLE_GENAI_USE_VERTEXAI: "true" })).toBe("vertex-ai");
  expect(type({ GEMINI_CLI_USE_COMPUTE_ADC: "true" })).toBe("compute-default-credentials");
  expect(type({ GEMINI_API_KEY: "" })).toBe("oauth-personal");
  expect(settingsOf(gemini.invoke(wish({}))).general.maxAttempts).toBe(1);
});

test("settings are the same for all sessions; servers come in a file named after its content", () => {
  const one = { a: { command: "node", args: ["a.mjs"], env: { KEY: "v" } } };
  const two = { a: { url: "http://127.0.0.1:1/mcp", headers: { Authorization: "x" } } };
  const [none, first, second] = [{}, one, two].map((mcp) => gemini.invoke(wish({ mcp })));
  expect(new Set([none, first, second].map((each) => each?.homeFiles?.[".gemini/settings.json"])).size).toBe(1);
  expect(extensionOf(first).mcpServers).toEqual({
    a: { command: "node", args: ["a.mjs"], env: { KEY: "${STINT_MCP_0}" } },
  });
  expect(extensionOf(second).mcpServers).toEqual({
    a: { httpUrl: "http://127.0.0.1:1/mcp", headers: { Authorization: "${STINT_MCP_0}" } },
  });
  expect([first?.env["STINT_MCP_0"], second?.env["STINT_MCP_0"]]).toEqual(["v", "x"]);
  expect(extensionOf(first).name).not.toBe(extensionOf(second).name);
});

test("images are mentioned after the prompt by their paths in the inbox; texts are left there", () => {
  const inputs = [
    { path: "/inbox/inputs/login (1).png", file: "/host/1", mediaType: "image/png" },
    { path: "/inbox/inputs/auth.md", file: "/host/2", mediaType: "text/plain" },
  ];
  const { stdin } = gemini.invoke(wish({ prompt: "Look.", inputs }));
  expect(stdin).toBe(String.raw`Look.` + "\n\n" + String.raw`@/inbox/inputs/login\ \(1\)\.png`);
});

test("a run gives it the prompt, its settings and its environment, and reads its output", async () => {
  const lines = path.resolve("test/fixtures/gemini/status-429-in-1-h.jsonl");
  const script = `cat > prompt.txt; echo "$GEMINI_CLI_NO_RELAUNCH" > env.txt; echo noise; cat ${lines}; exit 173`;
  const observed: AgentEvent[] = [];
  const request = sessionRequest(folder, {
    command: ["/bin/sh", "-c", script],
    observe: (event) => observed.push(event),
  });

  const { outcome, usage, sessionId } = await geminiDriver.run(request);

  expect(outcome).toEqual({ kind: "limit", until: after("status-429-in-1-h", 3600) });
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0, usd: 0 });
  expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(observed).toEqual([{ type: "usage", usage }]);
  expect(fs.readFileSync(path.join(request.workspace, "prompt.txt"), "utf8")).toBe("Do the task.");
  expect(fs.readFileSync(path.join(request.workspace, "env.txt"), "utf8")).toBe("true\n");
  expect(fs.readdirSync(path.join(request.home, ".gemini")).toSorted()).toEqual(["settings.json", "stint"]);
  expect(fs.statSync(path.join(request.home, ".gemini/settings.json")).mode & 0o777).toBe(0o600);
});

test("when its login runs out is read from its home, where it says so", async () => {
  const { loginExpiry, login } = gemini.facts;
  expect(await loginExpiry?.(folder)).toBeNull();
  const file = path.join(folder, ".gemini/oauth_creds.json");
  fs.mkdirSync(path.dirname(file));
  for (const [text, expected] of [
    ['{"access_token":"t","expiry_date":1794788852020}', 1794788852020],
    ['{"expiry_date":"soon"}', null],
    ["{", null],
  ] as const) {
    fs.writeFileSync(file, text);
    expect(await loginExpiry?.(folder)).toBe(expected);
  }
  expect(login?.read({ code: 42, output: "" }).loggedIn).toBe(true);
  expect(login?.read({ code: 41, output: "" })).toEqual({ loggedIn: false, how: "not logged in" });
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

function wish(more: Partial<DialectWish>): DialectWish {
  const folders = { workspace: "/workspace", home: "/home", tmp: "/tmp", outbox: "/outbox", inbox: "/inbox" };
  return { prompt: "p", inputs: [], mcp: {}, repoSettings: false, folders, confined: true, env: {}, ...more };
}

function settingsOf({ homeFiles }: ReturnType<typeof gemini.invoke>) {
  return JSON.parse(homeFiles?.[".gemini/settings.json"] ?? "") as {
    security: { auth: { selectedType: string } };
    general: { maxAttempts: number };
  };
}

function extensionOf(invocation: ReturnType<typeof gemini.invoke> | undefined) {
  const { args = [], homeFiles = {} } = invocation ?? {};
  const name = args[args.indexOf("-e") + 1] ?? "";
  const text = homeFiles[`.gemini/extensions/${name}/gemini-extension.json`] ?? "";
  return JSON.parse(text) as { name: string; mcpServers: unknown };
}
