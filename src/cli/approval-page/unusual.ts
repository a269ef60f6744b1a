import { plural } from "../../base/plural.ts";
import type { Page, PageHook } from "./model.ts";

/** Lists what removes a guard, reaches further than a plan usually does, or was not decided by a person. */
export function unusualOf(page: Omit<Page, "commands" | "unusual">): string[] {
  const { workspace, hooks, push, replan, agents, decisions, problems } = page;
  const honoured = agents.settings.filter(({ honoured_by }) => honoured_by.length > 0);
  const writable = workspace.mounts.filter((mount) => mount.writable).map(({ path }) => path);
  const networked = checksOf(page).filter((check) => check.kind === "run" && check.network).length;
  const assumed = decisions.filter(({ answered_by }) => answered_by === "planner").length;
  const prompts = agents.prompts.filter(({ text }) => text !== null).map(({ name }) => name);
  const isUnmanned = agents.roles.some(({ role, agent }) => role === "executor" && agent === null);
  return [
    ...(isUnmanned ? ["no agent is set; set one, then approve"] : []),
    ...(workspace.sandbox === "none" ? ["no sandbox: agents and checks have your files and network"] : []),
    ...(workspace.sandbox_missing === null ? [] : [missingSandbox(workspace.sandbox_missing)]),
    ...(workspace.scope_requests === "grant" ? ["scope requests are granted without asking you"] : []),
    ...(replan.mode === "auto" ? [replanText(replan.max)] : []),
    ...hooks.map(hookText),
    ...(push === null ? [] : [`pushed to ${push.remote} ${pushed[push.when]}`]),
    ...(honoured.length === 0 ? [] : [`agents honour ${honoured.map(({ path }) => path).join(", ")}`]),
    ...(prompts.length === 0 ? [] : [`the repository has its own prompts: ${prompts.join(", ")}`]),
    ...(networked === 0 ? [] : [`${plural(networked, "check")} with network access`]),
    ...(writable.length === 0 ? [] : [`agents and checks may change ${writable.join(", ")}`]),
    ...(assumed === 0 ? [] : [`${plural(assumed, "decision")} assumed by the planner`]),
    ...(problems.length === 0 ? [] : [`${plural(problems.length, "lint warning")}, see above`]),
  ];
}

function missingSandbox(why: string): string {
  return `no sandbox on this machine: agents and checks have your files and network; ${why}`;
}

/** When commits leave for the remote. */
export const pushed = { task: "after every task", run: "when the run is finished" };

/** Such a plan may run commands that nobody has read. */
function replanText(max: number): string {
  return `the planner may change the plan without asking you, up to ${plural(max, "time")}`;
}

function hookText({ command, webhook }: PageHook): string {
  if (command !== null) return `a hook runs outside the sandbox, as you: ${command.join(" ")}`;
  return `a webhook notifies ${webhook ?? "nobody"}`;
}

function checksOf({ tasks, rules_checks, plan_checks }: Pick<Page, "tasks" | "rules_checks" | "plan_checks">) {
  return [...tasks.flatMap(({ checks }) => checks), ...rules_checks, ...plan_checks];
}
