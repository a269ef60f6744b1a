import type { Approval } from "../../approval/approvals.ts";
import type { Estimate } from "../../engine/estimate.ts";
import type { Ready } from "../../approval/committed-plan.ts";
import { isPlanInput, proposedRules } from "../../plan/plan-folder.ts";
import { rulesFile } from "../../plan/rules.ts";
import { shapeOf, type Shape } from "../../plan/shape.ts";
import type { Check, Decision, Plan, Task, Role } from "../../plan/types.ts";
import { unreachable } from "../../base/result.ts";
import { resolveRole, rolesShown } from "../../config/roles.ts";
import { originOf, originOfRole, shownAddress } from "../../config/show.ts";
import type { McpConfig } from "../../config/types.ts";
import type {
  Page,
  PageCheck,
  PageDecision,
  PageProposal,
  PageTask,
  PageWorkspace,
  PastApproval,
  PageAgents,
  PageHook,
  PagePrompt,
  PageRole,
  PageServer,
  PageSettings,
  PageCommand,
} from "./model.ts";
import { unusualOf } from "./unusual.ts";

/** What is known about a plan when a person is asked to approve it. */
export interface PageFacts {
  readonly ready: Ready;
  readonly commit: string;
  readonly previous: Approval | undefined;
  /** The difference to what was approved before; empty if it is the same. */
  readonly difference: readonly string[];
  /** The difference between proposed rules and those in effect; null if none are proposed. */
  readonly proposed: readonly string[] | null;
  readonly estimate: Estimate;
  /** The program that each agent's driver starts if the settings name none. */
  readonly programs: ReadonlyMap<string, string | null>;
  readonly unheldCap: string | undefined;
  /** Why this machine has no sandbox, where the settings leave that to the machine. */
  readonly noSandbox: string | undefined;
}

/** Returns everything an approval allows to be run or touched, with the estimate, as data. */
export function pageOf(facts: PageFacts): Page {
  const { ready, commit, previous, difference, estimate, unheldCap } = facts;
  const { plan, rules, config, hash, problems } = ready;
  const { usd = null, tokens = null, taskUsd: task_usd = null } = config.budget;
  const shape = shapeOf(plan.tasks);
  const page = {
    plan: plan.name,
    title: plan.title,
    goal: plan.goal,
    hash,
    commit,
    approved: approvalOf(previous, hash),
    difference,
    waves: shape.waves,
    critical_path: shape.criticalPath,
    decisions: plan.decisions.map((decision) => decisionOf(plan, decision)),
    prerequisites: plan.prerequisites.map(({ text, check = null }) => ({ text, check })),
    agents: agentsOf(facts),
    workspace: { ...workspaceOf(ready), sandbox_missing: facts.noSandbox ?? null },
    hooks: hooksOf(ready),
    branch: rules.branch.replaceAll("{plan}", plan.name),
    push: rules.push === "never" ? null : { when: rules.push, remote: rules.remote },
    replan: { mode: config.run.replan, max: config.run.replanMax },
    protect: rules.protect,
    forbid: rules.forbid,
    inputs: inputsOf(ready),
    proposed_rules: proposalOf(plan, facts.proposed),
    tasks: tasksOf(plan.tasks, shape),
    rules_checks: rules.checks.map(checkOf),
    plan_checks: plan.checks.map(checkOf),
    problems,
    estimate,
    cap: { usd, tokens, task_usd, unheld: unheldCap ?? null },
  };
  return { ...page, commands: commandsOf(page), unusual: unusualOf(page) };
}

/** Adds to a decision who answered it. */
export function decisionOf(plan: Plan, decision: Decision): PageDecision {
  const { id, question, options, recommend = null, answer = null, assumed, at } = decision;
  const answered_by = answer === null ? null : assumed ? "planner" : "person";
  return { id, question, options, recommend, answer, answered_by, file: plan.file, line: at.line };
}

/** Adds to the tasks their places in the waves. */
export function tasksOf(tasks: readonly Task[], { waves, criticalPath }: Shape): PageTask[] {
  const waveOf = new Map(waves.flatMap((ids, at) => ids.map((id) => [id, at + 1] as const)));
  const critical = new Set(criticalPath);
  return tasks.map(({ id, title, depends, files, estimateMs, complexity, role, checks }) => {
    const place = { wave: waveOf.get(id) ?? 0, critical: critical.has(id) };
    const what = { id, title, depends, files, estimate_ms: estimateMs ?? null, complexity, role };
    return { ...what, ...place, checks: checks.map(checkOf) };
  });
}

/** Returns a check as it will be run. */
export function checkOf(check: Check): PageCheck {
  switch (check.kind) {
    case "run": {
      const { kind, run, cwd, env, network, timeoutMs, red } = check;
      return { kind, run, cwd, env, network, timeout_ms: timeoutMs, red };
    }
    case "exists":
    case "absent":
      return { kind: check.kind, path: check.path, red: check.red };
    case "contains":
      return { kind: check.kind, path: check.path, text: check.text, red: check.red };
    case "judge":
      return { kind: check.kind, question: check.question };
    default:
      return unreachable(check);
  }
}

function approvalOf(previous: Approval | undefined, hash: string): PastApproval | null {
  if (previous === undefined) return null;
  return { hash: previous.hash, at: previous.at, by: previous.by, current: previous.hash === hash };
}

/** Returns the agents of a plan, their tools, and what they get besides the plan. */
function agentsOf(facts: Pick<PageFacts, "ready" | "programs">): PageAgents {
  const { ready } = facts;
  const { agents, mcp } = ready.config;
  const named = Object.entries(agents);
  return {
    roles: rolesShown(ready).map((role) => roleOf(facts, role)),
    programs: named.flatMap(([agent, { command, env }]) => (command.length === 0 ? [] : [{ agent, command, env }])),
    tool_servers: Object.entries(mcp).map(([name, server]) => serverOf(name, server)),
    settings: settingsOf(ready),
    own_programs: named.filter(([, { driver }]) => driver === "command" || driver === "acp").map(([name]) => name),
    prompts: promptsOf(ready),
  };
}

function roleOf({ ready, programs }: Pick<PageFacts, "ready" | "programs">, role: Role): PageRole {
  const found = resolveRole(ready.config, role);
  const origin = originOfRole(ready, role);
  if (found === undefined) return { role, agent: null, model: null, effort: null, program: null, origin };
  const { agentName, agent, model = null, effort = null } = found;
  const program = agent.command.length > 0 ? agent.command.join(" ") : (programs.get(agentName) ?? null);
  return { role, agent: agentName, model, effort, program, origin };
}

function serverOf(name: string, server: McpConfig): PageServer {
  if ("url" in server) return { name, url: server.url, headers: server.headers };
  return { name, command: server.command, env: server.env };
}

function settingsOf({ shipped }: Pick<Ready, "shipped">): PageSettings[] {
  return shipped.map(({ path, honouredBy, file }) => {
    const isShown = honouredBy.length > 0 && file !== undefined && "bytes" in file;
    return { path, honoured_by: honouredBy, text: isShown ? new TextDecoder().decode(file.bytes) : null };
  });
}

function promptsOf({ prompts, files }: Pick<Ready, "prompts" | "files">): PagePrompt[] {
  return Object.entries(prompts).flatMap(([name, { file, text }]) =>
    file === null ? [] : [{ name, file, text: files.has(file) ? text : null }],
  );
}

function workspaceOf({ config: { workspace, run } }: Ready): Omit<PageWorkspace, "sandbox_missing"> {
  const { setup = null, env, mounts } = workspace;
  return { setup, env, mounts, sandbox: run.sandbox, scope_requests: run.scopeRequests };
}

/** Returns what the settings run or send during a run. */
function hooksOf({ config, origins }: Pick<Ready, "config" | "origins">): PageHook[] {
  const origin = originOf(origins, "hooks");
  const isOwn = origins.get("hooks")?.layer === "user";
  return config.hooks.map(({ on, command = null, webhook = null }) => {
    return { on, command, webhook: webhook !== null && isOwn ? shownAddress(webhook) : webhook, origin };
  });
}

function inputsOf({ files }: Ready): Page["inputs"] {
  const inputs = [...files].flatMap(([path, file]) =>
    isPlanInput(path) && "bytes" in file ? [{ path, bytes: file.bytes.length }] : [],
  );
  return inputs.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function proposalOf({ dir }: Plan, difference: readonly string[] | null): PageProposal | null {
  const file = `${dir}/${proposedRules}`;
  return difference === null ? null : { file, difference, take_over: `cp ${file} ${rulesFile}` };
}

/** Lists every command line that an approval allows, in the order of the page. */
function commandsOf(page: Omit<Page, "commands" | "unusual">): PageCommand[] {
  const { prerequisites, workspace, agents, hooks, tasks, rules_checks, plan_checks } = page;
  return [
    ...prerequisites.flatMap(({ check }) => (check === null ? [] : [command("prerequisite", null, check)])),
    ...(workspace.setup === null ? [] : [command("set-up", null, workspace.setup)]),
    ...startedBy(agents),
    ...agents.tool_servers.flatMap((server) =>
      "command" in server ? [command("tool server", server.name, server.command.join(" "))] : [],
    ),
    ...hooks.flatMap((hook) => (hook.command === null ? [] : [command("hook", null, hook.command.join(" "))])),
    ...tasks.flatMap(({ id, checks }) => runsIn(checks).map((run) => command("task", id, run))),
    ...runsIn(rules_checks).map((run) => command("rules", null, run)),
    ...runsIn(plan_checks).map((run) => command("plan", null, run)),
  ];
}

/** Lists the programs of roles, and of agents without a role: the user's own settings may give them one. */
function startedBy({ roles, programs }: Page["agents"]): PageCommand[] {
  const ofRoles = roles.flatMap(({ agent, program }) =>
    agent === null || program === null ? [] : [{ agent, program }],
  );
  const named = programs.map(({ agent, command: words }) => ({ agent, program: words.join(" ") }));
  const byAgent = new Map([...ofRoles, ...named].map(({ agent, program }) => [agent, program]));
  return [...byAgent].map(([agent, program]) => command("agent", agent, program));
}

function command(by: PageCommand["by"], of: string | null, line: string): PageCommand {
  return { by, of, command: line };
}

function runsIn(checks: readonly PageCheck[]): string[] {
  return checks.flatMap((check) => (check.kind === "run" ? [check.run] : []));
}
