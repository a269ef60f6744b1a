import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { permissionAnswer } from "./permission.ts";
import { followUpdates } from "./updates.ts";
import type { AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import type { DialectWish } from "../driver-kit/dialect.ts";
import { firstLine, type Json, shown, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import { eventsOf } from "../driver-kit/transcript.ts";
import { type Answer, jsonRpcPeer, type Peer, type RpcError } from "./json-rpc.ts";

export interface AcpWish extends DialectWish {
  /** The images by the paths that the agent sees. */
  readonly images: ReadonlyMap<string, AcpImage>;
}

export interface AcpImage {
  readonly mimeType: string;
  readonly data: string;
}

/** One session over ACP: initialize, open, choose the model, prompt; the answer to the prompt ends it. */
export interface Conversation {
  readonly begin: (say: (text: string) => void, hangUp: () => void) => void;
  readonly hear: (line: string) => { readonly events: readonly AgentEvent[]; readonly final: boolean };
  readonly cancel: () => void;
  /** Undefined until the session is over. */
  readonly outcome: () => Outcome | undefined;
  readonly usage: () => Usage | null;
  readonly sessionId: () => string | null;
  /** The version that the agent names when it is greeted. */
  readonly version: () => string | null;
}

export function converse(wish: AcpWish): Conversation {
  let events: AgentEvent[] = [];
  let outcome: Outcome | undefined;
  let sessionId: string | null = null;
  let version: string | null = null;
  let peer: Peer | undefined;
  let hangUp = (): void => undefined;
  const updates = followUpdates();

  const end = (how: Outcome): void => {
    outcome ??= how;
    hangUp();
  };
  const ask = (
    method: string,
    params: Json,
    next: (value: Json) => void,
    failed: (error: RpcError) => Outcome = (error) => errorOutcome(error, method),
  ): void => {
    peer?.request(method, params, (answer: Answer) => {
      if (answer.ok) next(answer.value);
      else end(failed(answer.error));
    });
  };
  const open = (greeting: Json): void => {
    version = toText(toRecord(greeting["agentInfo"])["version"]) || null;
    if (greeting["protocolVersion"] !== protocolVersion)
      return end(crashed(`the agent speaks version ${shown(greeting["protocolVersion"])} of ACP, not 1`));
    const capabilities = toRecord(greeting["agentCapabilities"]);
    const { servers, notices } = mcpServers(wish, capabilities);
    events.push(...notices);
    ask("session/new", { cwd: wish.folders.workspace, mcpServers: servers }, (session) => {
      const id = toText(session["sessionId"]);
      if (id === "") return end(crashed("the agent opened a session without an id"));
      sessionId = id;
      choose(choices(wish), session, () => prompt(id, capabilities));
    });
  };
  /** Ends the session where a choice is not offered or not accepted: the agent would work with another model. */
  const choose = ([first, ...rest]: readonly Choice[], session: Json, next: () => void): void => {
    if (first === undefined) return next();
    const how = howToChoose(first, session);
    if (how === undefined)
      return end(misconfigured(`the agent does not let Stint choose the ${first.what}, but ${first.value} is set`));
    const taken = (answer: Json): void => {
      const now = toRecords(answer["configOptions"]).find(({ id }) => id === how.params["configId"]);
      if (now !== undefined && now["currentValue"] !== first.value)
        return end(misconfigured(`the agent did not accept the ${first.what} ${first.value}`));
      choose(rest, session, next);
    };
    ask(how.method, { sessionId, ...how.params }, taken, (error) =>
      misconfigured(`the agent refused the ${first.what} ${first.value}: ${firstLine(error.message)}`),
    );
  };
  const prompt = (id: string, capabilities: Json): void => {
    const takesImages = toRecord(capabilities["promptCapabilities"])["image"] === true;
    ask("session/prompt", { sessionId: id, prompt: promptBlocks(wish, takesImages) }, (answer) => {
      const used = updates.finish(answer);
      if (used !== null) events.push({ type: "usage", usage: used });
      end(stopOutcome(answer["stopReason"]));
    });
  };
  const permit = (params: Json): Json => {
    const { allowed, answer } = permissionAnswer(params, wish);
    const call = toRecord(params["toolCall"]);
    const title = firstLine(toText(call["title"]));
    events.push(...eventsOf(updates.asked(call)));
    if (!allowed)
      events.push({ type: "notice", text: `permission denied to the agent: ${title || "a call without a title"}` });
    return answer;
  };
  return {
    begin: (say, stop) => {
      hangUp = stop;
      peer = jsonRpcPeer({
        say,
        answer: (method, params) => (method === "session/request_permission" ? permit(params) : undefined),
        notified: (method, params) => {
          if (method === "session/update" && sessionId !== null && params["sessionId"] === sessionId)
            events.push(...eventsOf(updates.hear(toRecord(params["update"]))));
        },
      });
      const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
      ask("initialize", { protocolVersion, clientCapabilities, clientInfo: { name: "stint", version: "1" } }, open);
    },
    hear: (line) => {
      events = [];
      if (outcome === undefined) peer?.hear(line);
      return { events, final: outcome !== undefined };
    },
    cancel: () => {
      if (sessionId !== null && outcome === undefined) peer?.notify("session/cancel", { sessionId });
    },
    outcome: () => outcome,
    usage: updates.usage,
    sessionId: () => sessionId,
    version: () => version,
  };
}

const protocolVersion = 1;

function crashed(detail: string): Outcome {
  return { kind: "crashed", detail };
}

/** Only a person can name another model; until then another session would end the same way. */
function misconfigured(detail: string): Outcome {
  return { kind: "misconfigured", detail };
}

interface Choice {
  readonly what: "model" | "effort";
  /** The mark of the option, whatever its id. */
  readonly category: string;
  readonly value: string;
}

function choices({ model, effort }: AcpWish): Choice[] {
  return [
    ...(model === undefined ? [] : [{ what: "model", category: "model", value: model } as const]),
    ...(effort === undefined ? [] : [{ what: "effort", category: "thought_level", value: effort } as const]),
  ];
}

function howToChoose({ what, category, value }: Choice, session: Json): { method: string; params: Json } | undefined {
  const options = toRecords(session["configOptions"]).filter(({ id }) => typeof id === "string");
  const option = options.find((each) => each["category"] === category) ?? options.find(({ id }) => id === what);
  if (option !== undefined) return { method: "session/set_config_option", params: { configId: option["id"], value } };
  // Older agents offer a list of models by itself.
  if (what === "model" && Array.isArray(toRecord(session["models"])["availableModels"]))
    return { method: "session/set_model", params: { modelId: value } };
  return undefined;
}

function mcpServers({ mcp }: AcpWish, capabilities: Json): { servers: Json[]; notices: AgentEvent[] } {
  const takesHttp = toRecord(capabilities["mcpCapabilities"])["http"] === true;
  const servers: Json[] = [];
  const notices: AgentEvent[] = [];
  for (const [name, server] of Object.entries(mcp)) {
    if (!("url" in server)) servers.push({ name, command: server.command, args: server.args, env: pairs(server.env) });
    else if (takesHttp) servers.push({ type: "http", name, url: server.url, headers: pairs(server.headers) });
    else
      notices.push({ type: "notice", text: `the agent does not support MCP servers over HTTP: ${name} is left out` });
  }
  return { servers, notices };
}

function pairs(values: Readonly<Record<string, string>>): Json[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Makes the prompt. Every agent takes links; images go along only where it says that it takes them. */
function promptBlocks({ prompt, inputs, images }: AcpWish, takesImages: boolean): Json[] {
  const media = inputs.filter(({ mediaType }) => !mediaType.startsWith("text/"));
  return [
    { type: "text", text: prompt },
    ...media.map(({ path, mediaType }) => {
      const image = takesImages ? images.get(path) : undefined;
      if (image !== undefined) return { type: "image", ...image };
      return { type: "resource_link", name: basename(path), uri: pathToFileURL(path).href, mimeType: mediaType };
    }),
  ];
}

/** Decides the outcome by the answer to the prompt. */
export function stopOutcome(reason: unknown): Outcome {
  switch (reason) {
    case "end_turn":
      return { kind: "ok" };
    case "refusal":
      return { kind: "refused", detail: "the agent refused to continue" };
    case "max_tokens":
      return { kind: "context", detail: "the agent reached its limit of tokens" };
    case "max_turn_requests":
      return { kind: "context", detail: "the agent reached its limit of requests in one turn" };
    case "cancelled":
      // A session that Stint stops is interrupted and never gets here.
      return { kind: "crashed", detail: "the agent cancelled its own turn" };
    default:
      return { kind: "crashed", detail: `the agent stopped for an unknown reason: ${shown(reason)}` };
  }
}

/** Decides the outcome by an error in place of an answer: its code and fields decide, its message is only quoted. */
export function errorOutcome({ code, message, data }: RpcError, method: string): Outcome {
  const detail = `${method}: error ${code}${message === "" ? "" : `: ${firstLine(message)}`}`;
  const kind = code === authRequired ? "auth" : (kindOf(code, data) ?? "crashed");
  // No agent is known to say in a field when a limit ends.
  return kind === "limit" ? { kind, until: null } : { kind, detail };
}

/** The code that ACP reserves for a missing login. */
const authRequired = -32_000;

type ErrorKind = "auth" | "limit" | "overloaded" | "context";

function kindOf(code: number, data: unknown): ErrorKind | undefined {
  const { errorKind, status, statusCode } = toRecord(data);
  return [code, errorKind, status, statusCode].map((sign) => kinds.get(sign)).find((kind) => kind !== undefined);
}

/** HTTP statuses, and names that adapters give their errors; not 500, which Gemini also sends for an unknown model. */
const kinds: ReadonlyMap<unknown, ErrorKind> = new Map<unknown, ErrorKind>([
  [401, "auth"],
  [403, "auth"],
  ["authentication_failed", "auth"],
  [429, "limit"],
  ["rate_limit", "limit"],
  [502, "overloaded"],
  [503, "overloaded"],
  [504, "overloaded"],
  [529, "overloaded"],
  ["overloaded", "overloaded"],
  [413, "context"],
]);
