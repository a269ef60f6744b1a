import type { CommandWatch } from "../../checks/running-command.ts";
import { openUserRepo, rootOf, type UserRepo } from "../../git/user-repo.ts";
import { upkeepLimits } from "../limits.ts";
import { problemAt } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import type { PlanFiles, Problem } from "../../plan/types.ts";
import { type Failure, type Result } from "../../base/result.ts";
import { findSandbox, type FoundSandbox } from "../../sandbox/find.ts";
import { noSandbox } from "../../sandbox/sandbox.ts";
import { hasErrors } from "../../approval/committed-plan.ts";
import { type AgentExamination, type AgentHealth, examineAgents } from "./agents.ts";
import {
  type Finding,
  diagnoseAgents,
  diagnoseMachine,
  diagnoseRepository,
  diagnoseSandbox,
  diagnoseTracer,
  diagnoseServers,
} from "./diagnose.ts";
import { examineRepository } from "./repository.ts";
import type { Config } from "../../config/load.ts";
import { examineMachine } from "./machine.ts";
import { pathsOf, stintHome } from "../../project/paths.ts";
import { whyNoServer } from "../../agents/mcp.ts";
import { findProjectSandbox } from "../../project/project.ts";
import { configFile, readSettings, type Settings } from "../../project/settings.ts";

export type { AgentHealth } from "./agents.ts";
export type { Finding } from "./diagnose.ts";

interface Patient {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Is called with each question to an agent's program. */
  readonly watch?: CommandWatch;
}

/** Nothing is examined where the settings are wrong, because it is unknown what a run would need. */
interface BadSettings {
  readonly kind: "bad-settings";
  readonly problems: readonly Problem[];
}

type Examination =
  | BadSettings
  | {
      readonly kind: "examined";
      readonly problems: readonly Problem[];
      readonly findings: readonly Finding[];
      readonly agents: readonly AgentHealth[];
    };

/** Finds out whether runs can work here: the machine, the folders, the repository, and what each agent reports about itself. */
export async function examine(patient: Patient): Promise<Examination> {
  const opened = await openSurroundings(patient);
  if (opened.kind === "bad-settings") return opened;
  const { env } = patient;
  const { repo, problems, confinement, agentExamination } = opened;
  const machine = await examineMachine(env, repo.ok ? pathsOf(repo.value.commonDir, env) : undefined);
  const agents = await examineAgents(agentExamination);
  const here = [
    ...diagnoseMachine(machine),
    diagnoseSandbox(confinement),
    ...diagnoseTracer(confinement),
    ...(repo.ok ? diagnoseRepository(await examineRepository(repo.value, opened)) : [noRepository(repo)]),
  ];
  const servers = diagnoseServers(whyNoServer(opened.config, env));
  return { kind: "examined", problems, agents, findings: [...here, ...diagnoseAgents(agents), ...servers] };
}

/** What agents are examined with, and logged in. */
export interface Surroundings {
  readonly kind: "opened";
  readonly env: NodeJS.ProcessEnv;
  readonly config: Config;
  /** Settings and rules, as they are in the work tree. */
  readonly files: PlanFiles;
  readonly repo: Result<UserRepo>;
  readonly problems: readonly Problem[];
  readonly confinement: Result<FoundSandbox>;
  readonly agentExamination: AgentExamination;
}

/** Reads the settings of the work tree and finds the sandbox that sessions would have. */
export async function openSurroundings({ cwd, env, signal, watch }: Patient): Promise<Surroundings | BadSettings> {
  const opened = await openUserRepo(cwd);
  const repo = opened.ok ? opened.value : undefined;
  const root = await rootOf(cwd, opened);
  const files: PlanFiles = root === undefined ? new Map() : readPlanFilesFromDisk(root, "");
  const { config, problems, origins } = settingsOnDisk(env, files);
  if (hasErrors(problems)) return { kind: "bad-settings", problems };
  const unapproved = Object.keys(config.agents).filter(
    (name) => origins.get(`agents.${name}`)?.layer === "project" && (config.agents[name]?.command.length ?? 0) > 0,
  );
  const confinement = await (repo === undefined
    ? findSandbox({ mode: config.run.sandbox, env, hidden: [stintHome(env)], mounts: [] })
    : findProjectSandbox({ repo, paths: pathsOf(repo.commonDir, env), env }, config));
  const agentExamination = {
    config,
    unapproved: new Set(unapproved),
    root: root ?? null,
    env,
    sandbox: confinement.ok ? confinement.value.sandbox : noSandbox,
    answerMsMax: upkeepLimits.doctorAnswerMsMax,
    signal,
    watch,
  };
  return { kind: "opened", env, config, files, repo: opened, problems, confinement, agentExamination };
}

/** Reads the settings of the work tree: people want to know before they commit. */
function settingsOnDisk(env: NodeJS.ProcessEnv, files: PlanFiles): Settings {
  const settings = readSettings({ env }, files);
  const file = files.get(configFile);
  if (file === undefined || "bytes" in file) return settings;
  return { ...settings, problems: [problemAt(configFile, "unreadable", file.unreadable), ...settings.problems] };
}

/** Agents can be set up anywhere; only a run needs a repository. One in which no run could work is bad. */
function noRepository({ failure }: { readonly failure: Failure }): Finding {
  const state = failure.reason === "not-a-repository" ? "warn" : "bad";
  return { about: "repository", state, says: failure.message, cure: null };
}
