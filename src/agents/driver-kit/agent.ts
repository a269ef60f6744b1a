import type { Outcome, ProcessIdentity, Report, Usage } from "../../engine/session.ts";
import type { Redactor } from "../../base/redact.ts";
import type { Enclosure } from "../../sandbox/sandbox.ts";

export type { Outcome, ProcessIdentity, Report, Usage };

/** What a session gets; the driver adds what only it knows about its agent. */
export interface SessionRequest extends SessionWish {
  /** The program and its arguments as the config has them; empty where the driver is to use its own. */
  readonly command: readonly string[];
  /** The host's folders; inside a sandbox they have other names, which `enclosure` tells. */
  readonly workspace: string;
  readonly outbox: string;
  readonly home: string;
  readonly enclosure: Enclosure;
  /** The whole environment of the agent; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** An exact entry of `env` that no other session has, by which its processes are found. */
  readonly marker: string;
  readonly logFile: string;
  /** Strikes secrets out of the log and of the events told. */
  readonly redact?: Redactor | undefined;
  readonly wallMsMax: number;
  readonly idleMsMax: number;
  readonly signal: AbortSignal;
  /** Called with the process held before its first instruction; it is released when the promise resolves. */
  readonly started: (process: ProcessIdentity) => Promise<void>;
  /** Told of what the agent does while it does it; nothing is decided by it but the budget. */
  readonly observe: (event: AgentEvent) => void;
  /** Told when the agent has said its last word: from then on the session ends by itself or after a grace period. */
  readonly lastWord?: (() => void) | undefined;
}

/** What is wanted of an agent, whichever it is. */
export interface SessionWish {
  readonly prompt: string;
  /** As the role has it; absent means the agent's own default. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly inputs: readonly SessionInput[];
  readonly mcp: Readonly<Record<string, McpServer>>;
  /** Whether settings that the repository ships for the agent (hooks, servers, permissions) are honoured. */
  readonly repoSettings: boolean;
}

/** A file given along with the prompt. */
export interface SessionInput {
  /** As the agent sees it, in the inbox. */
  readonly path: string;
  /** On the host. */
  readonly file: string;
  readonly mediaType: string;
}

/** A tool server handed to agents that can take one. */
export type McpServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** What an agent does, as far as its program tells; never a full record, and never a proof. */
export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | { readonly type: "file"; readonly path: string; readonly change: "add" | "modify" | "delete" }
  /** All that the session has used so far. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The agent's own program tries again; `delayMs` is null where it does not say how long it waits. */
  | { readonly type: "retry"; readonly delayMs: number | null; readonly why: string }
  | { readonly type: "notice"; readonly text: string };

export interface SessionResult {
  readonly outcome: Outcome;
  readonly report: Report | null;
  /** Why a report that was written cannot be read, for the log. */
  readonly reportProblem?: string;
  readonly usage: Usage;
  /** By which the agent's own program knows the session. */
  readonly sessionId: string | null;
}

/** An agent program, as the host sees it. All knowledge of one agent lives in its driver. */
export interface AgentDriver {
  readonly facts: AgentFacts;
  readonly run: (request: SessionRequest) => Promise<SessionResult>;
}

/** What has to be known of an agent besides how to run it. */
export interface AgentFacts {
  /** The program where the config names none; null where the config must. */
  readonly program: string | null;
  /** The user's variables that it logs in with: let through to it, and their values are never shown. */
  readonly credentials: readonly string[];
  /** Further variables of the user's by which it finds its service. */
  readonly settings: readonly string[];
  /** The user's own instructions for this agent, below HOME; they reach the agent's home. */
  readonly userInstructions: readonly string[];
  /** Settings for this agent that a repository may ship; shown at approval. */
  readonly repoSettings: readonly string[];
  /** What of its own home the program obeys, below it: cleared before each session, because an earlier one may have planted it. */
  readonly homeSettings?: readonly string[] | undefined;
  /** Whether its program never tells money, so that a cap in USD needs a price. */
  readonly tellsNoMoney?: boolean | undefined;
  /** The version of its program that the driver is tested with; an older one may lack what the driver uses. */
  readonly tested?: string | undefined;
  /** Files outside the system's own folders that its program consists of; it must see them wherever it runs. */
  readonly files?: readonly string[] | undefined;
  /** How the agent is asked whether it is logged in; absent where its program cannot be asked. */
  readonly login?: LoginQuestion | undefined;
  /** When the login kept in its home runs out, in milliseconds since 1970; null where none is kept or it does not say. */
  readonly loginExpiry?: ((home: string) => Promise<number | null>) | undefined;
}

export interface LoginQuestion {
  readonly args: readonly string[];
  readonly read: (answer: { readonly code: number; readonly output: string }) => {
    readonly loggedIn: boolean;
    /** In the agent's words or ours: "API key from ANTHROPIC_API_KEY". */
    readonly how: string;
  };
  /** The command a person runs to log in. */
  readonly cure: string;
  /** Files of its home without which it would answer for an earlier session, by the environment it is asked in. */
  readonly homeFiles?:
    ((env: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>) | undefined;
}
