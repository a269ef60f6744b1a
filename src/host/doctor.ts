import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { limits } from "../limits.ts";
import { readPlanFilesFromDisk } from "../plan/read.ts";
import type { PlanFiles, Problem } from "../plan/types.ts";
import { noSandbox } from "../sandbox/none.ts";
import { configFile, configSources, hasErrors } from "./committed-plan.ts";
import { type AgentHealth, examineAgents } from "./doctor/agents.ts";
import type { Finding } from "./doctor/finding.ts";
import { judgeAgents, judgeMachine } from "./doctor/judge.ts";
import { examineMachine } from "./doctor/machine.ts";
import { layoutOf } from "./layout.ts";

export type { AgentHealth } from "./doctor/agents.ts";
export type { Finding } from "./doctor/finding.ts";

export interface Patient {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** With wrong settings nothing is examined, because it could not be said what for. */
export type Examination =
  | { readonly kind: "bad-settings"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "examined";
      readonly problems: readonly Problem[];
      readonly findings: readonly Finding[];
      readonly agents: readonly AgentHealth[];
    };

/** Says what a run would find here: the machine, the folders, and each agent as it answers itself. */
export async function examine({ cwd, env, signal }: Patient): Promise<Examination> {
  const opened = await openUserRepo(cwd);
  const repo = opened.ok ? opened.value : undefined;
  const { config, problems, origins } = readSettings(env, repo);
  if (hasErrors(problems)) return { kind: "bad-settings", problems };
  const unapproved = Object.keys(config.agents).filter(
    (name) => origins.get(`agents.${name}`)?.layer === "project" && (config.agents[name]?.command.length ?? 0) > 0,
  );
  const layout = repo === undefined ? undefined : layoutOf(repo.commonDir, env);
  const machine = await examineMachine(env, layout);
  const agents = await examineAgents({
    config,
    unapproved: new Set(unapproved),
    root: repo?.root ?? null,
    env,
    sandbox: noSandbox,
    answerMsMax: limits.doctorAnswerMsMax,
    signal,
  });
  const findings = [...judgeMachine(machine), ...(opened.ok ? [] : [noRepository(opened.failure.message)])];
  return { kind: "examined", problems, agents, findings: [...findings, ...judgeAgents(agents)] };
}

/** As they lie in the work tree: whoever asks wants to know before committing. */
function readSettings(env: NodeJS.ProcessEnv, repo: UserRepo | undefined): LoadedConfig {
  const files: PlanFiles = repo === undefined ? new Map() : readPlanFilesFromDisk(repo.root, "");
  const loaded = loadConfig(configSources({ env }, files));
  const file = files.get(configFile);
  if (file === undefined || "bytes" in file) return loaded;
  const at = { file: configFile, line: 1, column: 1 };
  const problem: Problem = { ...at, severity: "error", code: "unreadable", message: file.unreadable };
  return { ...loaded, problems: [...loaded.problems, problem] };
}

/** Agents can be set up anywhere; only a run needs a repository. */
function noRepository(says: string): Finding {
  return { about: "repository", state: "warn", says, cure: null };
}
