import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knowsDriver, loadDriver } from "../../../src/agents/drivers.ts";
import agents from "../../agents/agents.json" with { type: "json" };
import { verifiedTables } from "../../agents/document.ts";

test("every folder with a driver is known by its name, and loads", async () => {
  const folders = readdirSync("src/agents", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("/driver.ts"),
  );
  const names = folders.map((name) => name.split("/")[0] ?? "");
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect((await loadDriver(name)).run, name).toBeTypeOf("function");
});

test("a name that every object has is no driver", async () => {
  expect(knowsDriver("constructor")).toBe(false);
  await expect(loadDriver("constructor")).rejects.toThrow("expected a driver, but was constructor");
});

test("the versions that a driver is said to work with are those that the suite installs", async () => {
  for (const { program, oldest, version } of agents) {
    if (knowsDriver(program)) expect((await loadDriver(program)).facts.tested).toEqual({ oldest, newest: version });
  }
});

test("docs/agents.md says what the suite with real agents verifies, and with which versions", () => {
  const document = readFileSync("docs/agents.md", "utf8");
  const { versions, outcomes } = verifiedTables();
  expect(document).toContain(versions);
  expect(document).toContain(outcomes);
});
