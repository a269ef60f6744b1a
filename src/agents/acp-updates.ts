import type { AgentEvent, Usage } from "./agent.ts";
import { firstLine, type Json, toCount, toRecord, toRecords, toText } from "./json.ts";

/** What an agent tells while it works on a prompt. */
export interface Updates {
  readonly hear: (update: Json) => readonly AgentEvent[];
  /** The answer to the prompt, which may tell what was used. */
  readonly finish: (answer: Json) => Usage | null;
  readonly usage: () => Usage | null;
}

export function followUpdates(): Updates {
  let tokens: Tokens | undefined;
  let usd: number | undefined;
  const usage = (): Usage | null => {
    if (tokens === undefined && usd === undefined) return null;
    return { inputTokens: 0, outputTokens: 0, ...tokens, usd: usd ?? 0 };
  };
  return {
    hear: (update) => {
      switch (update["sessionUpdate"]) {
        case "agent_message_chunk": {
          const text = toText(toRecord(update["content"])["text"]);
          return text === "" ? [] : [{ type: "text", text }];
        }
        case "tool_call":
          return [toolEvent(update), ...fileEvents(update)];
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
    return { type: "file", path: toText(path), change: typeof oldText === "string" ? "modify" : "add" };
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

/** Input as agents report it leaves out what came from a cache, and thoughts are paid like output. */
function standardTokens(usage: Json): Tokens | undefined {
  const sum = (...names: string[]): number => names.reduce((total, name) => total + (toCount(usage[name]) ?? 0), 0);
  if (toCount(usage["inputTokens"]) === undefined || toCount(usage["outputTokens"]) === undefined) return undefined;
  return {
    inputTokens: sum("inputTokens", "cachedReadTokens", "cachedWriteTokens"),
    outputTokens: sum("outputTokens", "thoughtTokens"),
  };
}

function geminiTokens(quota: Json): Tokens | undefined {
  const counted = toRecord(quota["token_count"]);
  const [input, output] = [toCount(counted["input_tokens"]), toCount(counted["output_tokens"])];
  return input === undefined || output === undefined ? undefined : { inputTokens: input, outputTokens: output };
}
