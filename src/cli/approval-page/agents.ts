import { describeRole } from "../../config/roles.ts";
import { gap, heading, orNone, type Item } from "../text-layout.ts";
import type { Page, PageAgents, PageHook, PageRole, PageServer, PageSettings } from "./model.ts";

/** The agents and their tools; hooks come last, because they are the user's own doing. */
export function agentItems({ agents, hooks }: Pick<Page, "agents" | "hooks">): Item[] {
  const { roles, programs, tool_servers, settings, prompts } = agents;
  return [
    heading("Agents:"),
    ...roles.map((role) => roleItem(role, programs)),
    ...programs.map(({ agent, command, env }) => line(`${agent} runs: ${command.join(" ")}${inBrackets("gets", env)}`)),
    gap,
    heading("MCP servers for agents:"),
    ...orNone(tool_servers.map((server) => line(`${server.name} ${serverText(server)}`))),
    gap,
    heading("Settings for agents in the repository:"),
    ...orNone(settingsItems(settings, agents)),
    ...(prompts.length === 0 ? [] : [gap, heading("Prompts that replace the built-in ones:")]),
    ...prompts.map(({ name, file, text }) =>
      line(text === null ? `${name}: ${file} (your own)` : `${name}: ${file}\n${text.trimEnd()}`),
    ),
    ...(hooks.length === 0 ? [] : [gap, heading("Hooks, notified of events in a run:")]),
    ...hooks.map(hookItem),
  ];
}

function line(text: string): Item {
  return { indent: 2, text };
}

/** A program named in the settings has a line of its own. */
function roleItem({ role, agent, model, effort, program, origin }: PageRole, programs: PageAgents["programs"]): Item {
  if (agent === null) return line(`${role}: no agent set, and none found on PATH`);
  const how = { ...(model !== null && { model }), ...(effort !== null && { effort }) };
  const isToldBelow = program === agent || programs.some((one) => one.agent === agent);
  const starts = program === null || isToldBelow ? "" : `, runs: ${program}`;
  return line(`${role}: ${describeRole({ agentName: agent, ...how })} (${origin})${starts}`);
}

function serverText(server: PageServer): string {
  if ("url" in server) return `at: ${server.url}${inBrackets("sends", pairs(server.headers, ": "))}`;
  return `runs: ${server.command.join(" ")}${inBrackets("gets", pairs(server.env, "="))}`;
}

/** Shows every line of the settings that are honoured. */
function settingsItems(settings: readonly PageSettings[], { own_programs }: PageAgents): Item[] {
  const files = settings.map(({ path, honoured_by, text }) => {
    if (honoured_by.length === 0) return line(`${path}: not honoured`);
    return line(`${path}: honoured by ${honoured_by.join(", ")}${text === null ? "" : `\n${text.trimEnd()}`}`);
  });
  if (files.length === 0 || own_programs.length === 0) return files;
  return [...files, line(`(${own_programs.join(", ")} may or may not read them)`)];
}

function hookItem({ on, command, webhook, origin }: PageHook): Item {
  const what = command === null ? `sent to: ${webhook}` : `runs as you, outside the sandbox: ${command.join(" ")}`;
  return line(`on ${on.join(", ")} (${origin}) ${what}`);
}

function pairs(values: Readonly<Record<string, string>>, between: string): string[] {
  return Object.entries(values).map(([name, value]) => `${name}${between}${value}`);
}

function inBrackets(verb: string, things: readonly string[]): string {
  return things.length === 0 ? "" : `  (${verb} ${things.join(", ")})`;
}
