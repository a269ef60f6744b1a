import type { AgentName } from "./installed.ts";

export type RouteName = "claude" | "codex" | "gemini" | "gemini over ACP" | "opencode over ACP";

/** One way from Stint to an agent program, as a user would set it up. */
export interface Route {
  readonly name: RouteName;
  readonly agent: AgentName;
  /** Known to the scripted service, and to the program where it has a list of its own. */
  readonly model: string;
  /** The agent's entry in the config, for a service at this address. */
  readonly entry: (url: string) => AgentEntry;
  /** What the user has in the environment when Stint starts. */
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** The variable in it that is the key; without it the user is not logged in. */
  readonly key?: string;
  /** The same for a user who has a subscription instead of a key, where only then the agent tells when a limit resets. */
  readonly subscriberEnv?: (url: string) => Readonly<Record<string, string>>;
}

export interface AgentEntry {
  readonly driver: string;
  readonly command: readonly string[];
  readonly env?: readonly string[];
}

const geminiEnv: Route["env"] = (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "key-of-the-tests" });

/** A provider of the user's own; its retries are the user's to set, so a refusal is heard at once. */
const codexProvider = (url: string): string =>
  `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;

const opencodeConfig = (url: string): object => ({
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "key-of-the-tests" },
      models: {
        "scripted-model": {
          tool_call: true,
          attachment: true,
          modalities: { input: ["text", "image"], output: ["text"] },
          limit: { context: 100_000, output: 8_000 },
        },
      },
    },
  },
  enabled_providers: ["scripted"],
  model: "scripted/scripted-model",
  small_model: "scripted/scripted-model",
});

/** Else it fetches things, and spends many seconds of processor time on installing them in its home. */
const opencodeOffline = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  NPM_CONFIG_OFFLINE: "true",
};

export const routes: Readonly<Record<RouteName, Route>> = {
  claude: {
    name: "claude",
    agent: "claude-code",
    model: "scripted-model",
    entry: () => ({ driver: "claude", command: ["claude"] }),
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key-of-the-tests" }),
    key: "ANTHROPIC_API_KEY",
    subscriberEnv: (url) => ({ ANTHROPIC_BASE_URL: url, CLAUDE_CODE_OAUTH_TOKEN: "token-of-the-tests" }),
  },
  codex: {
    name: "codex",
    agent: "codex",
    // The tools that codex offers depend on the model it knows.
    model: "gpt-5.5",
    entry: (url) => ({
      driver: "codex",
      command: ["codex", "-c", 'model_provider="scripted"', "-c", codexProvider(url)],
      env: ["OPENAI_API_KEY"],
    }),
    env: () => ({ OPENAI_API_KEY: "key-of-the-tests" }),
    key: "OPENAI_API_KEY",
  },
  gemini: {
    name: "gemini",
    agent: "gemini-cli",
    model: "gemini-2.5-flash",
    entry: () => ({ driver: "gemini", command: ["gemini"] }),
    env: geminiEnv,
    key: "GEMINI_API_KEY",
  },
  "gemini over ACP": {
    name: "gemini over ACP",
    agent: "gemini-cli",
    model: "gemini-2.5-flash",
    entry: () => ({
      driver: "acp",
      command: ["gemini", "--acp"],
      env: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"],
    }),
    env: geminiEnv,
  },
  "opencode over ACP": {
    name: "opencode over ACP",
    agent: "opencode",
    model: "scripted/scripted-model",
    entry: () => ({
      driver: "acp",
      command: ["opencode", "acp"],
      env: ["OPENCODE_CONFIG_CONTENT", ...Object.keys(opencodeOffline)],
    }),
    env: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(url)),
      ...opencodeOffline,
    }),
  },
};
