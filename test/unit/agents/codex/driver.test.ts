import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codex, codexDriver } from "../../../../src/agents/codex/driver.ts";
import { dialectWish, recordedFile } from "../../../rig/recorded.ts";
import { sessionFolders, sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "codex-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const url = "url: http://127.0.0.1:8099/v1/responses";

const quiet = [
  "-c",
  "check_for_update_on_startup=false",
  "-c",
  'analytics={"enabled"=false}',
  "-c",
  'features={"unbounded_connection_retries"=false,"daemon_auto_start"=false}',
];

test("confined it may do everything; the repository's settings are not trusted", () => {
  const { args, env } = codex.invoke(dialectWish({ model: "model-a", effort: "high" }));
  expect(args).toEqual([
    ...quiet,
    "-c",
    'model_reasoning_effort="high"',
    "-c",
    'projects={"/workspace"={"trust_level"="untrusted"}}',
    "exec",
    "--json",
    "--skip-git-repo-check",
    "-m",
    "model-a",
    "--dangerously-bypass-approvals-and-sandbox",
    "-",
  ]);
  expect(env).toEqual({});
});

test("unconfined it confines itself to the workspace and the outbox, where its temporary files go, too", () => {
  const { args, env } = codex.invoke(dialectWish({ confined: false }));
  expect(args.slice(args.indexOf("-c") + quiet.length)).toEqual([
    "-c",
    'projects={"/workspace"={"trust_level"="untrusted"}}',
    "-c",
    'sandbox_workspace_write={"writable_roots"=["/outbox"],"exclude_slash_tmp"=true,"exclude_tmpdir_env_var"=true,"network_access"=true}',
    "exec",
    "--json",
    "--skip-git-repo-check",
    "-s",
    "workspace-write",
    "-",
  ]);
  expect(env).toEqual({ TMPDIR: "/outbox" });
});

test("the repository's settings and hooks are trusted where they were approved", () => {
  const { args, stdin } = codex.invoke(dialectWish({ repoSettings: true }));
  expect(args).toContain('projects={"/workspace"={"trust_level"="trusted"}}');
  expect(args.slice(-3)).toEqual([
    "--dangerously-bypass-hook-trust",
    "--dangerously-bypass-approvals-and-sandbox",
    "-",
  ]);
  expect(stdin).toBe("Do the task.");
});

test("servers are given in TOML whatever their names and values hold, and images by path", () => {
  const mcp = {
    "my.probe": { command: "node", args: ['a "quoted"\nline\u007f'], env: { KEY: "v" } },
    docs: { url: "http://127.0.0.1/mcp", headers: { "X-Key": "k" } },
  };
  const inputs = [
    { path: "/inbox/a b.png", file: "/host/a b.png", mediaType: "image/png" },
    { path: "/inbox/a.md", file: "/host/a.md", mediaType: "text/plain" },
  ];
  const { args, env } = codex.invoke(dialectWish({ mcp, inputs }));
  expect(args).toContain(
    String.raw`mcp_servers={"my.probe"={"command"="/bin/sh","args"=["-c","export KEY=\"$STINT_MCP_0\"; exec \"$@\"","sh","node","a \"quoted\"\nline\u007f"],"env_vars"=["STINT_MCP_0"]},"docs"={"url"="http://127.0.0.1/mcp","env_http_headers"={"X-Key"="STINT_MCP_1"}}}`,
  );
  expect(env).toEqual({ STINT_MCP_0: "v", STINT_MCP_1: "k" });
  expect(args.slice(-2)).toEqual(["--image=/inbox/a b.png", "-"]);
});

test("the repository's AGENTS.md is part of the prompt, unless it leads out of the repository", async () => {
  const { workspace } = sessionFolders(folder);
  const agents = path.join(workspace, "AGENTS.md");
  const told = async () => {
    await replay("edit-and-shell");
    return fs.readFileSync(path.join(workspace, "prompt.txt"), "utf8");
  };
  expect(await told()).toBe("Do the task.");

  fs.writeFileSync(path.join(folder, "secret"), "secret");
  fs.symlinkSync(path.join(folder, "secret"), agents);
  expect(await told()).toBe("Do the task.");

  fs.rmSync(agents);
  fs.writeFileSync(path.join(workspace, "CLAUDE.md"), "Use tabs.");
  fs.symlinkSync("CLAUDE.md", agents);
  expect(await told()).toBe("# AGENTS.md instructions\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>\n\nDo the task.");
});

test("a workspace behind a link is named by its real name, or its settings would count as trusted", async () => {
  fs.mkdirSync(path.join(folder, "real"));
  fs.symlinkSync("real", path.join(folder, "link"));
  await replay("edit-and-shell", path.join(folder, "link"));
  const args = fs.readFileSync(path.join(folder, "real/workspace/args.txt"), "utf8");
  expect(args).toContain(`projects={"${folder}/real/workspace"={"trust_level"="untrusted"}}`);
});

test("a session of the program is run and concluded from its output", async () => {
  expect(await replay("401", folder, 1)).toEqual({
    outcome: { kind: "auth", detail: `unexpected status 401 Unauthorized: invalid x-api-key (fake), ${url}` },
    report: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    sessionId: expect.any(String),
    program: { durationMs: expect.any(Number), usedTools: false },
  });
});

async function replay(name: string, where = folder, code = 0) {
  const script = `cat > prompt.txt; printf '%s\\n' "$@" > args.txt; cat ${recordedFile("codex", name)}; exit ${code}`;
  return await codexDriver.run(sessionRequest(where, { command: ["sh", "-c", script, "sh"] }));
}

test("the program is asked how it is logged in", () => {
  const read = (check: object) => {
    const output = JSON.stringify({ checks: { "auth.credentials": check } }, null, 2);
    return codex.facts.login?.read({ code: 1, output: `${output}\n` });
  };
  expect(read({ status: "fail", summary: "no Codex credentials were found", details: {} })).toEqual({
    loggedIn: false,
    how: "no Codex credentials were found",
  });
  expect(read({ status: "ok", details: { "auth env vars present": "CODEX_API_KEY" } })).toEqual({
    loggedIn: true,
    how: "API key from CODEX_API_KEY",
  });
  expect(read({ status: "ok", details: { "stored auth mode": "chatgpt" } })).toEqual({
    loggedIn: true,
    how: "chatgpt",
  });
  expect(codex.facts.login?.read({ code: 2, output: "error: unrecognized subcommand" })).toEqual({
    loggedIn: false,
    how: "unknown",
  });
});

test("the expiry of a kept login is that of its access token", async () => {
  const expiry = async () => codex.facts.loginExpiry?.(folder);
  const file = path.join(folder, ".codex/auth.json");
  fs.mkdirSync(path.dirname(file));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = (claims: object) => `${part({ alg: "none" })}.${part(claims)}.signature`;
  expect(await expiry()).toBeNull();
  fs.writeFileSync(file, JSON.stringify({ tokens: { access_token: token({ exp: 1_794_790_310 }) } }));
  expect(await expiry()).toBe(1_794_790_310_000);
  for (const unreadable of [
    { tokens: { access_token: "opaque" } },
    { OPENAI_API_KEY: "k" },
    { tokens: { access_token: token({}) } },
  ]) {
    fs.writeFileSync(file, JSON.stringify(unreadable));
    expect(await expiry()).toBeNull();
  }
});
