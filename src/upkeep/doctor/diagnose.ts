import { processLimits } from "../../process/limits.ts";
import { upkeepLimits } from "../limits.ts";
import { type Result, unreachable } from "../../base/result.ts";
import type { FoundSandbox } from "../../sandbox/find.ts";
import { gitMin, gitTested } from "../../project/git-version.ts";
import type { AgentHealth } from "./agents.ts";
import { isOlder, versionIn } from "../../base/version.ts";
import type { FolderFacts, MachineFacts } from "./machine.ts";

/** One thing that was looked at: `bad` keeps runs from working, `warn` does not. */
export interface Finding {
  readonly about: string;
  readonly state: "ok" | "warn" | "bad";
  readonly says: string;
  readonly cure: string | null;
}

/** The oldest node that package.json admits. */
const nodeMin = "20.19";

export function judgeMachine({ node, git, tools, folders }: MachineFacts): readonly Finding[] {
  return [judgeNode(node), judgeGit(git), ...tools.map(judgeTool), ...folders.flatMap(judgeFolder)];
}

export function judgeSandbox(found: Result<FoundSandbox>): Finding {
  const about = "sandbox";
  if (!found.ok) return { about, state: "bad", says: found.failure.message, cure: null };
  const { sandbox, word } = found.value;
  const says = word.replace(/^Sandbox: /, "");
  return sandbox.kind === "none" ? { about, state: "warn", says, cure: null } : good(about, says);
}

export function judgeAgents(agents: readonly AgentHealth[]): readonly Finding[] {
  const executor = agents.some(({ roles }) => roles.some(({ role }) => role === "executor"));
  return [...agents.flatMap(judgeAgent), ...(executor ? [] : [noExecutor])];
}

function good(about: string, says: string): Finding {
  return { about, state: "ok", says, cure: null };
}

const noExecutor: Finding = {
  about: "roles",
  state: "bad",
  says: "no agent is set for the role executor",
  cure: "Install one of the agents above, or name one in .stint/config.yaml: `roles: { executor: { agent: claude } }`.",
};

function judgeNode(node: string): Finding {
  if (!isOlder(node, nodeMin)) return good("node", node);
  return { about: "node", state: "bad", says: `${node} is too old`, cure: `Install Node ${nodeMin} or newer.` };
}

function judgeGit(says: string | null): Finding {
  const about = "git";
  const cure = `Install git ${gitTested} or newer and put it on PATH.`;
  const version = versionIn(says ?? "");
  if (says === null) return { about, state: "bad", says: "not found", cure };
  if (version === undefined) return { about, state: "warn", says: `of an unknown version: ${says}`, cure };
  if (isOlder(version, gitMin)) return { about, state: "bad", says: `${version} is too old`, cure };
  if (isOlder(version, gitTested))
    return { about, state: "warn", says: `${version} is older than what Stint is tested with`, cure };
  return good(about, version);
}

function judgeTool({ name, path }: MachineFacts["tools"][number]): Finding {
  if (path !== null) return good(name, path);
  const cure = `Install ${name === "flock" ? "util-linux" : "coreutils"}.`;
  return { about: name, state: "bad", says: "not found on PATH", cure };
}

function judgeFolder({ about, path, flaw, freeBytes }: FolderFacts): readonly Finding[] {
  const space = `${path}, ${(freeBytes / 1e9).toFixed(1)} GB free`;
  const cure = "Make room on the disk.";
  const state =
    freeBytes < processLimits.diskFreeBytesUsable ? "bad" : freeBytes < upkeepLimits.diskFreeBytesGood ? "warn" : "ok";
  const disk: Finding = state === "ok" ? good(about, space) : { about, state, says: space, cure };
  if (flaw === undefined) return [disk];
  const flawed: Finding = { about, state: "bad", says: `${path} ${flaw.why}`, cure: flaw.cure };
  return disk.state === "ok" ? [flawed] : [flawed, disk];
}

/** Without them a run does not begin. */
export function judgeServers(whyNot: string | undefined): readonly Finding[] {
  return whyNot === undefined ? [] : [{ about: "mcp", state: "bad", says: whyNot, cure: null }];
}

function judgeAgent(agent: AgentHealth): readonly Finding[] {
  const roles = agent.roles.map(({ role, model }) => (model === null ? role : `${role} (model ${model})`)).join(", ");
  const found = judgeProgram(agent);
  const login = agent.program.ok ? [judgeLogin(agent)] : [];
  return [found, ...login, ...(roles === "" ? [] : [good(`roles of ${agent.name}`, roles)])];
}

function judgeProgram(agent: AgentHealth): Finding {
  const { name: about, program, version, tested } = agent;
  if (!program.ok) {
    const cure = `Install it, or choose another agent under \`roles\` in .stint/config.yaml.`;
    return isNeeded(agent)
      ? { about, state: "bad", says: program.failure.message, cure }
      : { about, state: "warn", says: "not found; no run needs it", cure: null };
  }
  if (version.kind === "not-asked") return good(about, `${program.value}; version unknown: ${version.why}`);
  if (version.kind === "silent" || version.code !== 0) {
    const why = version.kind === "silent" ? version.why : `exit ${version.code}`;
    const cure = `Run \`${program.value} --version\` yourself and mend what it says.`;
    return { about, state: severity(agent), says: `${program.value} does not tell its version: ${why}`, cure };
  }
  const number = versionIn(version.output);
  if (number === undefined) return good(about, `${program.value}, of an unknown version`);
  const says = `${number}, ${program.value}`;
  if (tested === null || !isOlder(number, tested)) return good(about, says);
  return { about, state: "warn", says: `${says}; Stint is tested with ${tested}`, cure: "Update it." };
}

function judgeLogin(agent: AgentHealth): Finding {
  const about = `login of ${agent.name}`;
  const { login } = agent;
  switch (login.kind) {
    case "in":
      return good(about, login.how);
    case "not-asked":
      return good(about, `unknown: ${login.why}`);
    case "out":
      return { about, state: severity(agent), says: login.how, cure: login.cure };
    case "silent":
      return { about, state: severity(agent), says: `unknown: ${login.why}`, cure: "Run the agent yourself." };
    default:
      return unreachable(login);
  }
}

function severity(agent: AgentHealth): "bad" | "warn" {
  return isNeeded(agent) ? "bad" : "warn";
}

/** A run asks nobody else, and most other roles fall to whatever is on PATH. */
function isNeeded({ roles }: AgentHealth): boolean {
  return roles.some(({ role }) => role === "executor" || role === "escalation");
}
