import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { advise } from "../../../../../src/plan/lint/advice/advise.ts";
import { parsePlan } from "../../../../../src/plan/parse.ts";
import type { Task, TaskFiles } from "../../../../../src/plan/types.ts";
import { adviceOn, adviceOnTask, planFiles, type AdvisedTask } from "../../../../rig/advice.ts";

test("a task that says what, how it is tested and what runs it needs no advice", () => {
  expect(adviceOnTask({ estimate: "30m" })).toEqual([]);
});

test("what is ticked is done, and not advised on", () => {
  const bad = { title: "Fix stuff", checks: ["true"], body: "## Goal\n\nx", estimate: "5m" };
  expect(adviceOn({ tasks: { a: bad }, ticked: ["a"] })).toEqual([]);
  expect(adviceOn({ tasks: { a: bad } })).toHaveLength(4);
});

test("of one kind the first twenty are shown, and how many more there are", () => {
  const tasks = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`t${at + 10}`, { estimate: "5m" }]));
  const advice = adviceOn({ tasks });
  expect(advice).toHaveLength(20);
  expect(advice.at(-1)).toBe(
    "t29:7:1: estimate: The estimate of 5m is outside 15m to 60m. Merge the task with a neighbour. (and 3 more warnings of this kind)",
  );
});

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

const ids = ["a", "b", "01-c", "d2"];
const word = fc.oneof(
  fc.constantFrom(
    "see",
    "task",
    "a",
    "01-c",
    "`",
    "above",
    "Fix",
    "stuff",
    "## ",
    "\n",
    "tasks/b.md",
    "gpt",
    "4",
    "opus",
  ),
  fc.constantFrom(
    "cd",
    "&&",
    "(",
    "$(",
    "npm",
    "run",
    "test",
    "x",
    "./a.sh",
    "npx",
    "'",
    '"',
    "|",
    "PATH=",
    "\\",
    "<<E",
  ),
  fc.string({ unit: "binary", maxLength: 5 }).map((text) => text.replaceAll("\0", "")),
);
const words = fc.array(word, { maxLength: 8 }).map((some) => some.join(" "));
const path = fc.constantFrom(
  "src/a.ts",
  "src/**",
  "**",
  "src",
  "SRC/A.ts",
  "package.json",
  "docs/*.md",
  "{a,b}/*.py",
  "x[1].go",
);
const task: fc.Arbitrary<AdvisedTask> = fc.record({
  title: words.map((text) => `T${text}`),
  depends: fc.subarray(ids),
  files: fc.oneof(
    fc.array(path, { minLength: 1, maxLength: 4 }),
    fc.record({ create: fc.array(path, { minLength: 1, maxLength: 3 }), delete: fc.array(path, { maxLength: 2 }) }),
  ),
  estimate: fc.constantFrom("1ms", "1s", "15m", "9h"),
  checks: fc.array(
    fc.oneof(
      words.map((text) => `x ${text}`),
      fc.record({ run: words.map((text) => `${text} x`), red: fc.boolean(), cwd: fc.constantFrom(".", "sub", "a/..") }),
      fc.record({ exists: path }),
      fc.record({ judge: fc.constant("Good?") }),
    ),
    { maxLength: 3 },
  ),
  body: words.map((text) => `## Goal\n\n${text}`),
});

test("whatever plan can be read, the advice is a list of placed warnings and never an exception", () => {
  let read = 0;
  const tasks = fc.record({ a: task, b: task, "01-c": task, d2: task });
  fc.assert(
    fc.property(tasks, words, fc.subarray(ids), (some, overview, ticked) => {
      const files = planFiles({ tasks: some, overview, ticked });
      const { plan, rules } = parsePlan(files, "p");
      if (plan === undefined) return;
      read += 1;
      const packageScripts = new Map([[".", new Set(["build"])]]);
      const setup = { command: overview, file: "c", at: { line: 1, column: 1 } };
      const repoFiles = new Set(["src/a.ts", "package.json"]);
      for (const known of [{}, { packageScripts, hasProgram: (name: string) => name.length > 2, setup }]) {
        for (const { line, column, message, severity } of advise({ plan, rules, repoFiles, files, ...known })) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(message).toMatch(/^[^\n]+$/);
          expect(severity).toBe("warning");
        }
      }
    }),
    { numRuns: 100 },
  );
  expect(read).toBeGreaterThan(20);
});

const shapes: Readonly<Record<string, (at: number) => Pick<Task, "files" | "depends">>> = {
  "in a chain, on one file": (at) => ({
    files: files({ modify: ["src/index.ts"] }),
    depends: at === 0 ? [] : [`t${at - 1}`],
  }),
  "all on one folder, with a file of their own": (at) => ({
    files: files({ touch: ["src/**", `src/${at}.ts`] }),
    depends: [],
  }),
};

function files(some: Partial<TaskFiles>): TaskFiles {
  return { create: [], modify: [], delete: [], touch: [], ...some };
}

test.each(Object.entries(shapes))("two thousand tasks are no trouble: %s", (_, shape) => {
  const read = parsePlan(planFiles({ tasks: { a: { checks: ["npm run x", "./x.sh"] } } }), "p");
  const plan = read.plan!;
  const [one] = plan.tasks;
  // Parsed once, because reading two thousand documents takes longer than all that is asked here.
  const tasks = Array.from({ length: 2_000 }, (__, at) => ({ ...one!, id: `t${at}`, ...shape(at) }));
  const repoFiles = new Set(["src/index.ts", "package.json"]);
  const known = { packageScripts: new Map([[".", new Set<string>()]]), hasProgram: () => true };
  const advice = advise({ plan: { ...plan, tasks }, rules: read.rules, repoFiles, ...known });
  expect(advice.length).toBeLessThan(100);
});
