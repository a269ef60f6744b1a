import type { Page, PageCheck, PageCommand } from "./model.ts";

type Parts = Omit<Page, "commands" | "unusual">;

/** Every command line that an approval allows, in the order of the page. */
export function commandsOf(page: Parts): PageCommand[] {
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

/** Programs of roles, and of agents without a role: the user's own settings may give them one. */
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
