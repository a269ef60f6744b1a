import { randomUUID } from "node:crypto";
import type { Refusal, Speech, Turn } from "./script.ts";
import {
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

/** Gemini's generateContent, as gemini-cli speaks it. */
export const gemini: Wire = {
  name: "gemini",
  matches: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  read,
  whole: (turn, speech) => answer(turn, [{ text: speech.text }, ...callPart(speech)], "STOP"),
  frames,
  refuse: (refusal, turn) => ({ headers: {}, body: { error: errorOf(refusal, turn) } }),
};

function read(body: Json, path: string): Turn {
  const contents = list(body["contents"]);
  const parts = contents.flatMap((content) => list(content["parts"]));
  const results = parts.map((part) => record(part["functionResponse"])).filter((result) => "name" in result);
  // A picture that a tool has read comes inside the tool's result.
  const inside = results.flatMap((result) => list(result["parts"]));
  const declared = list(body["tools"]).flatMap((tool) => list(tool["functionDeclarations"]));
  const system = record(body["systemInstruction"])["parts"];
  return {
    model: /\/models\/([^:/]+):/.exec(path)?.[1] ?? "",
    stream: path.endsWith(":streamGenerateContent"),
    tools: declared.map((tool) => ({
      name: string(tool["name"]),
      parameters: names(tool["parametersJsonSchema"] ?? tool["parameters"]),
      freeText: false,
    })),
    results: results.length,
    images: [...parts, ...inside].filter((part) => "inlineData" in part).length,
    text: [textOf(system), ...contents.map((content) => textOf(content["parts"]))].join("\n"),
  };
}

function answer({ model }: Turn, parts: readonly Json[], finishReason?: string): Json {
  const { input, cached, output } = usagePerAnswer;
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(finishReason === undefined ? {} : { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: randomUUID(),
  };
}

function callPart({ call }: Speech): readonly Json[] {
  if (call === null) return [];
  return [{ functionCall: { name: call.name, args: call.input, id: randomUUID() }, thoughtSignature: "c2ln" }];
}

function frames(turn: Turn, speech: Speech): Frame[] {
  const last = speech.call === null ? [{ text: "" }] : callPart(speech);
  return [
    ...pieces(speech.text).map((text) => ({ data: answer(turn, [{ text }]) })),
    { data: answer(turn, last, "STOP") },
  ];
}

function errorOf({ status, resetSeconds }: Refusal, { model }: Turn): Json {
  const message =
    status === 404
      ? `models/${model} is not found for API version v1beta`
      : `The scripted service answers with ${status}.`;
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${resetSeconds}s` };
  return {
    code: status,
    message,
    status: statusNames[status] ?? "UNKNOWN",
    details: resetSeconds === null ? [] : [retry],
  };
}

const statusNames: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
};
