import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { withDefaultRoles } from "../../../src/config/roles.ts";
import { originOf, originOfRole, shownAddress, showSettings } from "../../../src/config/show.ts";

const load = (text: string) =>
  loadConfig({ project: { file: ".stint/config.yaml", bytes: new TextEncoder().encode(text) } });

test("every setting is shown as a person would write it, and what is not set is left out", () => {
  const { config } = load(
    "run: { task_timeout: 90s }\nbudget: { task_usd: 2 }\nagents: { mine: { driver: command, command: [a] } }",
  );
  const shown = new Map(showSettings(config).map(({ key, value }) => [key, value]));
  expect(shown.get("run.task_timeout")).toBe("90s");
  expect(shown.get("budget.task_usd")).toBe(2);
  expect(shown.has("budget.usd")).toBe(false);
  expect(shown.get("agents.mine")).toEqual({ driver: "command", command: ["a"] });
  expect(shown.get("agents.claude")).toEqual({ driver: "claude" });
});

test("nothing that may be a secret is shown: no values of variables and headers, no paths of addresses", () => {
  const { config, problems } = load(
    [
      "mcp:",
      "  files: { command: [npx, server], env: { TOKEN: hunter2 } }",
      "  far: { url: 'https://host.example/hunter2', headers: { Authorization: hunter2 } }",
      "hooks: [{ on: [done], webhook: 'https://host.example/?key=hunter2' }]",
    ].join("\n"),
  );
  expect(problems).toEqual([]);
  const shown = showSettings(config);
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  expect(shown).toContainEqual({ key: "mcp.files", value: { command: ["npx", "server"], env: ["TOKEN"] } });
  expect(shown).toContainEqual({
    key: "mcp.far",
    value: { url: "https://host.example/…", headers: ["Authorization"] },
  });
  expect(shown).toContainEqual({ key: "hooks", value: [{ on: ["done"], webhook: "https://host.example/…" }] });
});

test("an address without a path is shown whole, and what is no address not at all", () => {
  expect(["https://h:8080", "https://h/", "https://h/x", "nonsense"].map(shownAddress)).toEqual([
    ...["https://h:8080", "https://h", "https://h/…", "…"],
  ]);
});

test("a setting comes from its line of a file, or is built in", () => {
  const { origins } = load("run:\n  parallel: 2\n");
  expect(originOf(origins, "run.parallel")).toBe(".stint/config.yaml:2");
  expect(originOf(origins, "run.attempts")).toBe("built in");
});

test("a role is set by a file, by the role it falls back to, or by what was found on PATH", () => {
  const { config, origins } = load("roles:\n  executor: { agent: codex }\n");
  const filled = { config: withDefaultRoles(config, "gemini"), origins };
  expect(originOfRole(filled, "executor")).toBe(".stint/config.yaml:2");
  expect(originOfRole(filled, "escalation")).toBe("as roles.executor");
  expect(originOfRole(filled, "planner")).toBe("found on PATH");
  expect(originOfRole(filled, "judge")).toBe("as roles.planner");
  expect(originOfRole({ config, origins }, "planner")).toBe("no agent found on PATH");
});
