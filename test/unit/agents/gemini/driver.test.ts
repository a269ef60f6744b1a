import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentEvent } from "../../../../src/agents/driver-kit/agent.ts";
import { type DialectWish, parseRecord } from "../../../../src/agents/driver-kit/dialect.ts";
import { gemini, geminiDriver } from "../../../../src/agents/gemini/driver.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gemini-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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

function fixture(name: string): string[] {
  return fs.readFileSync(`test/fixtures/gemini/${name}.jsonl`, "utf8").trim().split("\n");
}

/** So many seconds after the last line of the recording. */
function after(name: string, seconds: number): string {
  const { timestamp } = parseRecord(fixture(name).at(-1) ?? "") ?? {};
  return new Date(Date.parse(String(timestamp)) + seconds * 1000).toISOString();
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
