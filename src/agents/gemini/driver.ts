import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AgentDriver, AgentFacts, SessionInput } from "../driver-kit/agent.ts";
import { type Dialect, dialectDriver, type DialectWish, type Invocation } from "../driver-kit/dialect.ts";
import { listenToGemini } from "./events.ts";
import { toRecord } from "../driver-kit/json.ts";
import { mapValues, mcpByVariable, type NamedServer, variableReference } from "../driver-kit/mcp-variables.ts";
import { readOutboxJson } from "../driver-kit/outbox.ts";

/** Gemini CLI, verified with 0.61.0: headless, prompt on standard input, events as JSON lines. */
export const gemini: Dialect = { facts: facts(), invoke, listen: listenToGemini };

export const geminiDriver: AgentDriver = dialectDriver(gemini);

function facts(): AgentFacts & { readonly program: string } {
  return {
    program: "gemini",
    tested: "0.61.0",
    credentials: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    settings: [
      "GOOGLE_GEMINI_BASE_URL",
      "GOOGLE_VERTEX_BASE_URL",
      "GOOGLE_GENAI_API_VERSION",
      "GOOGLE_GENAI_USE_VERTEXAI",
      "GOOGLE_CLOUD_PROJECT",
      "GOOGLE_CLOUD_LOCATION",
      "GOOGLE_APPLICATION_CREDENTIALS",
      "GEMINI_API_KEY_AUTH_MECHANISM",
      "GEMINI_CLI_USE_COMPUTE_ADC",
    ],
    userInstructions: [".gemini/GEMINI.md", ".gemini/AGENTS.md"],
    tellsNoMoney: true,
    homeSettings: [".env", ".gemini/.env", ".gemini/commands", ".gemini/policies", ".gemini/skills"],
    repoSettings: [".gemini/settings.json", ".gemini/.env"],
    login: {
      // It logs in, then meets a command that needs a terminal, and ends with 42 before it asks the model.
      args: ["-o", "stream-json", "--skip-trust", "-p", "/quit"],
      read: ({ code }) => ({
        loggedIn: code === 42,
        how: code === 42 ? "its own login or an API key" : code === 41 ? "not logged in" : `exit ${code}`,
      }),
      homeFiles: (env) => ({ [settingsFile]: JSON.stringify(settingsFor(env, { useExternal: false })) }),
      cure: "gemini",
    },
    loginExpiry,
  };
}

async function loginExpiry(home: string): Promise<number | null> {
  // The home is the agent's to write: a pipe in the place of the file must not hold up Stint.
  const kept = await readOutboxJson(home, ".gemini/oauth_creds.json");
  const expiry = kept.ok ? toRecord(kept.value)["expiry_date"] : undefined;
  return typeof expiry === "number" && Number.isFinite(expiry) ? expiry : null;
}

function invoke(wish: DialectWish): Invocation {
  const { model, confined, folders, repoSettings } = wish;
  const mcp = mcpByVariable(wish.mcp);
  const extension = extensionFor(mcp.servers);
  const reachable = [folders.outbox, folders.inbox].filter((folder) => folder !== "");
  return {
    args: [
      "-o",
      "stream-json",
      ...(model === undefined ? [] : ["-m", model]),
      // Unconfined, its file tools stay inside and tools nobody named are refused; it cannot keep the shell inside.
      ...(confined ? ["--approval-mode", "yolo"] : ["--approval-mode", "auto_edit"]),
      ...(confined ? [] : ["--policy", join(folders.home, policyFile)]),
      ...reachable.flatMap((folder) => ["--include-directories", folder]),
      "-e",
      extension?.name ?? "none",
      ...(repoSettings ? [] : ["--skip-trust"]),
    ],
    env: {
      ...mcp.env,
      // The process that would restart it ignores INT and TERM, and costs a second.
      GEMINI_CLI_NO_RELAUNCH: "true",
      // Known at start, trust lets the repository's settings in; as a flag it comes after they were left out.
      GEMINI_CLI_TRUST_WORKSPACE: repoSettings ? "true" : "",
    },
    stdin: [wish.prompt, ...wish.inputs.filter(isMedia).map(mention)].join("\n\n"),
    homeFiles: {
      [settingsFile]: JSON.stringify(settingsFor(wish.env, { useExternal: true })),
      [policyFile]: policy,
      ...(extension === undefined ? {} : { [extension.file]: extension.text }),
    },
  };
}

/** Written over what is there, so that no session leaves hooks or servers for the next. */
function settingsFor(env: LoginEnvironment, { useExternal }: { readonly useExternal: boolean }) {
  return {
    security: {
      // Its own check of the login reads the repository's .gemini/.env once the folder counts as trusted.
      auth: { selectedType: loginType(env), useExternal },
      folderTrust: { enabled: true },
    },
    advanced: { ignoreLocalEnv: true },
    // One attempt: Stint waits and tries again itself, where a person can see it.
    general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    context: {
      fileName: ["GEMINI.md", "AGENTS.md"],
      // Else every word of the prompt that begins with @ is searched for in the whole workspace, and what is found is read.
      fileFiltering: { enableRecursiveFileSearch: false },
    },
  };
}

/** The program infers none where a base URL is set, and would prefer a login it once remembered to a key. */
function loginType(env: LoginEnvironment): string {
  if (env["GOOGLE_GENAI_USE_VERTEXAI"] === "true") return "vertex-ai";
  if ((env["GEMINI_API_KEY"] ?? "") !== "") return "gemini-api-key";
  if (env["GEMINI_CLI_USE_COMPUTE_ADC"] === "true") return "compute-default-credentials";
  return "oauth-personal";
}

type LoginEnvironment = Readonly<Record<string, string | undefined>>;

const settingsFile = ".gemini/settings.json";

const policyFile = ".gemini/stint/policy.toml";

const policy = `[[rule]]
toolName = ["run_shell_command", "activate_skill"]
decision = "allow"
priority = 500
allowRedirection = true

[[rule]]
toolName = "mcp_*"
decision = "allow"
priority = 500
`;

/** Servers come as an extension named by its content, because the settings are shared with sessions of other projects. */
function extensionFor(servers: Readonly<Record<string, NamedServer>>) {
  if (Object.keys(servers).length === 0) return undefined;
  const mcpServers = mapValues(servers, serverFor);
  const name = `stint-${createHash("sha256").update(JSON.stringify(mcpServers)).digest("hex").slice(0, 16)}`;
  const file = `.gemini/extensions/${name}/gemini-extension.json`;
  return { name, file, text: JSON.stringify({ name, version: "1.0.0", mcpServers }) };
}

/** The program puts in the variables itself. */
function serverFor(server: NamedServer) {
  return "url" in server
    ? { httpUrl: server.url, headers: mapValues(server.headers, variableReference) }
    : { ...server, env: mapValues(server.env, variableReference) };
}

/** Texts are in the inbox for its own tools, which do not cut them short. */
function isMedia({ mediaType }: SessionInput): boolean {
  return !mediaType.startsWith("text/");
}

function mention({ path }: SessionInput): string {
  return `@${path.replace(/[^\w/-]/g, String.raw`\$&`)}`;
}
