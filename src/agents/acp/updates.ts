import type { AgentEvent, Usage } from "../driver-kit/agent.ts";
import { firstLine, type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";

/** Interprets what an agent reports while it works on a prompt. */
export interface Updates {
  readonly hear: (update: Json) => readonly AgentEvent[];
  /** Reports a call that needs our permission; some agents announce it in no other way. */
  readonly asked: (call: Json) => readonly AgentEvent[];
  /** Reads the answer to the prompt, which may report usage. */
  readonly finish: (answer: Json) => Usage | null;
  readonly usage: () => Usage | null;
}

export function followUpdates(): Updates {
  let tokens: Tokens | undefined;
  let usd: number | undefined;
  let announced: unknown;
  const usage = (): Usage | null => {
    if (tokens === undefined && usd === undefined) return null;
    return { inputTokens: 0, outputTokens: 0, ...tokens, usd: usd ?? 0 };
  };
  const announce = (call: Json): AgentEvent[] => {
    const { toolCallId: id } = call;
    if (id === announced) return [];
    announced = id;
    return [toolEvent(call)];
  };
  return {
    asked: announce,
    hear: (update) => {
      switch (update["sessionUpdate"]) {
        case "agent_message_chunk": {
          const text = toText(toRecord(update["content"])["text"]);
          return text === "" ? [] : [{ type: "text", text }];
        }
        case "tool_call":
          return [...announce(update), ...fileEvents(update)];
        case "tool_call_update":
          return fileEvents(update);
        case "usage_update": {
          usd = costOf(update) ?? usd;
          const used = usage();
          return used === null ? [] : [{ type: "usage", usage: used }];
        }
        default:
          return [];
      }
    },
    finish: (answer) => {
      tokens = tokensOf(answer);
      return usage();
    },
    usage,
  };
}

function toolEvent(call: Json): AgentEvent {
  return { type: "tool", name: toText(call["kind"]) || "other", detail: firstLine(toText(call["title"])) };
}

function fileEvents(call: Json): AgentEvent[] {
  if (call["status"] !== "completed") return [];
  const diffs = toRecords(call["content"]).filter(({ type, path }) => type === "diff" && typeof path === "string");
  return diffs.map(({ path, oldText }) => {
    return { type: "file", path: toText(path), change: toText(oldText) === "" ? "add" : "modify" };
  });
}

function costOf(update: Json): number | undefined {
  const { amount, currency } = toRecord(update["cost"]);
  return currency === "USD" && typeof amount === "number" && amount >= 0 && Number.isFinite(amount)
    ? amount
    : undefined;
}

type Tokens = Pick<Usage, "inputTokens" | "outputTokens">;

function tokensOf(answer: Json): Tokens | undefined {
  const { usage } = answer;
  return standardTokens(toRecord(usage)) ?? geminiTokens(toRecord(toRecord(answer["_meta"])["quota"]));
}

/** Reads tokens. Agents differ in whether input includes cached tokens, so the total decides where there is one; thoughts are paid like output. */
function standardTokens(usage: Json): Tokens | undefined {
  const [input, output] = [toCount(usage["inputTokens"]), toCount(usage["outputTokens"])];
  if (input === undefined || output === undefined) return undefined;
  const sum = (...names: string[]): number => names.reduce((total, name) => total + (toCount(usage[name]) ?? 0), 0);
  const outputTokens = output + sum("thoughtTokens");
  const total = toCount(usage["totalTokens"]) ?? outputTokens + input + sum("cachedReadTokens", "cachedWriteTokens");
  return { inputTokens: Math.max(input, total - outputTokens), outputTokens };
}

function geminiTokens(quota: Json): Tokens | undefined {
  const counted = toRecord(quota["token_count"]);
  const [input, output] = [toCount(counted["input_tokens"]), toCount(counted["output_tokens"])];
  return input === undefined || output === undefined ? undefined : { inputTokens: input, outputTokens: output };
}
