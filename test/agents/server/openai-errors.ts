import type { Refusal, Turn } from "./script.ts";
import { type Headers, resetTime } from "./wire.ts";

/** Both of OpenAI's formats say no in the same words. */
export function refuseAsOpenai({ status, resetSeconds }: Refusal, turn: Turn): { headers: Headers; body: unknown } {
  if (status === 429 && resetSeconds !== null) return usageLimit(resetSeconds);
  const code = codes[status] ?? null;
  const message =
    status === 404 ? `The model ${turn.model} does not exist.` : `The scripted service answers with ${status}.`;
  return { headers: {}, body: { error: { message, type: types[status] ?? "server_error", code, param: null } } };
}

/** A subscription that is used up says when it comes back; a plain rate limit does not. */
function usageLimit(resetSeconds: number): { headers: Headers; body: unknown } {
  const error = {
    type: "usage_limit_reached",
    message: "The usage limit has been reached",
    plan_type: "pro",
    resets_at: resetTime(resetSeconds),
    resets_in_seconds: resetSeconds,
  };
  return {
    headers: {
      "retry-after": String(resetSeconds),
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-after-seconds": String(resetSeconds),
    },
    body: { error },
  };
}

const codes: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};
