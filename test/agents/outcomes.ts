import type { RouteName } from "./routes.ts";

/** How a session ends that meets one of the service's troubles. */
export type Expected =
  | { readonly kind: "limit"; /** Whether the time of the reset is known. */ readonly until: "reset" | null }
  | {
      readonly kind: "overloaded" | "auth" | "misconfigured" | "crashed" | "idle";
      /** The whole of it; `{host}` stands for the address of the service. */
      readonly detail: string;
    };

export type Trouble =
  | "401"
  | "429 with a reset"
  | "429 without a reset"
  | "500"
  | "529"
  | "no key"
  | "no connection"
  | "unknown model"
  | "silence";

/** What an agent does not distinguish is left out. */
export type Table = Readonly<Partial<Record<Trouble, Expected>>>;

const silent: Expected = { kind: "idle", detail: "no output and no CPU time for 4 s" };

/** What each agent lets us know. Where it gives no signal, `idle` is what is left, and legitimate. */
export const outcomes: Readonly<Record<RouteName, Table>> = {
  claude: {
    "no key": { kind: "auth", detail: "authentication_failed: Not logged in · Please run /login" },
    "no connection": {
      kind: "overloaded",
      detail: "server_error: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
    },
    "401": {
      kind: "auth",
      detail:
        "401: authentication_failed: Failed to authenticate. API Error: 401 The scripted service answers with 401.",
    },
    "429 with a reset": { kind: "limit", until: "reset" },
    "429 without a reset": { kind: "limit", until: null },
    "500": {
      kind: "overloaded",
      detail:
        "500: server_error: API Error: 500 The scripted service answers with 500. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway ({host}).",
    },
    "529": {
      kind: "overloaded",
      detail:
        "529: server_error: API Error: 529 The scripted service answers with 529. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway ({host}).",
    },
    "unknown model": {
      kind: "misconfigured",
      detail:
        "404: model_not_found: There's an issue with the selected model (missing-model). It may not exist or you may not have access to it. Run --model to pick a different model.",
    },
    silence: silent,
  },
  codex: {
    "no key": { kind: "auth", detail: "Missing environment variable: `OPENAI_API_KEY`." },
    "no connection": { kind: "overloaded", detail: "Connection failed: error sending request" },
    "401": {
      kind: "auth",
      detail:
        "unexpected status 401 Unauthorized: The scripted service answers with 401., url: http://{host}/v1/responses",
    },
    "429 with a reset": { kind: "limit", until: "reset" },
    "429 without a reset": { kind: "limit", until: null },
    "500": {
      kind: "overloaded",
      detail: "We’re currently experiencing high demand, which may cause temporary errors.",
    },
    "529": {
      kind: "overloaded",
      detail:
        "unexpected status 529 <unknown status code>: The scripted service answers with 529., url: http://{host}/v1/responses",
    },
    "unknown model": {
      kind: "misconfigured",
      detail: "the model is rejected: The model missing-model does not exist.",
    },
    silence: silent,
  },
  gemini: {
    "no key": {
      kind: "auth",
      detail:
        "Manual authorization is required but the current session is non-interactive. Please run the Gemini CLI in an interactive terminal to log in, provide a GEMINI_API_KEY, or ensure Application Default Credentials are configured.",
    },
    "no connection": {
      kind: "overloaded",
      detail: "exit 1: [API Error: exception TypeError: fetch failed sending request]",
    },
    "401": {
      kind: "auth",
      detail:
        'exit 145: [API Error: {"error":{"code":401,"message":"The scripted service answers with 401.","status":"UNAUTHENTICATED","details":[]}}]',
    },
    "429 with a reset": { kind: "limit", until: "reset" },
    "429 without a reset": { kind: "limit", until: null },
    "500": {
      kind: "overloaded",
      detail:
        'exit 244: [API Error: {"error":{"code":500,"message":"The scripted service answers with 500.","status":"INTERNAL","details":[]}}]',
    },
    "529": {
      kind: "overloaded",
      detail:
        'exit 17: [API Error: {"error":{"code":529,"message":"The scripted service answers with 529.","status":"UNKNOWN","details":[]}}]',
    },
    "unknown model": {
      kind: "misconfigured",
      detail: "exit 1: [API Error: models/missing-model is not found for API version v1beta]",
    },
    silence: silent,
  },
  "gemini over ACP": {
    "no connection": silent,
    "401": {
      kind: "auth",
      detail:
        'session/prompt: error 401: {"error":{"code":401,"message":"The scripted service answers with 401.","status":"UNAUTHENTICATED","details":[]}}',
    },
    "429 with a reset": { kind: "limit", until: null },
    "429 without a reset": silent,
    "500": silent,
    "529": silent,
    "unknown model": {
      kind: "crashed",
      detail: "session/prompt: error 500: models/missing-model is not found for API version v1beta",
    },
    silence: silent,
  },
  "opencode over ACP": {
    "no connection": silent,
    "401": {
      kind: "crashed",
      detail: "session/prompt: error -32603: Internal error: The scripted service answers with 401.",
    },
    "429 with a reset": silent,
    "429 without a reset": silent,
    "500": silent,
    "529": silent,
    "unknown model": {
      kind: "misconfigured",
      detail:
        "the agent refused the model scripted/missing-model: Invalid params: model not found: scripted/missing-model",
    },
    silence: silent,
  },
};

/** Where the oldest release that is tested lets us know it in other words. */
export const oldestOutcomes: Readonly<Partial<Record<RouteName, Table>>> = {
  claude: {
    "no connection": {
      kind: "overloaded",
      detail: "server_error: API Error: Unable to connect to API (ConnectionRefused)",
    },
  },
  codex: {
    "500": {
      kind: "overloaded",
      detail: "We're currently experiencing high demand, which may cause temporary errors.",
    },
    "unknown model": {
      kind: "misconfigured",
      detail:
        "the model is rejected: unexpected status 404 Not Found: The model missing-model does not exist., url: http://{host}/v1/responses",
    },
  },
};

/** What a session of three answers is said to have used: 1200 tokens in and 34 out each. */
export const usages: Readonly<Record<RouteName, { readonly inputTokens: number; readonly outputTokens: number }>> = {
  claude: { inputTokens: 3600, outputTokens: 102 },
  codex: { inputTokens: 3600, outputTokens: 102 },
  gemini: { inputTokens: 3600, outputTokens: 102 },
  "gemini over ACP": { inputTokens: 3600, outputTokens: 102 },
  // It tells the last answer only.
  "opencode over ACP": { inputTokens: 1200, outputTokens: 34 },
};
