import type { RouteName } from "./routes.ts";

/** How a session ends that meets one of the service's troubles. */
export interface Expected {
  readonly kind: "limit" | "overloaded" | "auth" | "refused" | "crashed" | "idle";
  /** The whole of it; `{reset}` stands for the time the service named. */
  readonly detail?: string;
  /** For a limit: whether the time of the reset is known. */
  readonly until?: "reset" | null;
}

export type Trouble = "401" | "429 with a reset" | "429 without a reset" | "500" | "529" | "unknown model" | "silence";

const silent: Expected = { kind: "idle", detail: "no output and no processor time for 5 s" };

/** What each agent lets us know. Where it gives no signal, `idle` is what is left, and legitimate. */
export const outcomes: Readonly<Record<RouteName, Readonly<Record<Trouble, Expected>>>> = {
  claude: {
    "401": { kind: "auth" },
    "429 with a reset": { kind: "limit", until: null },
    "429 without a reset": { kind: "limit", until: null },
    "500": { kind: "overloaded" },
    "529": { kind: "overloaded" },
    "unknown model": { kind: "refused" },
    silence: silent,
  },
  codex: {
    "401": { kind: "auth" },
    "429 with a reset": { kind: "limit", until: null },
    "429 without a reset": { kind: "limit", until: null },
    "500": { kind: "overloaded" },
    "529": { kind: "overloaded" },
    "unknown model": { kind: "refused" },
    silence: silent,
  },
  gemini: {
    "401": { kind: "auth" },
    "429 with a reset": silent,
    "429 without a reset": silent,
    "500": silent,
    "529": silent,
    "unknown model": { kind: "refused" },
    silence: silent,
  },
  "gemini over ACP": {
    "401": { kind: "auth" },
    "429 with a reset": silent,
    "429 without a reset": silent,
    "500": silent,
    "529": silent,
    "unknown model": { kind: "refused" },
    silence: silent,
  },
  "opencode over ACP": {
    "401": { kind: "auth" },
    "429 with a reset": silent,
    "429 without a reset": silent,
    "500": silent,
    "529": silent,
    "unknown model": { kind: "refused" },
    silence: silent,
  },
};
