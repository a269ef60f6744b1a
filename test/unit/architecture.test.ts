import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

/**
 * Every unit of the source, in the one order that imports follow: a file imports from its own unit and from units above
 * it in this list, never from one below. A unit is a folder with its subfolders, less those that have a line of their own;
 * a file gets a line where it is what other files of its folder are built from, or what ties them together.
 */
const units = [
  "base",
  "plan",
  "plan/lint",
  "engine",
  "journal",
  "git",
  "sandbox",
  "syntax",
  "process",
  "config",
  "hooks",
  "prompts",
  "report",
  "project",
  "agents/driver-kit",
  "agents/acp",
  "agents/claude",
  "agents/codex",
  "agents/command",
  "agents/gemini",
  "agents/scripted",
  "agents",
  "checks/witness",
  "checks",
  "workspace",
  "guards",
  "guards/definitions",
  "guards/silenced",
  "guards/test-aware",
  "guards/test-strength",
  "guards/contents.ts",
  "approval",
  "run/commands",
  "run/ports.ts",
  "run/run.ts",
  "run/steps",
  "upkeep/limits.ts",
  "upkeep/init",
  "planning/machine",
  "planning/map",
  "planning/prompts",
  "run/revision",
  "planning",
  "run",
  "api",
  "index.ts",
  "upkeep/gc",
  "upkeep/doctor",
  "cli",
  "cli/transcript",
  "cli/approval-page",
  "cli/dialog",
  "cli/live-view",
  "cli/commands",
  "cli/program",
  "cli/main.ts",
  "cli/entry.ts",
];

/** Units that may know less than their place in the order allows. */
const knowsOnly: Readonly<Record<string, readonly string[]>> = {
  base: [],
  plan: ["base"],
  "plan/lint": ["base", "plan"],
  engine: ["base", "plan"],
  journal: ["base"],
  git: ["base"],
  sandbox: ["base"],
  syntax: ["base"],
  process: ["base", "engine", "sandbox"],
  config: ["base", "engine", "plan"],
  prompts: ["base", "engine", "plan"],
  report: ["base", "engine", "plan"],
  "agents/driver-kit": ["base", "engine", "process", "sandbox"],
  "checks/witness": ["base", "engine", "plan"],
  guards: ["base", "plan", "engine", "syntax", "checks"],
  "guards/definitions": ["base", "plan", "engine", "syntax", "guards"],
  "guards/silenced": ["base", "plan", "engine", "syntax", "guards"],
  "guards/test-aware": ["base", "plan", "engine", "syntax", "guards"],
  "guards/test-strength": ["base", "plan", "engine", "syntax", "guards"],
};

/** The longest entry of the order that a file lies in. */
function unitOf(file: string): string | undefined {
  return units
    .filter((unit) => file === unit || file.startsWith(`${unit}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join("src", name), "utf8") }));

/** Every import of one source file by another. */
const links = sources.flatMap(({ name, text }) =>
  importsOf(text)
    .filter((target) => target.startsWith("."))
    .map((target) => ({ from: name, to: posix.normalize(posix.join(posix.dirname(name), target)) }))
    // The bounds of a folder import nothing, so every part of the folder may know them.
    .filter(({ from, to }) => to !== `${from.split("/")[0]}/limits.ts`),
);

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

test("imports follow the order of units", () => {
  const wrong = links.filter(({ from, to }) => {
    const [above, below] = [unitOf(to), unitOf(from)];
    if (above === undefined || below === undefined) return true;
    return above !== below && units.indexOf(above) > units.indexOf(below);
  });
  expect(wrong).toEqual([]);
});

test("units that are to know little import nothing else", () => {
  const wrong = links.filter(({ from, to }) => {
    const [below, above] = [unitOf(from) ?? "", unitOf(to) ?? ""];
    return below !== above && knowsOnly[below]?.includes(above) === false;
  });
  expect(wrong).toEqual([]);
});

test("every source file lies in a unit, and every unit has files", () => {
  expect(sources.filter(({ name }) => unitOf(name) === undefined)).toEqual([]);
  expect(units.filter((unit) => !sources.some(({ name }) => unitOf(name) === unit))).toEqual([]);
});

test("no folder has more than 40 files of its own, and none lies beside a file of its name", () => {
  const folders = sources.map(({ name }) => posix.dirname(name));
  const crowded = new Set(folders.filter((folder) => folders.filter((other) => other === folder).length > 40));
  expect([...crowded]).toEqual([]);
  expect(folders.filter((folder) => sources.some(({ name }) => name === `${folder}.ts`))).toEqual([]);
});

/** Every test file by its path below `test`, without its ending. */
const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:test|e2e|night|escape)\.ts$/.test(name))
  .map((name) => name.replace(/\.\w+\.ts$/, ""));

test("a unit test is named after a source file or a folder, unless it is listed here with what it shows", () => {
  const names = new Set(sources.flatMap(({ name }) => [name.replace(/\.ts$/, ""), posix.dirname(name)]));
  const others = tests
    .filter((name) => name.startsWith("unit/"))
    .map((name) => name.slice("unit/".length))
    .filter((name) => !names.has(name) && !/^(?:architecture$|cheats\/|sim\/|scripts\/)/.test(name));
  expect(others.toSorted()).toEqual([]);
});

test("of ten source files with code, the tests of seven are found by the file's or its folder's name", () => {
  const code = sources.filter(({ name, text }) => !name.endsWith("limits.ts") && /\bfunction\b|=>/.test(text));
  const missing = code.filter(({ name }) => {
    const path = name.replace(/\.ts$/, "");
    const isNamedSo = (test: string) =>
      test.startsWith("unit/")
        ? [`unit/${path}`, `unit/${posix.dirname(path)}`].includes(test)
        : posix.basename(test) === posix.basename(path);
    return !tests.some(isNamedSo);
  });
  expect(missing.length / code.length, missing.map(({ name }) => name).join("\n")).toBeLessThan(0.3);
});

test("no test replaces a module: unit tests share them, and ports are there to be replaced", () => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.filter((name) => /^vi\.(?:do)?[mM]ock\(/m.test(readFileSync(join("test", name), "utf8")))).toEqual([]);
});

test("there is one way to start or resume a run; a person's own task resumes a run without agents", () => {
  const importers = (file: string) => links.filter(({ to }) => to === file).map(({ from }) => from);
  expect(importers("run/start-run.ts")).toEqual(["run/start-or-resume.ts"]);
  expect(importers("run/resume-run.ts").toSorted()).toEqual(["cli/commands/by-hand.ts", "run/start-or-resume.ts"]);
});

test("bounds import nothing", () => {
  const bounds = sources.filter(({ name }) => name.endsWith("/limits.ts"));
  expect(bounds.length).toBeGreaterThan(10);
  expect(bounds.filter(({ text }) => importsOf(text).length > 0)).toEqual([]);
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
