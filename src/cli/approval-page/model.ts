import type { Estimate } from "../../engine/estimate.ts";
import type { RunSummary } from "../../engine/summary.ts";
import type { Problem, Role, TaskFiles } from "../../plan/types.ts";

/** Everything a person approves, with an estimate; `stint approve --json` prints it as it is. */
export interface Page {
  readonly plan: string;
  readonly title: string;
  readonly goal: string;
  readonly hash: string;
  readonly commit: string;
  /** The last approval, and whether it was for exactly this; null if there was none. */
  readonly approved: PastApproval | null;
  /** What changed since then, as git shows it. */
  readonly difference: readonly string[];
  readonly waves: readonly (readonly string[])[];
  readonly critical_path: readonly string[];
  readonly decisions: readonly PageDecision[];
  readonly prerequisites: readonly { readonly text: string; readonly check: string | null }[];
  readonly agents: PageAgents;
  readonly workspace: PageWorkspace;
  /** Commands and addresses that are notified of events; the commands run as the user, outside the sandbox. */
  readonly hooks: readonly PageHook[];
  readonly branch: string;
  readonly push: { readonly when: "task" | "run"; readonly remote: string } | null;
  /** Who accepts a revised plan, and how often a run asks for one by itself. */
  readonly replan: { readonly mode: "never" | "ask" | "auto"; readonly max: number };
  readonly protect: readonly string[];
  readonly forbid: readonly string[];
  /** The inputs that came with the goal: kept next to the plan, and approved by their content. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[];
  readonly proposed_rules: PageProposal | null;
  readonly tasks: readonly PageTask[];
  /** These run after every task. */
  readonly rules_checks: readonly PageCheck[];
  /** These run on the final tip. */
  readonly plan_checks: readonly PageCheck[];
  /** Every command line that the approval allows, wherever it appears above. */
  readonly commands: readonly PageCommand[];
  readonly problems: readonly Problem[];
  readonly estimate: Estimate;
  readonly cap: RunSummary["budget"] & { readonly unheld: string | null };
  /** What a person would want to know before anything else. */
  readonly unusual: readonly string[];
}

/** Rules that a planner proposes; approving does not put them into effect. */
export interface PageProposal {
  readonly file: string;
  /** The difference to the rules in effect, as git shows it. */
  readonly difference: readonly string[];
  /** The command that adopts them. */
  readonly take_over: string;
}

/** What was approved of the plan before. */
export interface PastApproval {
  readonly hash: string;
  readonly at: string;
  readonly by: string;
  readonly current: boolean;
}

/** A question of the plan, and who answered it. */
export interface PageDecision {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly recommend: string | null;
  readonly answer: string | null;
  /** Null while it is open. */
  readonly answered_by: "person" | "planner" | null;
  readonly file: string;
  readonly line: number;
}

/** A task, with its place in the waves. */
export interface PageTask {
  readonly id: string;
  readonly title: string;
  readonly depends: readonly string[];
  readonly files: TaskFiles;
  /** Null where it gives none. */
  readonly estimate_ms: number | null;
  readonly complexity: "low" | "medium" | "high";
  readonly role: Role;
  /** Waves are counted from 1. */
  readonly wave: number;
  readonly critical: boolean;
  readonly checks: readonly PageCheck[];
}

/** A check as it will be run. */
export type PageCheck =
  | {
      readonly kind: "run";
      readonly run: string;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly network: boolean;
      readonly timeout_ms: number;
      readonly red: boolean;
    }
  | { readonly kind: "exists" | "absent"; readonly path: string; readonly red: boolean }
  | { readonly kind: "contains"; readonly path: string; readonly text: string; readonly red: boolean }
  | { readonly kind: "judge"; readonly question: string };

/** A command line, and what it is run for. */
export interface PageCommand {
  readonly by: "prerequisite" | "set-up" | "agent" | "tool server" | "hook" | "task" | "rules" | "plan";
  /** The agent, the server or the task. */
  readonly of: string | null;
  readonly command: string;
}

/** The agents, their programs and tools, and what the repository gives them. */
export interface PageAgents {
  readonly roles: readonly PageRole[];
  /** Agents for which the settings name a program. */
  readonly programs: readonly {
    readonly agent: string;
    readonly command: readonly string[];
    readonly env: readonly string[];
  }[];
  readonly tool_servers: readonly PageServer[];
  readonly settings: readonly PageSettings[];
  /** Agents with the user's own program, which decides itself what it reads. */
  readonly own_programs: readonly string[];
  readonly prompts: readonly PagePrompt[];
}

/** The agent of a role, and where it is set. */
export interface PageRole {
  readonly role: Role;
  readonly agent: string | null;
  readonly model: string | null;
  readonly effort: string | null;
  /** What is started; null where the driver itself is the agent. */
  readonly program: string | null;
  readonly origin: string;
}

/** An MCP server, as it is written. */
export type PageServer =
  | { readonly name: string; readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly name: string; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Settings for agents that the repository ships; `text` only if an agent honours them. */
export interface PageSettings {
  readonly path: string;
  readonly honoured_by: readonly string[];
  readonly text: string | null;
}

/** A prompt that replaces a built-in one; `text` only if it came with the repository. */
export interface PagePrompt {
  readonly name: string;
  readonly file: string;
  readonly text: string | null;
}

/** The environment of agents and checks. */
export interface PageWorkspace {
  readonly setup: string | null;
  readonly env: readonly string[];
  readonly mounts: readonly { readonly path: string; readonly writable: boolean }[];
  readonly sandbox: "auto" | "bwrap" | "none";
  /** Why `auto` found none on this machine; null if it did, or if the settings decide. */
  readonly sandbox_missing: string | null;
  readonly scope_requests: "grant" | "ask" | "refuse";
}

/** A hook, which is notified of events. */
export interface PageHook {
  readonly on: readonly string[];
  readonly command: readonly string[] | null;
  /** The address as the repository has it; of one in the user's own settings only the host, because the rest may be a secret. */
  readonly webhook: string | null;
  readonly origin: string;
}
