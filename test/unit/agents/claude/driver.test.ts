import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claude, claudeDriver } from "../../../../src/agents/claude/driver.ts";
import { dialectWish, recordedFile } from "../../../rig/recorded.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "claude-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("confined it may do everything; the repository's settings are left out, its CLAUDE.md is not", () => {
  const { args, env, stdin } = claude.invoke(dialectWish({ model: "model-a", effort: "high" }));
  expect(args.join(" ")).toBe(
    "-p --output-format stream-json --verbose --model model-a --effort high --setting-sources user --strict-mcp-config --dangerously-skip-permissions --add-dir /workspace /outbox /inbox",
  );
  expect(env).toEqual({
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    IS_SANDBOX: "1",
    CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1",
  });
  expect(stdin).toBe("Do the task.");
});

test("values of servers are in the environment, not on the command line", () => {
  const mcp = {
    probe: { command: "node", args: ["p.mjs"], env: { KEY: "very-secret" } },
    docs: { url: "http://127.0.0.1/mcp", headers: { Authorization: "very-secret-too" } },
  };
  const { args, env } = claude.invoke(dialectWish({ mcp }));
  expect(args.join(" ")).not.toContain("very-secret");
  expect(args.join(" ")).toContain('"env":{"KEY":"${STINT_MCP_0}"}');
  expect(args.join(" ")).toContain('"headers":{"Authorization":"${STINT_MCP_1}"}');
  expect(env).toMatchObject({ STINT_MCP_0: "very-secret", STINT_MCP_1: "very-secret-too" });
});

test("unconfined it may edit in its folders and use the shell and the given servers", () => {
  const mcp = {
    probe: { command: "node", args: ["p.mjs"], env: {} },
    docs: { url: "http://127.0.0.1/mcp", headers: {} },
  };
  const { args, env } = claude.invoke(dialectWish({ confined: false, mcp }));
  expect(args.slice(args.indexOf("--mcp-config"))).toEqual([
    "--mcp-config",
    '{"mcpServers":{"probe":{"type":"stdio","command":"node","args":["p.mjs"],"env":{}},"docs":{"type":"http","url":"http://127.0.0.1/mcp","headers":{}}}}',
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    "Bash,mcp__probe,mcp__docs",
    "--add-dir",
    "/workspace",
    "/outbox",
    "/inbox",
  ]);
  expect(env).not.toHaveProperty("IS_SANDBOX");
});

test("the repository's settings are honoured where they were approved", () => {
  const { args } = claude.invoke(dialectWish({ repoSettings: true }));
  expect(args.join(" ")).toBe(
    "-p --output-format stream-json --verbose --setting-sources user,project,local --dangerously-skip-permissions --add-dir /outbox /inbox",
  );
});

test("images go along with the prompt, other inputs stay in the inbox", async () => {
  fs.writeFileSync(path.join(folder, "a.png"), "image");
  const inputs = [
    { path: "/inbox/inputs/a.png", file: path.join(folder, "a.png"), mediaType: "image/png" },
    { path: "/inbox/inputs/a.md", file: path.join(folder, "a.md"), mediaType: "text/plain" },
  ];
  const replay = `cat > prompt.json; cat ${recordedFile("claude", "edit-and-shell")}`;
  await claudeDriver.run(sessionRequest(folder, { command: ["sh", "-c", replay], inputs }));
  expect(JSON.parse(fs.readFileSync(path.join(folder, "workspace/prompt.json"), "utf8"))).toEqual({
    type: "user",
    message: {
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1hZ2U=" } },
        { type: "text", text: "Do the task." },
      ],
    },
  });
});

test("a session of the program is run with the prompt on standard input and concluded from its output", async () => {
  const replay = `cat > prompt.txt; cat ${recordedFile("claude", "usage-limit")}; exit 1`;
  const result = await claudeDriver.run(sessionRequest(folder, { command: ["sh", "-c", replay] }));
  expect(result).toEqual({
    outcome: { kind: "limit", until: "2026-11-16T01:51:50.000Z" },
    report: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    sessionId: "9488a78c-e29c-4732-968b-808087250444",
    program: { durationMs: expect.any(Number), usedTools: false },
  });
  expect(fs.readFileSync(path.join(folder, "workspace/prompt.txt"), "utf8")).toBe("Do the task.");
});

test("the program is asked how it is logged in", () => {
  const read = (output: string) => claude.facts.login?.read({ code: 0, output });
  expect(read('{\n  "loggedIn": false,\n  "authMethod": "none"\n}\n')).toEqual({
    loggedIn: false,
    how: "not logged in",
  });
  expect(read('{"loggedIn": true, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}')).toEqual({
    loggedIn: true,
    how: "API key from ANTHROPIC_API_KEY",
  });
  expect(read('{"loggedIn": true, "authMethod": "claude.ai", "subscriptionType": "max"}')).toEqual({
    loggedIn: true,
    how: "claude.ai, max",
  });
  expect(read('{"loggedIn": true, "authMethod": "oauth_token"}')?.how).toBe("token from the environment");
  expect(read('{"loggedIn": true, "authMethod": "third_party", "apiProvider": "bedrock"}')?.how).toBe("bedrock");
  expect(read("error: unknown command 'auth'\n")).toEqual({ loggedIn: false, how: "error: unknown command 'auth'" });
});

test("the expiry of a kept login is read from a plain file, and never waited for", async () => {
  const expiry = async () => claude.facts.loginExpiry?.(folder);
  expect(await expiry()).toBeNull();
  const file = path.join(folder, ".claude/.credentials.json");
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, '{"claudeAiOauth":{"accessToken":"a","refreshToken":"r","expiresAt":1794790310000}}');
  expect(await expiry()).toBe(1_794_790_310_000);
  fs.writeFileSync(file, '{"claudeAiOauth":{"expiresAt":"soon"}}');
  expect(await expiry()).toBeNull();
  fs.rmSync(file);
  execFileSync("mkfifo", [file]);
  expect(await expiry()).toBeNull();
});

test.each([
  ["a program that does not know an option", "echo \"error: unknown option '--x'\" >&2", "error: unknown option '--x'"],
  [
    "a program of another Node",
    "printf 'x.js:3\\n  foo\\n  ^\\n\\nSyntaxError: no such export\\n    at y\\n\\nNode.js v20.20.2\\n' >&2",
    "SyntaxError: no such export",
  ],
  ["a program that only wrote events", 'echo \'{"type":"system","subtype":"init"}\'', undefined],
])("the last words of %s are kept", async (_, script, lastWords) => {
  const command = ["sh", "-c", `cat > prompt.txt; ${script}; exit 1`];
  const { outcome, program } = await claudeDriver.run(sessionRequest(folder, { command }));
  expect(outcome).toEqual({ kind: "crashed", detail: "exit 1 without a final event" });
  const falseStart = ["exit 1 without a final event", ...(lastWords === undefined ? [] : [lastWords])].join(": ");
  const facts = { durationMs: expect.any(Number) as number, usedTools: false, falseStart };
  expect(program).toEqual({ ...facts, ...(lastWords && { lastWords }) });
});

test("a tool call and the version are heard, and a final event leaves no other last words", async () => {
  const call = { type: "assistant", message: { content: [{ type: "tool_use", name: "Bash", input: {} }] } };
  const lines = [{ type: "system", subtype: "init", claude_code_version: "2.1.197" }, call, { type: "result" }];
  const output = lines.map((line) => JSON.stringify(line)).join("\n");
  const command = ["sh", "-c", `cat > prompt.txt; echo a warning >&2; printf '%s\\n' '${output}'; exit 3`];
  const { outcome, program } = await claudeDriver.run(sessionRequest(folder, { command }));
  expect(outcome).toEqual({ kind: "crashed", detail: "exit 3" });
  expect(program).toEqual({ durationMs: expect.any(Number), usedTools: true, version: "2.1.197" });
});
