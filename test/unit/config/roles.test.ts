import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { describeRole, resolveRole, rolesNeeded, rolesShown, withDefaultRoles } from "../../../src/config/roles.ts";
import { roles, type Check, type Plan } from "../../../src/plan/types.ts";

function resolved(text: string): Record<string, string | undefined> {
  const { config } = loadConfig({ project: { file: "c", bytes: new TextEncoder().encode(text) } });
  return Object.fromEntries(roles.map((role) => [role, resolveRole(config, role)?.agentName]));
}

test("each role falls back as the contract says", () => {
  expect(resolved("roles: { planner: { agent: claude }, executor: { agent: codex } }")).toEqual({
    planner: "claude",
    executor: "codex",
    reviewer: "claude",
    judge: "claude",
    escalation: "codex",
    external: "claude",
  });
  expect(resolved("roles: { reviewer: { agent: gemini } }")).toEqual({
    planner: undefined,
    executor: undefined,
    reviewer: "gemini",
    judge: "gemini",
    escalation: undefined,
    external: "gemini",
  });
});

test("a resolved role carries its agent, model and effort", () => {
  const text =
    "agents: { mine: { driver: command, command: [./a.sh], env: [KEY] } }\n" +
    "roles: { executor: { agent: mine, model: small, effort: low } }\n";
  const { config } = loadConfig({ project: { file: "c", bytes: new TextEncoder().encode(text) } });
  expect(resolveRole(config, "escalation")).toEqual({
    agentName: "mine",
    agent: { driver: "command", command: ["./a.sh"], env: ["KEY"], repoSettings: false },
    model: "small",
    effort: "low",
  });
});

test("with nothing set, or an agent nobody defined, no role resolves", () => {
  expect(Object.values(resolved(""))).toEqual(roles.map(() => undefined));
  expect(resolved("roles: { executor: { agent: constructor } }")).toMatchObject({ executor: undefined });
});

test("the agent that was found does what nobody set, and only that", () => {
  const { config } = loadConfig({
    project: { file: "c", bytes: new TextEncoder().encode("roles: { executor: { agent: codex } }") },
  });
  const filled = withDefaultRoles(config, "gemini");
  expect(roles.map((role) => `${role} ${resolveRole(filled, role)?.agentName}`)).toEqual([
    ...["planner gemini", "executor codex", "reviewer gemini", "judge gemini", "escalation codex", "external gemini"],
  ]);
  expect(withDefaultRoles(config, undefined)).toBe(config);
});

test("a role is described by its agent, model and effort", () => {
  expect(describeRole({ agentName: "claude" })).toBe("claude, its own default model");
  expect(describeRole({ agentName: "mine", model: "small", effort: "low" })).toBe("mine, model small, effort low");
});

const at = { line: 1, column: 1 };
const asks = (question: string): Check => ({ kind: "judge", question, red: false, at });
const exists: Check = { kind: "exists", path: "a", red: true, at };
const asked = { id: "a", role: "executor", checks: [exists, asks("Kind?")] };
const plan = { tasks: [asked, { id: "b", role: "executor", checks: [] }] };
const rules = { checks: [asks("Short?")] };

test("a plan needs a judge where one of its checks, of its tasks or of the rules asks something", () => {
  const tasks = plan.tasks as unknown as Plan["tasks"];
  expect([...rolesNeeded({ tasks, checks: [] }, { checks: [] })]).toContain("judge");
  expect([...rolesNeeded({ tasks: tasks.slice(1), checks: [asks("x")] }, { checks: [] })]).toContain("judge");
  expect([...rolesNeeded({ tasks: tasks.slice(1), checks: [] }, rules)]).toContain("judge");
  expect([...rolesNeeded({ tasks: tasks.slice(1), checks: [exists] }, { checks: [] })]).toEqual([
    "executor",
    "escalation",
  ]);
});

test("the roles of a plan are those it needs and those that are set, in their usual order", () => {
  const tasks = plan.tasks.slice(1) as unknown as Plan["tasks"];
  const needed = { plan: { tasks, checks: [] }, rules: { checks: [] } };
  expect(rolesShown({ config: { roles: {} }, ...needed })).toEqual(["executor", "escalation"]);
  expect(rolesShown({ config: { roles: { planner: { agent: "claude" } } }, ...needed })).toEqual([
    ...["planner", "executor", "escalation"],
  ]);
});
