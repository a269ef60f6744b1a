import { join } from "node:path";
import type { AgentFacts, LoginQuestion, SessionInput } from "../driver-kit/agent.ts";
import { listenToClaude } from "./events.ts";
import {
  type Dialect,
  dialectDriver,
  type DialectWish,
  type HostFiles,
  type Invocation,
  parseRecord,
} from "../driver-kit/dialect.ts";
import { firstLine, toRecord, toText } from "../driver-kit/json.ts";
import { mapValues, mcpByVariable, type NamedServer, variableReference } from "../driver-kit/mcp-variables.ts";
import { readOutboxJson } from "../driver-kit/outbox.ts";

const login: LoginQuestion = {
  args: ["auth", "status", "--json"],
  read: ({ output }) => {
    const status = parseRecord(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) ?? {};
    return { loggedIn: status["loggedIn"] === true, how: howLoggedIn(status) || firstLine(output) };
  },
};

function howLoggedIn(status: Readonly<Record<string, unknown>>): string {
  const method = toText(status["authMethod"]);
  switch (method) {
    case "none":
      return "not logged in";
    case "api_key":
      return `API key from ${toText(status["apiKeySource"])}`;
    case "oauth_token":
      return "token from the environment";
    case "third_party":
      return toText(status["apiProvider"]);
    default:
      return [method, toText(status["subscriptionType"])].filter((word) => word !== "").join(", ");
  }
}

async function loginExpiry(home: string): Promise<number | null> {
  const json = await readOutboxJson(join(home, ".claude"), ".credentials.json");
  const expiry = json.ok ? toRecord(toRecord(json.value)["claudeAiOauth"])["expiresAt"] : undefined;
  return typeof expiry === "number" && Number.isFinite(expiry) ? expiry : null;
}

const facts: AgentFacts & { readonly program: string } = {
  program: "claude",
  endsTurn: true,
  // npm on Node 20 installs the oldest: all later ones ask for Node 22.
  tested: { oldest: "2.1.197", newest: "2.1.326" },
  hello: ["-p", "hello"],
  // Credentials of a cloud open more than a model: users of Bedrock or Foundry name them under `env`.
  credentials: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  settings: [
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
    "CLAUDE_CODE_SKIP_VERTEX_AUTH",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_VERTEX_BASE_URL",
    "ANTHROPIC_VERTEX_PROJECT_ID",
    "ANTHROPIC_FOUNDRY_BASE_URL",
    "ANTHROPIC_FOUNDRY_RESOURCE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "CLOUD_ML_REGION",
    "GOOGLE_CLOUD_PROJECT",
  ],
  userInstructions: [".claude/CLAUDE.md"],
  homeSettings: ["settings.json", "settings.local.json", "agents", "commands", "skills", "plugins", "rules"].map(
    (name) => `.claude/${name}`,
  ),
  repoSettings: [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/agents/**",
    ".claude/commands/**",
    ".claude/skills/**",
    ".mcp.json",
  ],
  login,
  ownLogin: () => ({ args: ["auth", "login"], file: ".claude/.credentials.json", renewsOnce: true }),
  loginExpiry,
};

/** Claude Code: prompt on standard input, events as JSON lines. */
export const claude: Dialect = { facts, invoke, listen: listenToClaude, showsTools: true };

export const claudeDriver = dialectDriver(claude);

function invoke(wish: DialectWish): Invocation {
  const { model, effort, repoSettings, confined } = wish;
  const images = wish.inputs.filter(({ mediaType }) => mediaType.startsWith("image/"));
  const mcp = mcpByVariable(wish.mcp);
  return {
    args: [
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      ...(images.length === 0 ? [] : ["--input-format", "stream-json"]),
      ...(model === undefined ? [] : ["--model", model]),
      ...(effort === undefined ? [] : ["--effort", effort]),
      "--setting-sources",
      repoSettings ? "user,project,local" : "user",
      ...(repoSettings ? [] : ["--strict-mcp-config"]),
      ...mcpFor(mcp.servers),
      ...permissionsFor(wish),
      "--add-dir",
      ...foldersFor(wish),
    ],
    env: {
      ...quiet,
      ...mcp.env,
      // It refuses to skip permissions for root, unless this says that a sandbox is around it.
      ...(confined ? { IS_SANDBOX: "1" } : {}),
      // Without the project's settings it leaves out the project's CLAUDE.md, too; that of an added folder it reads.
      ...(repoSettings ? {} : { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" }),
    },
    stdin: images.length === 0 ? wish.prompt : (files) => messageWith(images, wish.prompt, files),
  };
}

/** Allows one attempt and one model: Stint waits and retries itself, where a person can see it. */
const quiet = {
  CLAUDE_CODE_MAX_RETRIES: "0",
  CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  // The next session, perhaps of another project, would read what this one remembers.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

function mcpFor(servers: Readonly<Record<string, NamedServer>>): string[] {
  if (Object.keys(servers).length === 0) return [];
  return ["--mcp-config", JSON.stringify({ mcpServers: mapValues(servers, serverFor) })];
}

/** Uses references: the program fills in the variables itself. */
function serverFor(server: NamedServer) {
  return "url" in server
    ? { type: "http", url: server.url, headers: mapValues(server.headers, variableReference) }
    : { type: "stdio", ...server, env: mapValues(server.env, variableReference) };
}

/** Unconfined, its file tools stay inside its folders; it cannot keep the shell inside. */
function permissionsFor({ confined, mcp }: DialectWish): string[] {
  if (confined) return ["--dangerously-skip-permissions"];
  const servers = Object.keys(mcp).map((name) => `mcp__${name}`);
  return ["--permission-mode", "acceptEdits", "--allowedTools", ["Bash", ...servers].join(",")];
}

function foldersFor({ folders, repoSettings }: DialectWish): string[] {
  return [...(repoSettings ? [] : [folders.workspace]), folders.outbox, folders.inbox];
}

async function messageWith(images: readonly SessionInput[], prompt: string, { base64 }: HostFiles): Promise<string> {
  const blocks = images.map(async (image) => ({
    type: "image",
    source: { type: "base64", media_type: image.mediaType, data: await base64(image) },
  }));
  const content = [...(await Promise.all(blocks)), { type: "text", text: prompt }];
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}
