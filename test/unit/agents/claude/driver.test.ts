import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claude, claudeDriver } from "../../../../src/agents/claude/driver.ts";
import { damagedLines, dialectWish, hearing, recordedFile, recordedLines } from "../../../rig/recorded.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "claude-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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
