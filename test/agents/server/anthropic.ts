import { randomUUID } from "node:crypto";
import type { Refusal, Speech, Turn } from "./script.ts";
import {
  count,
  type Frame,
  type Headers,
  list,
  names,
  pieces,
  resetTime,
  string,
  textOf,
  usagePerAnswer,
} from "./wire.ts";
import type { Json, Wire } from "./wire.ts";

/** Anthropic Messages, as claude-code speaks it. */
export const anthropic: Wire = {
  name: "anthropic",
  matches: (path) => path.endsWith("/v1/messages"),
  read,
  whole: (turn, speech) => ({
    ...message(turn),
    content: blocks(speech),
    stop_reason: stopReason(speech),
    usage: { ...usage, output_tokens: usagePerAnswer.output },
  }),
  frames,
  refuse: ({ status, resetSeconds }, turn) => ({
    headers: headersOf(resetSeconds),
    body: {
      type: "error",
      error: { type: errorTypes[status] ?? "api_error", message: wordsFor(status, turn) },
      request_id: `req_${randomUUID()}`,
    },
  }),
};

function read(body: Json): Turn {
  const messages = list(body["messages"]);
  const parts = messages.flatMap(({ content }) => list(content));
  // A picture that a tool has read comes inside the tool's result.
  const inside = parts.flatMap(({ content }) => list(content));
  return {
    model: string(body["model"]),
    stream: body["stream"] === true,
    tools: list(body["tools"]).map((tool) => ({
      name: string(tool["name"]),
      parameters: names(tool["input_schema"]),
      freeText: false,
    })),
    results: count(parts, "tool_result"),
    images: count([...parts, ...inside], "image"),
    text: [textOf(body["system"]), ...messages.map(({ content }) => textOf(content))].join("\n"),
  };
}

const usage = {
  input_tokens: usagePerAnswer.input - usagePerAnswer.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usagePerAnswer.cached,
  output_tokens: 1,
};

function message({ model }: Turn) {
  const id = `msg_${randomUUID()}`;
  return { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage };
}

function blocks({ text, call }: Speech) {
  const tool = call === null ? [] : [{ type: "tool_use", id: `toolu_${randomUUID()}`, ...call }];
  return [{ type: "text", text }, ...tool];
}

function stopReason({ call }: Speech): string {
  return call === null ? "end_turn" : "tool_use";
}

function frames(turn: Turn, speech: Speech): Frame[] {
  const events: (Json & { readonly type: string })[] = [{ type: "message_start", message: message(turn) }];
  for (const [index, block] of blocks(speech).entries()) {
    const empty = "text" in block ? { ...block, text: "" } : { ...block, input: {} };
    const deltas =
      "text" in block
        ? pieces(block.text).map((text) => ({ type: "text_delta", text }))
        : [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
    events.push({ type: "content_block_start", index, content_block: empty });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
  }
  const delta = { stop_reason: stopReason(speech), stop_sequence: null };
  events.push({ type: "message_delta", delta, usage: { output_tokens: usagePerAnswer.output } });
  events.push({ type: "message_stop" });
  return events.map((data) => ({ event: data.type, data }));
}

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

function wordsFor(status: number, { model }: Turn): string {
  return status === 404 ? `model: ${model}` : `The scripted service answers with ${status}.`;
}

/** The subscription's limit, which the service tells in headers only. */
function headersOf(resetSeconds: Refusal["resetSeconds"]): Headers {
  if (resetSeconds === null) return {};
  return {
    "retry-after": String(resetSeconds),
    "x-should-retry": "false",
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(resetTime(resetSeconds)),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
  };
}
