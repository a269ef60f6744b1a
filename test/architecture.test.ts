import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. `plan` and `engine` know nothing above them, and nobody imports `cli`. */
const mayImport: Record<string, readonly string[]> = {
  code: [],
  plan: [],
  engine: ["plan"],
  journal: [],
  git: [],
  config: ["plan", "engine"],
  sandbox: [],
  agents: ["engine", "sandbox"],
  verify: ["code", "plan", "engine", "sandbox", "agents"],
  workspace: ["git", "sandbox", "agents", "verify"],
  prompts: ["plan", "engine", "planner"],
  planner: ["code", "plan", "engine"],
  hooks: ["plan", "engine", "journal", "config", "agents"],
  report: ["plan", "engine"],
  host: [
    "plan",
    "engine",
    "journal",
    "git",
    "config",
    "sandbox",
    "agents",
    "verify",
    "workspace",
    "prompts",
    "planner",
    "hooks",
    "report",
  ],
  library: ["plan", "engine", "host"],
  cli: ["plan", "engine", "journal", "git", "config", "prompts", "planner", "report", "host", "verify"],
};

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join("src", name), "utf8") }));

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

test("imports go one way: from the command line down to the plan", () => {
  const wrong = sources.flatMap(({ name, text }) => {
    const from = name.split("/")[0] ?? "";
    const targets = importsOf(text).filter((target) => target.startsWith("."));
    const modules = targets.map((target) => posix.normalize(posix.join(posix.dirname(name), target)).split("/"));
    return modules
      .filter(
        ([to = "", file]) => file !== undefined && to !== from && name.includes("/") && !mayImport[from]?.includes(to),
      )
      .map((module) => `${name} imports ${module.join("/")}`);
  });
  expect(wrong).toEqual([]);
});

test("every source folder has its place in the order of imports", () => {
  const folders = new Set(sources.filter(({ name }) => name.includes("/")).map(({ name }) => name.split("/")[0] ?? ""));
  expect([...folders].toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

test("the engine is pure: no module of node, no clock, no chance", () => {
  const engine = sources.filter(({ name }) => name.startsWith("engine/"));
  expect(engine.length).toBeGreaterThan(0);
  const impure = engine.filter(
    ({ text }) =>
      importsOf(text).some((target) => !target.startsWith(".")) ||
      /(?<!\.)\b(?:new Date|Date\.|Math\.random|process\.|performance\.|setTimeout|fetch\(|globalThis)/.test(
        withoutComments(text),
      ),
  );
  expect(impure.map(({ name }) => name)).toEqual([]);
});

test("the report is pure: no module of node, and no clock but the journal's", () => {
  const report = sources.filter(({ name }) => name.startsWith("report/"));
  expect(report.length).toBeGreaterThan(0);
  const impure = report.filter(
    ({ text }) =>
      importsOf(text).some((target) => !target.startsWith(".")) ||
      /\bnew Date\(\)|Date\.now|Math\.random|\bprocess\./.test(withoutComments(text)),
  );
  expect(impure.map(({ name }) => name)).toEqual([]);
});

test("only plan/read.ts and plan/hash.ts of the plan touch node at all", () => {
  const impure = sources.filter(
    ({ name, text }) => name.startsWith("plan/") && importsOf(text).some((target) => target.startsWith("node:")),
  );
  expect(impure.map(({ name }) => name).toSorted()).toEqual(["plan/hash.ts", "plan/read.ts"]);
});

test("no source file names a model or a package registry", () => {
  const named = sources.filter(({ text }) => /\b(?:opus|sonnet|haiku|gpt-\d|registry\.npmjs)\b/i.test(text));
  expect(named.map(({ name }) => name)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
}
