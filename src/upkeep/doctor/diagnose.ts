import { processLimits } from "../../process/limits.ts";
import { upkeepLimits } from "../limits.ts";
import { type Result, unreachable } from "../../base/result.ts";
import type { FoundSandbox } from "../../sandbox/find.ts";
import { type Submodule, whySubmodulesMissing } from "../../git/submodules.ts";
import { gitMin, gitTested } from "../../approval/preconditions.ts";
import { programCure } from "../../agents/agent-program.ts";
import { whySilent, type AgentHealth } from "./agents.ts";
import { isOlder, versionIn } from "../../base/version.ts";
import type { RepositoryFacts } from "./repository.ts";
import type { FolderFacts, MachineFacts } from "./machine.ts";

/** One thing that was looked at: `bad` keeps runs from working, `warn` does not. */
export interface Finding {
  readonly about: string;
  readonly state: "ok" | "warn" | "bad";
  readonly says: string;
  readonly cure: string | null;
  /** No run needs it, so people need not be warned; `--json` keeps its state. */
  readonly optional?: true;
}

/** The oldest node that package.json allows. */
const nodeMin = "20.19";

export function diagnoseMachine({ node, git, tools, folders }: MachineFacts): readonly Finding[] {
  return [diagnoseNode(node), diagnoseGit(git), ...tools.map(diagnoseTool), ...folders.flatMap(diagnoseFolder)];
}

export function diagnoseSandbox(found: Result<FoundSandbox>): Finding {
  const about = "sandbox";
  if (!found.ok) return { about, state: "bad", says: found.failure.message, cure: null };
  const { sandbox, word } = found.value;
  const says = word.replace(/^Sandbox: /, "");
  return sandbox.kind === "none" ? { about, state: "warn", says, cure: null } : good(about, says);
}

/** Where rooms share their files, a tracer saves checks; without one a run only takes longer. */
export function diagnoseTracer(found: Result<FoundSandbox>): readonly Finding[] {
  const { layers, tracer } = found.ok ? found.value.sandbox : {};
  const about = "strace";
  if (layers === undefined) return [];
  if (tracer !== undefined)
    return [good(about, `${tracer.strace}; a check that reads nothing that changed is not repeated`)];
  const says = "not installed (optional): every check of an earlier task that might be affected is repeated";
  return [{ about, state: "warn", says, cure: null, optional: true }];
}

export function diagnoseAgents(agents: readonly AgentHealth[]): readonly Finding[] {
  const executor = agents.some(({ roles }) => roles.some(({ role }) => role === "executor"));
  return [...agents.flatMap(diagnoseAgent), ...(executor ? [] : [noExecutor])];
}

function good(about: string, says: string): Finding {
  return { about, state: "ok", says, cure: null };
}

const noExecutor: Finding = {
  about: "roles",
  state: "bad",
  says: "no coding agent found",
  cure: "Install one of the agents above, or set one in .stint/config.yaml: `roles: { executor: { agent: claude } }`.",
};

function diagnoseNode(node: string): Finding {
  if (!isOlder(node, nodeMin)) return good("node", node);
  return { about: "node", state: "bad", says: `${node} is too old`, cure: `Install Node ${nodeMin} or newer.` };
}

function diagnoseGit(says: string | null): Finding {
  const about = "git";
  const cure = `Install git ${gitTested} or newer and put it on PATH.`;
  const version = versionIn(says ?? "");
  if (says === null) return { about, state: "bad", says: "not found", cure };
  if (version === undefined) return { about, state: "warn", says: `unknown version: ${says}`, cure };
  if (isOlder(version, gitMin)) return { about, state: "bad", says: `${version} is too old`, cure };
  if (isOlder(version, gitTested))
    return { about, state: "warn", says: `${version} is older than the version that Stint is tested with`, cure };
  return good(about, version);
}

function diagnoseTool({ name, path }: MachineFacts["tools"][number]): Finding {
  if (path !== null) return good(name, path);
  const cure = `Install ${name === "flock" ? "util-linux" : "coreutils"}.`;
  return { about: name, state: "bad", says: "not found on PATH", cure };
}

function diagnoseFolder({ about, path, flaw, freeBytes }: FolderFacts): readonly Finding[] {
  const space = `${path}, ${(freeBytes / 1e9).toFixed(1)} GB free`;
  const cure = "Free some disk space.";
  const state =
    freeBytes < processLimits.diskFreeBytesUsable ? "bad" : freeBytes < upkeepLimits.diskFreeBytesGood ? "warn" : "ok";
  const disk: Finding = state === "ok" ? good(about, space) : { about, state, says: space, cure };
  if (flaw === undefined) return [disk];
  const flawed: Finding = { about, state: "bad", says: `${path} ${flaw.why}`, cure: flaw.cure };
  return disk.state === "ok" ? [flawed] : [flawed, disk];
}

export function diagnoseRepository(facts: RepositoryFacts): readonly Finding[] {
  const { identity, isShallow, submodules, commands, flaws } = facts;
  const author: Finding = identity.ok
    ? good("author", `${identity.value.name} <${identity.value.email}>`)
    : { about: "author", state: "bad", says: identity.failure.message, cure: null };
  const sound = commands.length === 0 ? [] : [good("commands", `set-up and rules: ${commands.join(", ")}`)];
  const unsound = flaws.map(({ file, line, message }): Finding => ({
    about: "commands",
    state: "bad",
    says: `${file}:${line}: ${message}`,
    cure: null,
  }));
  return [
    author,
    ...(isShallow ? [good("clone", "shallow: runs work, and agents see no older commits")] : []),
    ...(submodules.length === 0 ? [] : [diagnoseSubmodules(submodules)]),
    ...(unsound.length === 0 ? sound : unsound),
  ];
}

function diagnoseSubmodules(submodules: readonly Submodule[]): Finding {
  const about = "submodules";
  const missing = whySubmodulesMissing(submodules);
  if (missing !== undefined) return { about, state: "bad", says: missing, cure: null };
  const named = (list: readonly Submodule[]) => list.map(({ path }) => path).join(", ");
  const [there, empty] = [true, false].map((is) => submodules.filter(({ objects }) => (objects !== null) === is));
  const filled = there?.length === 0 ? [] : [`in every checkout: ${named(there ?? [])}`];
  if (empty?.length === 0) return good(about, filled.join());
  const cure = "If checks need them: `git submodule update --init --recursive`.";
  return { about, state: "warn", says: [...filled, `empty: ${named(empty ?? [])}`].join("; "), cure };
}

/** A run does not start without its MCP servers. */
export function diagnoseServers(whyNot: string | undefined): readonly Finding[] {
  return whyNot === undefined ? [] : [{ about: "mcp", state: "bad", says: whyNot, cure: null }];
}

function diagnoseAgent(agent: AgentHealth): readonly Finding[] {
  const roles = agent.roles.map(({ role, model }) => (model === null ? role : `${role} (model ${model})`)).join(", ");
  const found = diagnoseProgram(agent);
  const login = agent.program.ok ? [diagnoseLogin(agent)] : [];
  return [found, ...login, ...(roles === "" ? [] : [good(`roles of ${agent.name}`, roles)])];
}

function diagnoseProgram(agent: AgentHealth): Finding {
  const { name: about, program, version, tested } = agent;
  if (!program.ok) {
    const { failure } = program;
    const way = programCure(failure);
    const cure = way === undefined ? null : `${way}, or choose another agent under \`roles\` in .stint/config.yaml.`;
    return isNeeded(agent) || failure.reason === "unusable"
      ? { about, state: severity(agent), says: failure.message, cure }
      : { about, state: "warn", says: "not installed (optional)", cure: null, optional: true };
  }
  if (version.kind === "not-asked") return good(about, `${program.value}; version unknown: ${version.why}`);
  if (version.kind === "silent" || version.code !== 0) {
    const cure = `Run \`${program.value} --version\` yourself and fix what it reports.`;
    const says = `${program.value} does not report its version: ${whySilent(version)}`;
    return { about, state: severity(agent), says, cure };
  }
  const number = versionIn(version.output);
  if (number === undefined) return good(about, `${program.value}, version unknown`);
  if (tested === null) return good(about, `${number}, ${program.value}`);
  const says = `${number} (known to work: ${tested.oldest} to ${tested.newest}), ${program.value}`;
  if (isOlder(number, tested.oldest)) return { about, state: "warn", says, cure: "Update it." };
  if (!isOlder(tested.newest, number)) return good(about, says);
  return { about, state: "warn", says, cure: `If its sessions fail, install ${tested.newest}.` };
}

function diagnoseLogin(agent: AgentHealth): Finding {
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
      return {
        about,
        state: severity(agent),
        says: `unknown: ${login.why}`,
        cure: "Start the agent yourself to see why.",
      };
    default:
      return unreachable(login);
  }
}

function severity(agent: AgentHealth): "bad" | "warn" {
  return isNeeded(agent) ? "bad" : "warn";
}

/** A run always needs these roles; most others fall back to whatever agent is on PATH. */
function isNeeded({ roles }: AgentHealth): boolean {
  return roles.some(({ role }) => role === "executor" || role === "escalation");
}
