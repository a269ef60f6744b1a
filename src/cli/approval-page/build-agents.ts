import { resolveRole, rolesShown } from "../../config/roles.ts";
import { originOf, originOfRole, shownAddress } from "../../config/show.ts";
import type { McpConfig } from "../../config/types.ts";
import type { Ready } from "../../approval/committed-plan.ts";
import type { Role } from "../../plan/types.ts";
import type { PageFacts } from "./page.ts";
import type { PageAgents, PageHook, PagePrompt, PageRole, PageServer, PageSettings } from "./model.ts";

/** The agents of a plan, their tools, and what they get besides the plan. */
export function agentsOf(facts: Pick<PageFacts, "ready" | "programs">): PageAgents {
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

/** What the settings run or send during a run. */
export function hooksOf({ config, origins }: Pick<Ready, "config" | "origins">): PageHook[] {
  const origin = originOf(origins, "hooks");
  const isOwn = origins.get("hooks")?.layer === "user";
  return config.hooks.map(({ on, command = null, webhook = null }) => {
    return { on, command, webhook: webhook !== null && isOwn ? shownAddress(webhook) : webhook, origin };
  });
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
