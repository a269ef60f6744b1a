import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { approvalHash } from "../../../src/plan/hash.ts";
import { parsePlan } from "../../../src/plan/parse.ts";
import type { PlanFile, Problem } from "../../../src/plan/types.ts";

const file = (text: string): PlanFile => ({ bytes: new TextEncoder().encode(text) });
const task = (title: string) => file(`---\ntitle: ${title}\nfiles: [a]\nchecks: [x]\n---\n## Goal\nDone.\n`);
const show = ({ file, line, column, code, message }: Problem) =>
  `${file.replace("plans/p/", "")}:${line}:${column} ${code}: ${message}`;

function sound(): Map<string, PlanFile> {
  return new Map([
    ["plans/p/plan.md", file("---\ntitle: P\n---\n## Tasks\n- [x] [b](tasks/b.md) B\n- [ ] [a](tasks/a.md) A\n")],
    ["plans/p/scope.md", file("# Understanding\n## goals\n### Gaps\n")],
    ["plans/p/tasks/a.md", task("A")],
    ["plans/p/tasks/b.md", task("B")],
    ["plans/p/designs/login.png", { bytes: Uint8Array.of(0, 255) }],
  ]);
}

function complaints(changes: Record<string, PlanFile | string | undefined>, name = "p"): string[] {
  const files = sound();
  for (const [path, value] of Object.entries(changes)) {
    const key = path.startsWith(".stint") ? path : `plans/p/${path}`;
    if (value === undefined) files.delete(key);
    else files.set(key, typeof value === "string" ? file(value) : value);
  }
  return parsePlan(files, name).problems.map(show);
}

const tasksSection = (lines: string) => ({ "plan.md": `---\ntitle: P\n---\n## Tasks\n${lines}\n` });

test("a sound plan has no problems and its tasks stand in the order of their lines", () => {
  const { plan, problems } = parsePlan(sound(), "p");
  expect(problems).toEqual([]);
  expect(plan?.tasks.map(({ id }) => id)).toEqual(["b", "a"]);
  expect(plan?.taskLines).toEqual([
    { id: "b", ticked: true, at: { line: 5, column: 1 } },
    { id: "a", ticked: false, at: { line: 6, column: 1 } },
  ]);
});

test("a plan with CRLF and a byte order mark is as sound", () => {
  const files = new Map(
    [...sound()].map(([path, found]): [string, PlanFile] => {
      if (!("bytes" in found) || !path.endsWith(".md")) return [path, found];
      return [path, file(`\uFEFF${new TextDecoder().decode(found.bytes).replaceAll("\n", "\r\n")}`)];
    }),
  );
  const { plan, problems } = parsePlan(files, "p");
  expect(problems).toEqual([]);
  expect(plan?.tasks[0]?.sections).toEqual({ Goal: "Done." });
});

test("a plan needs tasks and a plan.md; its scope.md is optional, but has three headings", () => {
  expect(complaints({ "tasks/a.md": undefined, "tasks/b.md": undefined, ...tasksSection("") })).toEqual([
    "plan.md:1:1 no-tasks: the plan has no files tasks/<id>.md",
  ]);
  expect(complaints({ "plan.md": undefined })).toEqual(["plan.md:1:1 no-plan: the plan has no plan.md"]);
  expect(complaints({ "plan.md": undefined, "Plan.MD": "" })).toEqual([
    "plan.md:1:1 no-plan: the plan has no plan.md: rename Plan.MD to plan.md",
  ]);
  expect(complaints({ "scope.md": undefined })).toEqual([]);
  expect(complaints({ "scope.md": "# Understanding\n```\n## Goals\n```\nGaps\n" })).toEqual([
    "scope.md:1:1 scope: scope.md lacks the headings Goals, Gaps",
  ]);
});

test("a task needs a goal, files and checks that can be red", () => {
  expect(complaints({ "tasks/a.md": "---\ntitle: A\nfiles: { create: [] }\nchecks: []\n---\n## Steps\n" })).toEqual([
    'tasks/a.md:1:1 no-goal: the task has no "## Goal" section',
    "tasks/a.md:3:1 no-files: the task names no files: list under files what it may create, modify or delete",
    "tasks/a.md:4:1 no-checks: the task has no checks: add at least one that fails now and passes when the task is done",
  ]);
  expect(
    complaints({
      "tasks/a.md": "---\ntitle: A\nfiles: [a]\nchecks: [judge: kind?]\n---\n## Goal\n<!-- later -->\n## Steps\nx\n",
    }),
  ).toEqual([
    "tasks/a.md:4:1 judge-only: the task has only judge checks: a judge can only refuse, so add a run, exists, contains or absent check",
    'tasks/a.md:6:1 no-goal: the "## Goal" section is empty: say what is true when the task is done',
  ]);
});

test("known sections are found whatever their capitals, and odd headings do no harm", () => {
  const body = "## GOAL\nDone.\n## Test Plan\nRun it.\n## __proto__\nx\n## Steps\n1\n## Steps\n2\n";
  const files = sound().set("plans/p/tasks/a.md", file(`---\ntitle: A\nfiles: [a]\nchecks: [x]\n---\n${body}`));
  const { plan, problems } = parsePlan(files, "p");
  expect(problems).toEqual([]);
  expect(Object.entries(plan?.tasks.find(({ id }) => id === "a")?.sections ?? {})).toEqual([
    ["Goal", "Done."],
    ["Test plan", "Run it."],
    ["__proto__", "x"],
    ["Steps", "1\n2"],
  ]);
});

const rule = 'use 1 to 64 characters from a-z, 0-9 and "-", starting with a letter or digit';

test.each([
  ["CON", '"CON"'],
  ["../x", '"../x"'],
  ["-x", '"-x"'],
  ["a\nb", '"a\\nb"'],
  ["é", '"é"'],
  ["a_b", '"a_b"'],
  [".hidden", '".hidden"'],
  ["", '""'],
  ["a".repeat(65), `"${"a".repeat(65)}"`],
  ["a".repeat(300), `"${"a".repeat(80)}…"`],
])("the task id %j is refused", (id, shown) => {
  const files = sound().set(`plans/p/tasks/${id}.md`, task("X"));
  const { plan, problems } = parsePlan(files, "p");
  expect(plan).toBeUndefined();
  const [message, ...others] = problems.filter(({ code }) => code === "bad-id").map((problem) => problem.message);
  expect(message?.replace(/; rename the file to [a-z0-9-]+\.md$/, "")).toBe(`${shown} is not a task id: ${rule}`);
  expect(others).toEqual([]);
});

test("a task file with a bad name is one error with the name to choose, whether its task is listed or not", () => {
  const renamed = (id: string, to: string) => [
    `tasks/${id}.md:1:1 bad-id: "${id}" is not a task id: ${rule}; rename the file to ${to}.md`,
  ];
  expect(complaints({ "tasks/a.md": undefined, "tasks/A.md": task("X") })).toEqual(renamed("A", "a"));
  expect(complaints({ "tasks/02 more.md": task("X") })).toEqual(renamed("02 more", "02-more"));
  expect(complaints({ "tasks/a_.md": task("X") })).toEqual([`tasks/a_.md:1:1 bad-id: "a_" is not a task id: ${rule}`]);
});

const duplicate = (id: string) =>
  complaints({ [`tasks/${id}.md`]: task("X") }).filter((line) => line.includes("duplicate-id"));

test("ids that look or fold alike are called twins", () => {
  expect(duplicate("A")).toEqual([
    'tasks/a.md:1:1 duplicate-id: the task ids "A" and "a" differ only in capitals or Unicode form',
  ]);
  expect(duplicate("\uFF41")).toEqual([
    'tasks/\uFF41.md:1:1 duplicate-id: the task ids "a" and "\uFF41" differ only in capitals or Unicode form',
  ]);
  expect(duplicate("c")).toEqual([]);
});

test.each(["../x", "-p", "P", "a b", ""])("the plan name %j is refused", (name) => {
  const { plan, problems } = parsePlan(sound(), name);
  expect(plan).toBeUndefined();
  expect(problems.map(({ message }) => message)).toEqual([`${JSON.stringify(name)} is not a plan name: ${rule}`]);
});

test("what could not be read is reported, also beside the documents", () => {
  const fifo: PlanFile = { unreadable: "is a FIFO, not a file" };
  expect(
    complaints({ "plan.md": fifo, "extra.bin": fifo, "tasks/a.md": fifo, "scope.md": fifo, ".stint/rules.md": fifo }),
  ).toEqual([
    ".stint/rules.md:1:1 unreadable: is a FIFO, not a file",
    "extra.bin:1:1 unreadable: is a FIFO, not a file",
    "plan.md:1:1 unreadable: is a FIFO, not a file",
    "scope.md:1:1 unreadable: is a FIFO, not a file",
    "tasks/a.md:1:1 unreadable: is a FIFO, not a file",
  ]);
  const lossy: PlanFile = { unreadable: "its name is not valid UTF-8; rename it" };
  expect(
    complaints({ "\uFFFD.sh": lossy, ".stint/config.yaml": fifo, ".stint/\uFFFD": lossy, ".stint": fifo }),
  ).toEqual([
    ".stint:1:1 unreadable: is a FIFO, not a file",
    ".stint/config.yaml:1:1 unreadable: is a FIFO, not a file",
    ".stint/\uFFFD:1:1 unreadable: its name is not valid UTF-8; rename it",
    "\uFFFD.sh:1:1 unreadable: its name is not valid UTF-8; rename it",
  ]);
});

test("problems of several files are reported together, sorted, and the plan is withheld", () => {
  const files = sound();
  files.set("plans/p/tasks/a.md", file("no front matter"));
  files.set("plans/p/plan.md", file("---\ntitel: P\n---\n## Tasks\n- [ ] [b](tasks/b.md)\n- [ ] [a](tasks/a.md)\n"));
  files.set(".stint/rules.md", file("---\nprotect: x\n---\n"));
  const { plan, rules, problems } = parsePlan(files, "p");
  expect(plan).toBeUndefined();
  expect(rules.branch).toBe("stint/{plan}");
  expect(problems.map(show)).toEqual([
    '.stint/rules.md:2:1 bad-value: protect must be a list, but is the text "x"',
    "plan.md:1:1 bad-value: title is missing",
    'plan.md:2:1 unknown-key: unknown key "titel"; did you mean "title"?',
    'tasks/a.md:1:1 no-front-matter: expected front matter: the first line must be "---"',
  ]);
});

test("a plan of a thousand tasks is read soon", () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => `t${i}`);
  const lines = ids.map((id) => `- [ ] [${id}](tasks/${id}.md) Title`).join("\n");
  const files = sound().set("plans/p/plan.md", file(`---\ntitle: P\n---\n## Tasks\n${lines}\n`));
  for (const id of ["a", "b"]) files.delete(`plans/p/tasks/${id}.md`);
  for (const id of ids) files.set(`plans/p/tasks/${id}.md`, task(id));
  expect(parsePlan(files, "p")).toMatchObject({ problems: [], plan: { tasks: { length: 1_000 } } });
});

const encode = (text: string) => new TextEncoder().encode(text);

/** Pieces that YAML and markdown care about, so that chance gets past the first line. */
const piece = fc.oneof(
  fc.constantFrom(
    "---\n",
    "title: T\n",
    "checks:\n",
    "  - ",
    "- ",
    "a: ",
    "&a ",
    "*a",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "|\n",
  ),
  fc.constantFrom(
    "## Tasks\n",
    "## Goal\n",
    "- [ ] [a](tasks/a.md)\n",
    "```\n",
    "<!--",
    "-->",
    "\r\n",
    "\t",
    "!!x ",
    "? ",
    "%",
  ),
  fc.constantFrom(
    "__proto__: 1\n",
    "files: ",
    "depends: ",
    "~",
    "<<: ",
    "0x1",
    ".inf",
    "model: m\n",
    "\u2028",
    "\uFEFF",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(piece, { maxLength: 25 }).map((pieces) => encode(`---\n${pieces.join("")}`)),
  fc.array(piece, { maxLength: 12 }).map((pieces) => encode(`---\ntitle: T\n${pieces.join("")}\n---\n## Tasks\n`)),
);

test("whatever the bytes, the answer is a list of placed problems and never an exception", () => {
  fc.assert(
    fc.property(bytes, bytes, (plan, other) => {
      const files = new Map([
        ["plans/p/plan.md", { bytes: plan }],
        ["plans/p/scope.md", { bytes: other }],
        ["plans/p/tasks/a.md", { bytes: other }],
        [".stint/rules.md", { bytes: plan }],
      ]);
      const { problems } = parsePlan(files, "p");
      const all = [...problems, ...loadConfig({ project: { file: "c", bytes: other } }).problems];
      for (const { line, column, message } of all) {
        expect(line).toBeGreaterThan(0);
        expect(column).toBeGreaterThan(0);
        expect(message).toMatch(/^[^\n]+$/);
      }
      expect(approvalHash(files, "p")).toMatch(/^[0-9a-f]{64}$/);
    }),
    { numRuns: 2_000 },
  );
});
