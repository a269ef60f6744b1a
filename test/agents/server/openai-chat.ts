import { randomUUID } from "node:crypto";
import { refuseAsOpenai } from "./openai-errors.ts";
import type { Speech, Turn } from "./script.ts";
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

/** OpenAI Chat Completions, as opencode speaks it to a provider of the user's own. */
export const openaiChat: Wire = {
  name: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read,
  whole: (turn, speech) => {
    const message = { role: "assistant", content: speech.text, ...toolCalls(speech) };
    const choice = { index: 0, finish_reason: finishReason(speech), message };
    return { ...head(turn), object: "chat.completion", choices: [choice], usage };
  },
  frames,
  refuse: refuseAsOpenai,
};

function read(body: Json): Turn {
  const messages = list(body["messages"]);
  const functions = list(body["tools"]).map((tool) => record(tool["function"]));
  return {
    model: string(body["model"]),
    stream: body["stream"] === true,
    tools: functions.map(({ name, parameters }) => ({
      name: string(name),
      parameters: names(parameters),
      freeText: false,
    })),
    results: messages.filter(({ role }) => role === "tool").length,
    images: count(
      messages.flatMap(({ content }) => list(content)),
      "image_url",
    ),
    text: messages.map(({ content }) => textOf(content)).join("\n"),
  };
}

const usage = {
  prompt_tokens: usagePerAnswer.input,
  completion_tokens: usagePerAnswer.output,
  total_tokens: usagePerAnswer.input + usagePerAnswer.output,
  prompt_tokens_details: { cached_tokens: usagePerAnswer.cached },
};

function head({ model }: Turn): Json {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl_${randomUUID()}`, object: "chat.completion.chunk", created, model };
}

function toolCalls({ call }: Speech): Json {
  if (call === null) return {};
  const called = { name: call.name, arguments: JSON.stringify(call.input) };
  return { tool_calls: [{ index: 0, id: `call_${randomUUID()}`, type: "function", function: called }] };
}

function finishReason({ call }: Speech): string {
  return call === null ? "stop" : "tool_calls";
}

function frames(turn: Turn, speech: Speech): Frame[] {
  const first = head(turn);
  const chunk = (delta: Json, finish: string | null = null): Frame => ({
    data: { ...first, choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(speech.text).map((content) => chunk({ content })),
    ...(speech.call === null ? [] : [chunk(toolCalls(speech))]),
    chunk({}, finishReason(speech)),
    { data: { ...first, choices: [], usage } },
    { data: "[DONE]" },
  ];
}
