import type { Ready } from "../host/open-run.ts";
import type { Check, Task } from "../plan/types.ts";
import { visible } from "../plan/visible.ts";
import { unreachable } from "../result.ts";
import { programLines, promptLines, roleLines, serverLines, shippedLines } from "./render-agents.ts";

/** Everything an approval allows to be run or touched; invisible and control characters are made visible. */
export function renderPlan(ready: Ready): string[] {
  const { plan, rules, config } = ready;
  const lines = [
    `Plan ${plan.name}: ${plan.title}`,
    ...(plan.goal === "" ? [] : [`Goal: ${plan.goal}`]),
    "",
    "Prerequisites (by approving you say that they hold):",
    ...orNone(plan.prerequisites.map(({ text, check }) => `  ${text}${check === undefined ? "" : `  runs: ${check}`}`)),
    "Decisions:",
    ...orNone(
      plan.decisions.map(
        ({ question, answer, assumed }) =>
          `  ${question} ${answer ?? "?"}${assumed ? " (assumed by the planner)" : ""}`,
      ),
    ),
    "Run for every workspace and room (set-up):",
    ...orNone(config.workspace.setup === undefined ? [] : [`  ${config.workspace.setup}`]),
    "Agents:",
    ...roleLines({ config, plan, rules }),
    ...programLines(config),
    "Tool servers for agents:",
    ...orNone(serverLines(config)),
    "Settings for agents in the repository:",
    ...orNone(shippedLines(ready)),
    ...headed("Prompts in the place of the built-in ones:", promptLines(ready)),
    `Commits land on branch: ${rules.branch.replaceAll("{plan}", plan.name)}`,
    ...(rules.push === "never" ? [] : [`Pushed to remote ${rules.remote}: ${pushed[rules.push]}`]),
    ...(rules.protect.length === 0 ? [] : [`Also protected: ${rules.protect.join(", ")}`]),
    ...(rules.forbid.length === 0 ? [] : [`Also forbidden: ${rules.forbid.join(", ")}`]),
    ...(config.workspace.env.length === 0
      ? []
      : [`Variables let through to checks: ${config.workspace.env.join(", ")}`]),
    ...(config.run.sandbox === "none" ? [`Sandbox: none. ${unconfined}`] : []),
    ...(config.run.scopeRequests === "grant" ? [`Scope requests: granted. ${unasked}`] : []),
    ...config.workspace.mounts.map(
      ({ path, writable }) => `Agents and checks may ${writable ? "change" : "read"}: ${path}`,
    ),
    "",
    ...plan.tasks.flatMap(taskLines),
    "After every task, too:",
    ...orNone(rules.checks.map(checkLine)),
    "On the final tip:",
    ...orNone(plan.checks.map(checkLine)),
  ];
  return lines.flatMap(shown);
}

/** A repository may bring such settings along, and nobody should find out later. */
const unconfined = "Set-up, agents and checks run with your file system and network, because run.sandbox says so.";
const unasked = "Agents get files beyond their task's without a question, but for those that guard the checks.";

const pushed = { task: "after every task", run: "when the run is finished" };

/** Text of several lines is marked as such, so that none of it reads as a line of ours. */
function shown(line: string): string[] {
  const [first = "", ...more] = line.split("\n");
  return [visible(first), ...more.map((text) => `    | ${visible(text)}`)];
}

function taskLines(task: Task): string[] {
  const after = task.depends.length === 0 ? "" : ` (after ${task.depends.join(", ")})`;
  const files = Object.entries(task.files).filter(([, patterns]) => patterns.length > 0);
  return [
    `Task ${task.id}: ${task.title}${after}`,
    ...files.map(([verb, patterns]) => `  may ${verb === "touch" ? "create or modify" : verb}: ${patterns.join(", ")}`),
    ...task.checks.map(checkLine),
    "",
  ];
}

function checkLine(check: Check): string {
  switch (check.kind) {
    case "run":
      return `  runs: ${check.run}${extras(check)}`;
    case "exists":
    case "absent":
      return `  ${check.kind}: ${check.path}`;
    case "contains":
      return `  ${check.path} contains: ${check.text}`;
    case "judge":
      return `  judge: ${check.question}`;
    default:
      return unreachable(check);
  }
}

function extras({ cwd, env, network }: Extract<Check, { kind: "run" }>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const parts = [
    ...(cwd === "" || cwd === "." ? [] : [`in ${cwd}`]),
    ...variables,
    ...(network ? ["with network"] : []),
  ];
  return parts.length === 0 ? "" : `  (${parts.join(", ")})`;
}

function headed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["  none"] : lines;
}
