/** One thing the scripted model does when it is asked; each result of a tool brings the next. */
export type Move =
  /** Writes a file with the agent's own edit tool; the path is inside the workspace. */
  | { readonly edit: string; readonly text: string }
  /** Reads a file with the agent's own tool; with a shell where it has no other. */
  | { readonly read: string }
  /** Replaces a text in a file with the agent's own edit tool. */
  | { readonly change: string; readonly from: string; readonly to: string }
  /** Runs a command line with the agent's own shell tool. */
  | { readonly shell: string }
  /** Ends the turn. */
  | { readonly say: string }
  /** Answers with this status, in the words of the service; `resetSeconds` is how far off its limit's reset is. */
  | { readonly refuse: number; readonly resetSeconds?: number }
  /** Begins an answer and never ends it. */
  | { readonly stall: string };

/** A request of an agent, whatever its wire format. */
export interface Turn {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  /** Results of tools that the conversation holds. */
  readonly results: number;
  readonly images: number;
  /** Everything a model would read: the system prompt and all messages. */
  readonly text: string;
}

export interface OfferedTool {
  readonly name: string;
  /** Names of its parameters; empty for a tool that takes free text. */
  readonly parameters: readonly string[];
  readonly freeText: boolean;
}

/** What the model is to answer, whatever the wire format. */
export type Answer =
  | { readonly kind: "speech"; readonly speech: Speech; readonly stalls: boolean }
  | { readonly kind: "refusal"; readonly refusal: Refusal };

export interface Speech {
  readonly text: string;
  readonly call: ToolCall | null;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

export interface Refusal {
  readonly status: number;
  readonly resetSeconds: number | null;
}

/** What the service knows and what its model is going to do. */
export interface Script {
  /** Every other model is unknown. */
  readonly models: readonly string[];
  /** One list for all conversations, or the list of the conversation that a request is part of. */
  readonly moves: readonly Move[] | ((turn: Turn) => readonly Move[]);
}

/** The answer to a request; requests without tools (titles, summaries) are no part of the task and get a short one. */
export function answerTo(script: Script, turn: Turn, callOf: (turn: Turn, move: Move) => ToolCall): Answer {
  if (!script.models.includes(turn.model)) return { kind: "refusal", refusal: { status: 404, resetSeconds: null } };
  const moves = typeof script.moves === "function" ? script.moves(turn) : script.moves;
  const move = moves[Math.min(turn.results, moves.length - 1)] ?? { say: "Nothing to do." };
  if ("refuse" in move) {
    return { kind: "refusal", refusal: { status: move.refuse, resetSeconds: move.resetSeconds ?? null } };
  }
  if (turn.tools.length === 0) return speech("A small task");
  if ("stall" in move) return { ...speech(move.stall), stalls: true };
  if ("say" in move) return speech(move.say);
  return speech(`Step ${turn.results + 1}.`, callOf(turn, move));
}

function speech(text: string, call: ToolCall | null = null): Extract<Answer, { kind: "speech" }> {
  return { kind: "speech", speech: { text, call }, stalls: false };
}
