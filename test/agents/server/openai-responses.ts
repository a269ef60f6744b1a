import { randomUUID } from "node:crypto";
import { refuseAsOpenai } from "./openai-errors.ts";
import type { OfferedTool, Speech, ToolCall, Turn } from "./script.ts";
import {
  count,
  type Frame,
  type Json,
  list,
  names,
  pieces,
  record,
  string,
  textOf,
  usagePerAnswer,
  type Wire,
} from "./wire.ts";

/** OpenAI Responses, as codex speaks it. */
export const openaiResponses: Wire = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  read,
  whole: (turn, speech) => completed(turn, items(speech)),
  frames,
  refuse: refuseAsOpenai,
};

function read(body: Json): Turn {
  const input = list(body["input"]);
  const parts = input.flatMap(({ content, output }) => [...list(content), ...list(output)]);
  return {
    model: string(body["model"]),
    stream: body["stream"] === true,
    tools: list(body["tools"]).map(toolOf),
    results: input.filter(({ type }) => string(type).endsWith("_call_output")).length,
    images: count(parts, "input_image"),
    text: [string(body["instructions"]), ...input.map(({ content }) => textOf(content))].join("\n"),
  };
}

function toolOf(tool: Json): OfferedTool {
  return {
    name: string(tool["name"]) || string(tool["type"]),
    parameters: names(tool["parameters"]),
    freeText: tool["type"] === "custom",
  };
}

function items({ text, call }: Speech): readonly Json[] {
  const content = [{ type: "output_text", text, annotations: [] }];
  const message = { type: "message", id: `msg_${randomUUID()}`, role: "assistant", status: "completed", content };
  return [message, ...(call === null ? [] : [callItem(call)])];
}

function callItem({ name, input }: ToolCall): Json {
  const ids = { id: `fc_${randomUUID()}`, call_id: `call_${randomUUID()}` };
  return typeof input === "string"
    ? { type: "custom_tool_call", ...ids, name, input, status: "completed" }
    : { type: "function_call", ...ids, name, arguments: JSON.stringify(input), status: "completed" };
}

function response(turn: Turn): Json {
  const created = Math.floor(Date.now() / 1000);
  return { id: `resp_${randomUUID()}`, object: "response", created_at: created, model: turn.model };
}

function completed(turn: Turn, output: readonly Json[]): Json {
  const { input, cached, output: written } = usagePerAnswer;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + written,
  };
  return { ...response(turn), status: "completed", output, usage };
}

function frames(turn: Turn, speech: Speech): Frame[] {
  const output = items(speech);
  const events: (Json & { readonly type: string })[] = [
    { type: "response.created", response: { ...response(turn), status: "in_progress", output: [] } },
  ];
  for (const [index, item] of output.entries()) {
    const at = { output_index: index, item_id: item["id"] };
    events.push({ type: "response.output_item.added", output_index: index, item: begun(item) });
    events.push(...middle(item).map(({ type, ...rest }) => ({ type: `response.${string(type)}`, ...at, ...rest })));
    events.push({ type: "response.output_item.done", output_index: index, item });
  }
  events.push({ type: "response.completed", response: completed(turn, output) });
  return events.map((data, number) => ({ event: data.type, data: { ...data, sequence_number: number } }));
}

function begun(item: Json): Json {
  const empty = item["type"] === "message" ? { content: [] } : "input" in item ? { input: "" } : { arguments: "" };
  return { ...item, status: "in_progress", ...empty };
}

/** What comes between the beginning and the end of one item. */
function middle(item: Json): readonly Json[] {
  if (item["type"] === "message") {
    const [part] = list(item["content"]);
    const text = string(record(part)["text"]);
    return [
      { type: "content_part.added", content_index: 0, part: { ...part, text: "" } },
      ...pieces(text).map((delta) => ({ type: "output_text.delta", content_index: 0, delta })),
      { type: "output_text.done", content_index: 0, text },
      { type: "content_part.done", content_index: 0, part },
    ];
  }
  const [kind, key] =
    item["type"] === "custom_tool_call"
      ? ["custom_tool_call_input", "input"]
      : ["function_call_arguments", "arguments"];
  return [
    { type: `${kind}.delta`, delta: item[key] },
    { type: `${kind}.done`, [key]: item[key] },
  ];
}
