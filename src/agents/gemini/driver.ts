import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AgentDriver, AgentFacts, OwnLogin, SessionInput } from "../driver-kit/agent.ts";
import { type Dialect, dialectDriver, type DialectWish, type Invocation } from "../driver-kit/dialect.ts";
import { listenToGemini } from "./events.ts";
import { toRecord } from "../driver-kit/json.ts";
import { mapValues, mcpByVariable, type NamedServer, variableReference } from "../driver-kit/mcp-variables.ts";
import { readOutboxJson } from "../driver-kit/outbox.ts";

/** Gemini CLI: headless, prompt on standard input, events as JSON lines. */
export const gemini: Dialect = { facts: facts(), invoke, listen: listenToGemini, showsTools: true };

export const geminiDriver: AgentDriver = dialectDriver(gemini);

function facts(): AgentFacts & { readonly program: string } {
  return {
    program: "gemini",
    endsTurn: true,
    tested: { oldest: "0.55.1", newest: "0.61.0" },
    hello: ["-p", "hello"],
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
    reportsNoCost: true,
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
    },
    ownLogin: () => ownLogin,
    loginExpiry,
  };
}

/** It has no command for that: its screen asks a person who is not logged in. Google accepts a refresh token more than once. */
const ownLogin: OwnLogin = {
  args: ["--skip-trust"],
  file: ".gemini/oauth_creds.json",
  renewsOnce: false,
  hint: "Log in with Google on its screen, then leave it with /quit. For an API key, set GEMINI_API_KEY instead.",
};

async function loginExpiry(home: string): Promise<number | null> {
  // The agent can write its home: a pipe in place of the file must not block Stint.
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
      // Unconfined, its file tools stay inside and unknown tools are refused; it cannot keep the shell inside.
      ...(confined ? ["--approval-mode", "yolo"] : ["--approval-mode", "auto_edit"]),
      ...(confined ? [] : ["--policy", join(folders.home, policyFile)]),
      ...reachable.flatMap((folder) => ["--include-directories", folder]),
      "-e",
      extension?.name ?? "none",
      ...(repoSettings ? [] : ["--skip-trust"]),
    ],
    env: {
      ...mcp.env,
      // The process that would restart it ignores INT and TERM, and takes a second.
      GEMINI_CLI_NO_RELAUNCH: "true",
      // As a variable, trust lets it read the repository's settings; the flag comes too late for that.
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

/** Makes the settings file, which replaces the old one, so that no session leaves hooks or servers for the next. */
function settingsFor(env: LoginEnvironment, { useExternal }: { readonly useExternal: boolean }) {
  return {
    security: {
      // Its own check of the login reads the repository's .gemini/.env once the folder counts as trusted.
      auth: { selectedType: loginType(env), useExternal },
      folderTrust: { enabled: true },
    },
    advanced: { ignoreLocalEnv: true },
    // One attempt: Stint waits and retries itself, where a person can see it.
    general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    context: {
      fileName: ["GEMINI.md", "AGENTS.md"],
      // Otherwise it searches the whole workspace for every word of the prompt that begins with @, and reads what it finds.
      fileFiltering: { enableRecursiveFileSearch: false },
    },
  };
}

/** Chooses the kind of login: the program infers none where a base URL is set, and would prefer an old login to a key. */
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

/** Puts servers into an extension named after its content, because all sessions share the settings file. */
function extensionFor(servers: Readonly<Record<string, NamedServer>>) {
  if (Object.keys(servers).length === 0) return undefined;
  const mcpServers = mapValues(servers, serverFor);
  const name = `stint-${createHash("sha256").update(JSON.stringify(mcpServers)).digest("hex").slice(0, 16)}`;
  const file = `.gemini/extensions/${name}/gemini-extension.json`;
  return { name, file, text: JSON.stringify({ name, version: "1.0.0", mcpServers }) };
}

/** Uses references: the program fills in the variables itself. */
function serverFor(server: NamedServer) {
  return "url" in server
    ? { httpUrl: server.url, headers: mapValues(server.headers, variableReference) }
    : { ...server, env: mapValues(server.env, variableReference) };
}

/** Whether an input is mentioned in the prompt; texts are in the inbox for its own tools, which do not cut them. */
function isMedia({ mediaType }: SessionInput): boolean {
  return !mediaType.startsWith("text/");
}

function mention({ path }: SessionInput): string {
  return `@${path.replace(/[^\w/-]/g, String.raw`\$&`)}`;
}
