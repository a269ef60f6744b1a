import { openUserRepo, type UserRepo } from "../../git/user-repo.ts";
import { upkeepLimits } from "../limits.ts";
import { problemAt } from "../../plan/problem.ts";
import { readPlanFilesFromDisk } from "../../plan/read.ts";
import type { PlanFiles, Problem } from "../../plan/types.ts";
import type { Failure } from "../../base/result.ts";
import { findSandbox } from "../../sandbox/find.ts";
import { noSandbox } from "../../sandbox/sandbox.ts";
import { hasErrors } from "../../approval/committed-plan.ts";
import { type AgentHealth, examineAgents } from "./agents.ts";
import { type Finding, diagnoseAgents, diagnoseMachine, diagnoseSandbox, diagnoseServers } from "./diagnose.ts";
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
}

/** Nothing is examined where the settings are wrong, because it is unknown what a run would need. */
type Examination =
  | { readonly kind: "bad-settings"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "examined";
      readonly problems: readonly Problem[];
      readonly findings: readonly Finding[];
      readonly agents: readonly AgentHealth[];
    };

/** Finds out whether runs can work here: the machine, the folders, and what each agent reports about itself. */
export async function examine({ cwd, env, signal }: Patient): Promise<Examination> {
  const opened = await openUserRepo(cwd);
  const repo = opened.ok ? opened.value : undefined;
  const { config, problems, origins } = settingsOnDisk(env, repo);
  if (hasErrors(problems)) return { kind: "bad-settings", problems };
  const unapproved = Object.keys(config.agents).filter(
    (name) => origins.get(`agents.${name}`)?.layer === "project" && (config.agents[name]?.command.length ?? 0) > 0,
  );
  const paths = repo === undefined ? undefined : pathsOf(repo.commonDir, env);
  const confinement = await (repo === undefined || paths === undefined
    ? findSandbox({ mode: config.run.sandbox, env, hidden: [stintHome(env)], mounts: [] })
    : findProjectSandbox({ repo, paths, env }, config));
  const machine = await examineMachine(env, paths);
  const agents = await examineAgents({
    config,
    unapproved: new Set(unapproved),
    root: repo?.root ?? null,
    env,
    sandbox: confinement.ok ? confinement.value.sandbox : noSandbox,
    answerMsMax: upkeepLimits.doctorAnswerMsMax,
    signal,
  });
  const here = [
    ...diagnoseMachine(machine),
    diagnoseSandbox(confinement),
    ...(opened.ok ? [] : [noRepository(opened)]),
  ];
  const servers = diagnoseServers(whyNoServer(config, env));
  return { kind: "examined", problems, agents, findings: [...here, ...diagnoseAgents(agents), ...servers] };
}

/** Reads the settings of the work tree: people want to know before they commit. */
function settingsOnDisk(env: NodeJS.ProcessEnv, repo: UserRepo | undefined): Settings {
  const files: PlanFiles = repo === undefined ? new Map() : readPlanFilesFromDisk(repo.root, "");
  const settings = readSettings({ env }, files);
  const file = files.get(configFile);
  if (file === undefined || "bytes" in file) return settings;
  return { ...settings, problems: [problemAt(configFile, "unreadable", file.unreadable), ...settings.problems] };
}

/** Agents can be set up anywhere; only a run needs a repository. */
function noRepository({ failure }: { readonly failure: Failure }): Finding {
  return { about: "repository", state: "warn", says: failure.message, cure: null };
}
