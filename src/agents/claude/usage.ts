import { agentsLimits } from "../limits.ts";
import type { Usage } from "../driver-kit/agent.ts";
import { isRecord, type Json, toCount, toRecord, toText } from "../driver-kit/json.ts";

/**
 * Adds up the usage of messages. Each comes in several lines with the same usage, reported when its output had only begun:
 * the final event has the full output.
 */
export function meterMessages() {
  const open = new Set<string>();
  let total: Usage | null = null;
  return {
    total: () => total,
    add: (message: Json): Usage | null => {
      const id = toText(message["id"]);
      const { usage } = message;
      if (id === "" || open.has(id) || !isRecord(usage)) return null;
      if (open.size >= agentsLimits.agentMessagesOpenMax) open.clear();
      open.add(id);
      total = sum(total ?? nothing, {
        inputTokens: inputKeys.message.reduce((tokens, key) => tokens + (toCount(usage[key]) ?? 0), 0),
        outputTokens: toCount(usage["output_tokens"]) ?? 0,
        usd: 0,
      });
      return total;
    },
  };
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

const inputKeys = {
  message: ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  model: ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"],
};

function sum(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    usd: a.usd + b.usd,
  };
}

/** Adds up the usage per model, because the other figures leave out its helpers. */
export function totalOf(result: Json): Usage | null {
  if (!isRecord(result["modelUsage"])) return null;
  const models = Object.values(result["modelUsage"]).map(toRecord);
  const tokens = models.map((model) => ({
    inputTokens: inputKeys.model.reduce((sofar, key) => sofar + (toCount(model[key]) ?? 0), 0),
    outputTokens: toCount(model["outputTokens"]) ?? 0,
    usd: 0,
  }));
  const { total_cost_usd: usd } = result;
  const paid = typeof usd === "number" && Number.isFinite(usd) && usd >= 0 ? usd : 0;
  return { ...tokens.reduce(sum, nothing), usd: paid };
}
