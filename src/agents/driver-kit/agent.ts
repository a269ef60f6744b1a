import type { Outcome, ProcessIdentity, ProgramFacts, Report, Usage } from "../../engine/session.ts";
import type { Redactor } from "../../base/redact.ts";
import type { Enclosure } from "../../sandbox/sandbox.ts";
import type { Tree } from "../../sandbox/tree-lookup.ts";

export type { Outcome, ProcessIdentity, ProgramFacts, Report, Usage };

/** What the driver gets for one session; it adds what only it knows about its agent. */
export interface SessionRequest extends SessionWish {
  /** The program and its arguments as the config has them; empty where the driver is to use its own. */
  readonly command: readonly string[];
  /** Paths on the host; inside a sandbox they have other names, which are in `enclosure`. */
  readonly workspace: string;
  /** The files of the workspace, as long as no agent works there. */
  readonly files: Tree;
  readonly outbox: string;
  readonly home: string;
  readonly enclosure: Enclosure;
  /** The whole environment of the agent; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** An entry of `env` that no other session has; it identifies the processes of this one. */
  readonly marker: string;
  readonly logFile: string;
  /** What a person types once they have fixed what kept the session from starting. */
  readonly resume: string;
  /** Removes secrets from the log and from events. */
  readonly redact?: Redactor | undefined;
  readonly wallMsMax: number;
  readonly idleMsMax: number;
  readonly signal: AbortSignal;
  /** Called with the process held before its first instruction; it is released when the promise resolves. */
  readonly started: (process: ProcessIdentity) => Promise<void>;
  /** Receives what the agent does while it works; only the budget is decided by it. */
  readonly observe: (event: AgentEvent) => void;
  /** Called at the agent's final event: from then on the session ends by itself or after a grace period. */
  readonly lastWord?: (() => void) | undefined;
}

/** What a session is to do, whichever agent does it. */
export interface SessionWish {
  readonly prompt: string;
  /** The model that the role names; absent means the agent's own default. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly inputs: readonly SessionInput[];
  readonly mcp: Readonly<Record<string, McpServer>>;
  /** Whether settings that the repository ships for the agent (hooks, servers, permissions) are honoured. */
  readonly repoSettings: boolean;
}

/** A file that goes along with the prompt. */
export interface SessionInput {
  /** Its path in the inbox, as the agent sees it. */
  readonly path: string;
  /** Its path on the host. */
  readonly file: string;
  readonly mediaType: string;
}

/** An MCP server for agents that support them. */
export type McpServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** What an agent does, as far as its program reports it; never a full record, and never a proof. */
export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly name: string; readonly detail: string }
  | { readonly type: "file"; readonly path: string; readonly change: "add" | "modify" | "delete" }
  /** The total that the session has used so far. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The agent's own program retries; `delayMs` is null where it does not say how long it waits. */
  | { readonly type: "retry"; readonly delayMs: number | null; readonly why: string }
  | { readonly type: "notice"; readonly text: string };

export interface SessionResult {
  readonly outcome: Outcome;
  readonly report: Report | null;
  /** Why a report that was written cannot be read, for the log. */
  readonly reportProblem?: string;
  readonly usage: Usage;
  /** The id of the session in the agent's own program. */
  readonly sessionId: string | null;
  /** Absent where the agent's output does not show its tool calls. */
  readonly program?: ProgramFacts;
}

/** What a driver provides. All knowledge about one agent is in its driver. */
export interface AgentDriver {
  readonly facts: AgentFacts;
  readonly run: (request: SessionRequest) => Promise<SessionResult>;
}

/** What has to be known about an agent besides how to run it. */
export interface AgentFacts {
  /** The program where the config names none; null where the config must. */
  readonly program: string | null;
  /** The user's variables that it logs in with: the agent gets them, and their values are never shown. */
  readonly credentials: readonly string[];
  /** Other variables of the user's that the agent gets, such as the address of its service. */
  readonly settings: readonly string[];
  /** The user's own instructions for this agent, relative to HOME; they are copied to the agent's home. */
  readonly userInstructions: readonly string[];
  /** Settings for this agent that a repository may ship; shown at approval. */
  readonly repoSettings: readonly string[];
  /** Files of its own home that the program obeys: removed before each session, because an earlier one may have planted them. */
  readonly homeSettings?: readonly string[] | undefined;
  /** Whether its program never reports cost, so that a cap in USD needs a price. */
  readonly reportsNoCost?: boolean | undefined;
  /** Whether the agent ends its turn by itself and its stream is followed, so that a pause may let a session finish. */
  readonly endsTurn?: boolean | undefined;
  /** The oldest and the newest version of its program that the driver is tested with. */
  readonly tested?: { readonly oldest: string; readonly newest: string } | undefined;
  /** Arguments with which its program answers one short prompt, for a person who wants to see whether it works. */
  readonly hello?: readonly string[] | undefined;
  /** Files of its program outside the system's own folders; a sandbox must show them. */
  readonly files?: readonly string[] | undefined;
  /** Whether `command` names a file that the driver reads, and not a program. */
  readonly commandIsFile?: boolean | undefined;
  /** How to ask the program whether it is logged in; absent where it cannot be asked. */
  readonly login?: LoginQuestion | undefined;
  /** How a person logs in to the program that the settings name; undefined where Stint does not know. */
  readonly ownLogin?: ((program: string) => OwnLogin | undefined) | undefined;
  /** When the login in its home expires, in milliseconds since 1970; null where there is none or it does not say. */
  readonly loginExpiry?: ((home: string) => Promise<number | null>) | undefined;
}

export interface LoginQuestion {
  readonly args: readonly string[];
  readonly read: (answer: { readonly code: number; readonly output: string }) => {
    readonly loggedIn: boolean;
    /** A description in the agent's words or ours: "API key from ANTHROPIC_API_KEY". */
    readonly how: string;
  };
  /** Files to write to its home before asking, so that it does not answer with the settings of an earlier session. */
  readonly homeFiles?:
    ((env: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, string>>) | undefined;
}

/** An agent's own way to log in. */
export interface OwnLogin {
  /** The arguments with which its program logs a person in. */
  readonly args: readonly string[];
  /** The file that has the login, relative to the user's home and to the one that Stint keeps. */
  readonly file: string;
  /** Whether its service accepts a refresh token once, so that of two copies of a login one ends when the other is renewed. */
  readonly renewsOnce: boolean;
  /** What a person should know before its program starts. */
  readonly hint?: string | undefined;
}
