import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { advise } from "../../../../../src/plan/lint/advice/advise.ts";
import { parsePlan } from "../../../../../src/plan/parse.ts";

test("the plan of the demo gives no cause for advice", () => {
  const read = (root: string): [string, string][] =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [name, join(root, name)]);
  const bytes = (file: string): { bytes: Uint8Array } => ({ bytes: readFileSync(file) });
  const files = new Map(read("demo/plan").map(([name, file]) => [`plans/demo/${name}`, bytes(file)]));
  const { plan, rules, problems } = parsePlan(files, "demo");
  expect(problems).toEqual([]);
  const repoFiles = new Set(read("demo/project").map(([name]) => name));
  expect(advise({ plan: plan!, rules, files, repoFiles, hasProgram: (name) => name === "node" })).toEqual([]);
});
