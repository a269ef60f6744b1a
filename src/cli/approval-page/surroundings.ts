import { describeRole } from "../../config/roles.ts";
import { gap, heading, orNone, type Item } from "../text-layout.ts";
import type { Page, PageDecision, PageAgents, PageHook, PageRole, PageServer, PageSettings } from "./model.ts";
import { runs } from "./tasks.ts";
import { diffItem } from "./task-changes.ts";
import { pushed } from "./unusual.ts";

/** Shows what was decided, and by whom. */
export function decisionItems({ decisions }: Pick<Page, "decisions">): Item[] {
  return [heading("Decisions:"), ...orNone(decisions.flatMap(oneDecision))];
}

function oneDecision({ id, question, options, recommend, answer, answered_by, file, line }: PageDecision): Item[] {
  const by = answered_by === "planner" ? "assumed by the planner, not asked" : "answered by a person";
  const open: Item = { indent: 4, text: `open: write an answer at ${file}:${line}`, style: "red" };
  const closed: Item = { indent: 4, label: "answer: ", text: `${answer} (${by})` };
  return [
    { indent: 2, text: `${id}: ${question}` },
    answered_by === null ? open : answered_by === "planner" ? { ...closed, style: "yellow" } : closed,
    ...(options.length === 0 ? [] : [{ indent: 4, label: "options: ", text: options.join(", ") }]),
    ...(recommend === null ? [] : [{ indent: 4, label: "recommended: ", text: recommend }]),
  ];
}

/** Shows what the plan takes for granted. */
export function prerequisiteItems({ prerequisites }: Page): Item[] {
  return [
    heading("Prerequisites (by approving you confirm that they are met):"),
    ...orNone(
      prerequisites.flatMap(({ text, check }): Item[] => [
        { indent: 2, text },
        ...(check === null ? [] : [{ ...runs, indent: 4, text: check }]),
      ]),
    ),
  ];
}

/** Shows the agents and their tools; hooks come last, because they are the user's own doing. */
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
  const isNamedBelow = program === agent || programs.some((one) => one.agent === agent);
  const starts = program === null || isNamedBelow ? "" : `, runs: ${program}`;
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

/** Shows where work is done, what it can see, and where it lands. */
export function placeItems(page: Page): Item[] {
  const { workspace, branch, push, protect, forbid } = page;
  const { setup, env, mounts, sandbox, sandbox_missing, scope_requests } = workspace;
  return [
    heading("Set-up, run in every fresh checkout (for agents and for checks):"),
    ...orNone(setup === null ? [] : [{ ...runs, text: setup }]),
    gap,
    { label: "Commits land on branch: ", text: branch },
    ...(push === null ? [] : [{ label: "Pushed to remote ", text: `${push.remote}: ${pushed[push.when]}` }]),
    ...listed("Also protected: ", protect),
    ...listed("Also forbidden: ", forbid),
    ...listed("Variables passed to checks: ", env),
    ...(sandbox === "none" ? [warning("Sandbox: none. ", `${unconfined}, because run.sandbox says so.`)] : []),
    ...(sandbox_missing === null ? [] : [warning("Sandbox: none. ", `${unconfined}: ${sandbox_missing}.`)]),
    ...(scope_requests === "grant" ? [warning("Scope requests: granted. ", unasked)] : []),
    ...mounts.map(({ path, writable }) => ({
      label: `Agents and checks may ${writable ? "change" : "read"}: `,
      text: path,
    })),
  ];
}

/** A repository may bring such settings along, and users must not find out later. */
const unconfined = "Set-up, agents and checks can use your files and network";
const unasked = "Agents get files outside their task without asking, except those that guard the checks.";

function warning(label: string, text: string): Item {
  return { label, text, style: "yellow", ours: true };
}

function listed(label: string, things: readonly string[]): Item[] {
  return things.length === 0 ? [] : [{ label, text: things.join(", ") }];
}

/** Lists the inputs that came with the goal, by name and size: their bytes are approved without being shown. */
export function inputItems({ inputs }: Page): Item[] {
  if (inputs.length === 0) return [];
  return [
    heading("Inputs (given with the goal, approved as they are):"),
    ...inputs.map(({ path, bytes }): Item => ({ indent: 2, text: `${path} (${bytes} bytes)` })),
    gap,
  ];
}

/** Shows the rules that a planner proposes, with the command that adopts them. */
export function proposedRulesItems({ proposed_rules }: Page): Item[] {
  if (proposed_rules === null) return [];
  const { file, difference, take_over } = proposed_rules;
  return [
    heading("Proposed rules, not in effect (approving does not change .stint/rules.md):"),
    { indent: 2, text: `${file} compared with .stint/rules.md:` },
    ...difference.map((text) => ({ ...diffItem(text), indent: 2 })),
    { indent: 2, label: "To adopt them: ", text: take_over },
    gap,
  ];
}
