import type { MoveUsage } from "./moves.ts";

/** What the scripted agent writes on standard output, one JSON object per line. */
export type Line =
  | { readonly type: "start"; readonly session: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | { readonly type: "file"; readonly path: string; readonly change: "add" | "modify" | "delete" }
  | ({ readonly type: "usage" } & MoveUsage)
  | { readonly type: "retry"; readonly delay_ms: number | null; readonly why: string }
  | { readonly type: "notice"; readonly text: string }
  | LastWord;

/** The final event; after it the agent exits with 0 if all went well, else with 1. */
export type LastWord =
  | { readonly type: "end"; readonly kind: "ok" }
  | { readonly type: "end"; readonly kind: "limit"; readonly until: string | null }
  | {
      readonly type: "end";
      readonly kind: "overloaded" | "auth" | "context" | "refused" | "misconfigured";
      readonly detail: string;
    };
