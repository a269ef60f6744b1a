import type { Usage } from "../driver-kit/agent.ts";
import { agentsLimits } from "../limits.ts";
import { firstLine, isRecord, type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import {
  type Call,
  firstText,
  type FileDiff,
  pieceDiff,
  readDetail,
  type TranscriptEntry,
} from "../driver-kit/transcript.ts";

/** Interprets what an agent reports while it works on a prompt. */
export interface Updates {
  readonly hear: (update: Json) => readonly TranscriptEntry[];
  /** Reads a call that needs our permission; some agents announce it in no other way. */
  readonly asked: (call: Json) => readonly TranscriptEntry[];
  /** Reads the answer to the prompt, which may report usage. */
  readonly finish: (answer: Json) => Usage | null;
  readonly usage: () => Usage | null;
}

export function followUpdates(): Updates {
  let tokens: Tokens | undefined;
  let usd: number | undefined;
  const calls = followCalls();
  const usage = (): Usage | null => {
    if (tokens === undefined && usd === undefined) return null;
    return { inputTokens: 0, outputTokens: 0, ...tokens, usd: usd ?? 0 };
  };
  return {
    asked: (call) => calls.hear(call, true),
    hear: (update) => {
      switch (update["sessionUpdate"]) {
        case "agent_message_chunk":
          return words("says", update);
        case "agent_thought_chunk":
          return words("thinks", update);
        case "tool_call":
        case "tool_call_update":
          return calls.hear(update, false);
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

function words(type: "says" | "thinks", { content }: Json): TranscriptEntry[] {
  const text = toText(toRecord(content)["text"]);
  return text === "" ? [] : [{ type, text, isPiece: true }];
}

/** What is known of a call so far: agents report it in several updates, each with the fields that changed. */
interface OpenCall {
  readonly kind: string;
  readonly title: string;
  readonly command: string;
  readonly path: string;
  /** The content of a file that it writes whole. */
  readonly written: string;
  readonly isAnnounced: boolean;
}

function followCalls() {
  const open = new Map<unknown, OpenCall>();
  return {
    hear: (update: Json, isAsked: boolean): TranscriptEntry[] => {
      const { toolCallId: id, status } = update;
      const before = open.get(id) ?? unknownCall;
      const isOver = !isAsked && (status === "completed" || status === "failed");
      // Before it starts, a call may be named like its tool, and have no arguments yet.
      const isClear = isAsked || status !== "pending" || hasArguments(update);
      const known = { ...merged(before, update), isAnnounced: before.isAnnounced || isClear };
      open.delete(id);
      if (open.size >= agentsLimits.agentCallsOpenMax) open.clear();
      if (!isOver) open.set(id, known);
      const call = callOf(toText(id), known);
      const isNew = known.isAnnounced && !before.isAnnounced;
      return [...(isNew ? [call] : []), ...(isOver ? outcomeOf(update, { call, written: known.written }) : [])];
    },
  };
}

const unknownCall: OpenCall = { kind: "", title: "", command: "", path: "", written: "", isAnnounced: false };

const pathKeys = ["filePath", "file_path", "path"];

function merged(before: OpenCall, update: Json): Omit<OpenCall, "isAnnounced"> {
  const input = toRecord(update["rawInput"]);
  const path = toText(toRecords(update["locations"])[0]?.["path"]) || firstText(input, pathKeys);
  const written = toText(input["content"]);
  return {
    kind: bounded(toText(update["kind"])) || before.kind,
    title: firstLine(toText(update["title"])) || before.title,
    command: bounded(toText(input["command"])) || before.command,
    path: readDetail(bounded(path), input) || before.path,
    written: written.length > agentsLimits.agentFileKeptCharsMax ? "" : written || before.written,
  };
}

function bounded(text: string): string {
  return text.slice(0, agentsLimits.agentCallCharsMax);
}

/** An agent that gives no arguments at all puts them into the title. */
function hasArguments({ rawInput }: Json): boolean {
  return !isRecord(rawInput) || firstText(rawInput, ["command", ...pathKeys]) !== "";
}

function callOf(id: string, { kind, title, command, path }: OpenCall): Call {
  const name = kind || "other";
  const verb = verbs.get(name) ?? null;
  const detail = verb === "$" ? command : verb === "edit" || verb === "read" ? path : "";
  return { type: "calls", id, name, verb, detail: detail || title };
}

const verbs: ReadonlyMap<string, Call["verb"]> = new Map([
  ["execute", "$"],
  ["read", "read"],
  ["edit", "edit"],
  ["search", "search"],
  ["fetch", "fetch"],
]);

interface Announced {
  readonly call: Call;
  readonly written: string;
}

function outcomeOf(update: Json, { call, written }: Announced): TranscriptEntry[] {
  const failed = update["status"] === "failed";
  const diffs = failed ? [] : diffsOf(update["content"], { call, written });
  if (diffs.length > 0) return diffs;
  const texts = toRecords(update["content"]).map(({ content }) => toText(toRecord(content)["text"]));
  const exitCode = toCount(toRecord(toRecord(update["rawOutput"])["metadata"])["exit"]);
  return [{ type: "result", id: call.id, text: texts.join("\n"), failed, exitCode }];
}

function diffsOf(content: unknown, { call, written }: Announced): FileDiff[] {
  const diffs = toRecords(content).filter(({ type, path }) => type === "diff" && typeof path === "string");
  // Some report no diff of a file that they write whole.
  if (diffs.length === 0 && call.verb === "edit" && written !== "")
    return [{ type: "diff", path: call.detail, change: "modify", lines: () => pieceDiff("", written) }];
  return diffs.map(({ path, oldText, newText }) => {
    const [before, after] = [toText(oldText), toText(newText)];
    const change = before === "" ? "add" : "modify";
    return { type: "diff", path: toText(path), change, lines: () => pieceDiff(before, after) };
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
