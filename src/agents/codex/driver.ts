import { join } from "node:path";
import type { AgentFacts, LoginQuestion } from "../driver-kit/agent.ts";
import { listenToCodex } from "./events.ts";
import {
  type Dialect,
  dialectDriver,
  type DialectWish,
  type HostFiles,
  type Invocation,
  parseRecord,
} from "../driver-kit/dialect.ts";
import { toCount, toRecord, toText } from "../driver-kit/json.ts";
import { mapValues, mcpByVariable, type NamedServer } from "../driver-kit/mcp-variables.ts";
import { readOutboxJson } from "../driver-kit/outbox.ts";

/** Asks its doctor, because `codex login status` does not know about keys in the environment. */
const login: LoginQuestion = {
  args: ["doctor", "--json"],
  read: ({ output }) => {
    const answer = parseRecord(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) ?? {};
    const auth = toRecord(toRecord(answer["checks"])["auth.credentials"]);
    return { loggedIn: auth["status"] === "ok", how: howLoggedIn(auth) };
  },
};

function howLoggedIn(auth: Readonly<Record<string, unknown>>): string {
  const details = toRecord(auth["details"]);
  const variables = toText(details["auth env vars present"]);
  if (variables !== "") return `API key from ${variables}`;
  return toText(details["stored auth mode"]) || toText(auth["summary"]) || "unknown";
}

/** The access token is a JWT, which carries its own expiry. */
async function loginExpiry(home: string): Promise<number | null> {
  const json = await readOutboxJson(join(home, ".codex"), "auth.json");
  const token = json.ok ? toText(toRecord(toRecord(json.value)["tokens"])["access_token"]) : "";
  const claims = parseRecord(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const seconds = toCount(claims?.["exp"]);
  return seconds === undefined ? null : seconds * 1000;
}

const facts: AgentFacts & { readonly program: string } = {
  program: "codex",
  endsTurn: true,
  tested: { oldest: "0.148.0", newest: "0.169.0" },
  hello: ["exec", "hello"],
  // It does not use OPENAI_API_KEY to log in.
  credentials: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
  settings: ["CODEX_CA_CERTIFICATE"],
  userInstructions: [".codex/AGENTS.md", ".codex/AGENTS.override.md"],
  reportsNoCost: true,
  homeSettings: ["config.toml", "hooks.json", "prompts", "rules", "skills"].map((name) => `.codex/${name}`),
  repoSettings: [".codex/**"],
  login,
  ownLogin: () => ({
    args: ["login"],
    file: ".codex/auth.json",
    renewsOnce: true,
    hint: "It needs a browser on this machine; without one, type `-- --device-auth` after the command.",
  }),
  loginExpiry,
};

/** Codex CLI: prompt on standard input, events as JSON lines. */
export const codex: Dialect = { facts, invoke, listen: () => listenToCodex(() => new Date()), showsTools: true };

export const codexDriver = dialectDriver(codex);

function invoke(wish: DialectWish): Invocation {
  const { model, effort, repoSettings, confined, folders, prompt } = wish;
  const images = wish.inputs.filter(({ mediaType }) => mediaType.startsWith("image/"));
  const mcp = mcpByVariable(wish.mcp);
  return {
    args: [
      // Before the command, where those of the settings are: 0.160 ignores these if others follow the command.
      ...Object.entries({
        ...quiet,
        ...(effort === undefined ? {} : { model_reasoning_effort: effort }),
        // It would trust the folder by itself, and remember that.
        projects: { [folders.workspace]: { trust_level: repoSettings ? "trusted" : "untrusted" } },
        ...(Object.keys(wish.mcp).length === 0 ? {} : { mcp_servers: mapValues(mcp.servers, serverFor) }),
        ...(confined ? {} : { sandbox_workspace_write: reachFor(folders.outbox) }),
      }).flatMap(([key, value]) => ["-c", `${key}=${toToml(value)}`]),
      "exec",
      "--json",
      "--skip-git-repo-check",
      ...(model === undefined ? [] : ["-m", model]),
      ...(repoSettings ? ["--dangerously-bypass-hook-trust"] : []),
      ...(confined ? ["--dangerously-bypass-approvals-and-sandbox"] : ["-s", "workspace-write"]),
      // The equals sign, because otherwise all that follows counts as images.
      ...images.map(({ path }) => `--image=${path}`),
      "-",
    ],
    // Its helpers are not installed below the folder for temporary files, and its commands need one they may write to.
    env: { ...mcp.env, ...(confined ? {} : { TMPDIR: folders.outbox }) },
    stdin: repoSettings ? prompt : (files) => promptWithInstructions(prompt, files),
  };
}

const quiet = {
  check_for_update_on_startup: false,
  analytics: { enabled: false },
  // Without a network it would wait for ever, and a server of its own would outlive the session.
  features: { unbounded_connection_retries: false, daemon_auto_start: false },
};

/** Gives the shell network access, as a confined agent has it, and write access to the session's own folders only. */
function reachFor(outbox: string) {
  return { writable_roots: [outbox], exclude_slash_tmp: true, exclude_tmpdir_env_var: true, network_access: true };
}

/** Starts a server through a shell that renames variables, because the program passes them on only by their own names. */
function serverFor(server: NamedServer): Toml {
  if ("url" in server) return { url: server.url, env_http_headers: server.headers };
  const { command, args, env } = server;
  const names = Object.entries(env);
  if (names.length === 0) return { command, args };
  const exports = names.map(([name, variable]) => `export ${name}="$${variable}"; `).join("");
  const script = `${exports}exec "$@"`;
  return { command: "/bin/sh", args: ["-c", script, "sh", command, ...args], env_vars: Object.values(env) };
}

/** Adds AGENTS.md to the prompt, in the program's own form, because it ignores that file in a folder it does not trust. */
async function promptWithInstructions(prompt: string, { ofRepository }: HostFiles): Promise<string> {
  const text = await ofRepository(["AGENTS.override.md", "AGENTS.md"]);
  if (text === undefined || text.trim() === "") return prompt;
  return `# AGENTS.md instructions\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>\n\n${prompt}`;
}

type Toml = string | boolean | readonly string[] | { readonly [key: string]: Toml };

/** Writes an inline value of TOML. JSON strings are TOML strings, except that TOML wants DEL escaped. */
function toToml(value: Toml): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", String.raw`\u007f`);
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(toToml).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, entry]) => `${toToml(key)}=${toToml(entry)}`)
    .join(",")}}`;
}

function isList(value: Toml): value is readonly string[] {
  return Array.isArray(value);
}
