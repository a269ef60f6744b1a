import { expect, test } from "vitest";
import { approvalHash } from "../../../src/plan/hash.ts";
import { advise } from "../../../src/plan/lint/advice/advise.ts";
import { expandPlan, planDocuments } from "../../../src/plan/one-file.ts";
import { parsePlan } from "../../../src/plan/parse.ts";
import { tickedTasks, tickExactly, tickTask } from "../../../src/plan/tick.ts";
import type { Plan, PlanFile, PlanFiles } from "../../../src/plan/types.ts";

const front = "---\nstint: 1\ntitle: Greet people\nchecks: [npm test]\n---\n";
const path = "plans/p.md";

/** A task as a section; its first line is the heading. */
const task = (id: string, { box = " ", title = `Write ${id}`, yaml = "", body = "" } = {}): string =>
  `## [${box}] ${id} ${title}\n\n\`\`\`yaml\nfiles: { create: [${id}.txt] }\nchecks: [test -s ${id}.txt]\n${yaml}\`\`\`\n\n### Goal\n\nIt is there.\n${body}\n`;

const sound = `${front}\nWords first.\n\n## Overview\n\nA small plan.\n\n${task("a")}${task("b", { yaml: "depends: [a]\n" })}`;

const filesOf = (text: string | Uint8Array, more: readonly (readonly [string, PlanFile])[] = []): PlanFiles =>
  new Map([[path, { bytes: Buffer.from(text) }], ...more]);

/** What is wrong with a plan of one file, as `line:column code: message`. */
const complaints = (text: string): string[] =>
  parsePlan(filesOf(text), "p").problems.map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`,
  );

/** The plan without its places and forms, to compare what it says. */
function said(plan: Plan | undefined): unknown {
  const { file: _, ...rest } = JSON.parse(
    JSON.stringify(plan, (key, value: unknown) => (key === "at" ? undefined : value)),
  ) as Plan;
  return { ...rest, tasks: rest.tasks.map(({ file: __, ...one }) => one) };
}

/** The same plan as a folder. */
function folderOf(text: string | Uint8Array): PlanFiles {
  const documents = [...planDocuments(filesOf(text), "p")];
  return new Map(documents.map(([name, bytes]) => [`plans/p/${name}`, { bytes }]));
}

test("a plan of one file is read like the folder that says the same, with its places in the one file", () => {
  const { plan, problems } = parsePlan(filesOf(sound), "p");
  expect(problems).toEqual([]);
  expect(plan).toMatchObject({ name: "p", dir: "plans/p", file: path, title: "Greet people" });
  expect(plan?.tasks.map(({ id, title, depends, file }) => ({ id, title, depends, file }))).toEqual([
    { id: "a", title: "Write a", depends: [], file: path },
    { id: "b", title: "Write b", depends: ["a"], file: path },
  ]);
  const lines = sound.split("\n");
  const lineOf = (words: string) => lines.findIndex((line) => line.includes(words)) + 1;
  expect(plan?.checks[0]?.at.line).toBe(4);
  expect(plan?.taskLines.map(({ at }) => at.line)).toEqual([lineOf("[ ] a"), lineOf("[ ] b")]);
  expect(plan?.tasks[1]?.at(["depends"])).toEqual({ line: lineOf("depends"), column: 1 });
  expect(plan?.tasks[1]?.checks[0]?.at.line).toBe(lineOf("test -s b"));
  expect(plan?.tasks[0]?.sections).toEqual({ Goal: "It is there." });
});

test("the pieces are the documents of a folder, with headings a level up and the title from the heading", () => {
  const scope = "## Scope\n\n### Understanding\n\nU\n\n### Goals\n\nG\n\n### Gaps\n\nNone.\n\n";
  const text = `${front}## Overview\n\nO\n\n${scope}${task("a", { box: "x", body: "\n#### Deep\n\n```md\n### Not one\n```\n" })}`;
  const documents = new Map([...planDocuments(filesOf(text), "p")].map(([name, bytes]) => [name, String(bytes)]));
  expect(Object.fromEntries(documents)).toEqual({
    "plan.md": `${front}## Overview\n\nO\n\n## Tasks\n\n- [x] [a](tasks/a.md) Write a\n`,
    "scope.md": "# Scope\n\n## Understanding\n\nU\n\n## Goals\n\nG\n\n## Gaps\n\nNone.\n",
    "tasks/a.md":
      '---\ntitle: "Write a"\nfiles: { create: [a.txt] }\nchecks: [test -s a.txt]\n---\n\n## Goal\n\nIt is there.\n\n### Deep\n\n```md\n### Not one\n```\n',
  });
  expect(complaints(text)).toEqual([]);
});

const odd = [
  sound,
  sound.replaceAll("\n", "\r\n"),
  `\uFEFF${sound}`,
  sound.replace("title: Greet", 'decisions: [{ id: d, question: "Which?", answer: x }]\ntitle: Greet'),
  `${front}${task("a", { title: 'Say "hi": {all} #1 \\ of `it`' })}`,
  `${front}${task("a", { title: "" }).replace("files:", "title: From the block\nfiles:")}`,
  `${front}${task("a").replace("files:", 'title: "The block counts"\nfiles:')}`,
  `${front}${task("a").replaceAll("```", "~~~~")}`,
  `${front}${task("a").replace("```yaml", "<!-- which\nfiles -->\n```yaml")}`,
  `${front}${task("a", { body: "\n```sh\n# no heading\n```\n<!--\n## [ ] hidden Away\n-->\n" })}${task("b", { box: "x" })}`.trimEnd(),
  `${front}# A title\n\n## [A link](x.md)\n\n## [Notes]\n\n${task("a")}`,
];

test.each(odd)("splitting changes nothing of what a plan says: %#", (text) => {
  const one = parsePlan(filesOf(text), "p");
  const folder = parsePlan(folderOf(text), "p");
  expect([one.problems, folder.problems]).toEqual([[], []]);
  expect(said(folder.plan)).toEqual(said(one.plan));
});

test("every line of a piece is where its line of the one file is, however the plan is put together", () => {
  let seed = 7;
  const dice = (sides: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % sides;
  const blanks = () => "\n".repeat(dice(3));
  for (let round = 0; round < 40; round += 1) {
    const tasks = Array.from({ length: 1 + dice(4) }, (_, n) =>
      task(`t${n}`, { box: dice(2) === 0 ? " " : "x", yaml: `${blanks()}# ${n}\n`, body: `${blanks()}Line ${n}.\n` }),
    );
    const made = `${front}${blanks()}Overview.\n${blanks()}${tasks.join(blanks())}`;
    const text = dice(2) === 0 ? made : made.replaceAll("\n", "\r\n");
    const expanded = expandPlan(path, Buffer.from(text));
    if ("problems" in expanded) throw new Error(JSON.stringify(expanded.problems));
    const source = text.split("\n");
    for (const piece of expanded.pieces.values()) {
      const own = piece.text.split("\n").slice(0, -1);
      expect(piece.lines).toHaveLength(own.length);
      for (const [at, line] of own.entries()) {
        const there = source[(piece.lines[at] ?? 0) - 1] ?? "";
        const isAdded = /^(?:---|title: "|## Tasks|- \[|\r?$)/.test(line);
        if (!isAdded) expect([line, `#${line}`]).toContain(there);
      }
    }
    expect(said(parsePlan(folderOf(text), "p").plan)).toEqual(said(parsePlan(filesOf(text), "p").plan));
  }
});

test.each<[string, string, string[]]>([
  ["no front matter", "## [ ] a A\n", [':1:1 no-front-matter: expected front matter: the first line must be "---"']],
  [
    "no task",
    `${front}Words.\n`,
    [
      ':1:1 no-tasks: the plan has no tasks: write each as "## [ ] 01-name Title", and directly below it a yaml block with its files and checks',
    ],
  ],
  [
    "a list of tasks",
    `${front}## Tasks\n\n${task("a")}`,
    [
      ':6:1 task-list: a plan of one file has no list of tasks: remove this heading, and write each task as "## [ ] 01-name Title", and directly below it a yaml block with its files and checks',
    ],
  ],
  [
    "the same id twice",
    `${front}${task("a")}${task("a")}`,
    [':17:1 duplicate-id: the task id "a" is used twice: line 6 has it, too. Give this task another'],
  ],
  [
    "two scopes",
    `${front}## Scope\n\nOne.\n\n## Scope\n\nTwo.\n\n${task("a")}`,
    [':10:1 scope: the section "## Scope" is there twice: line 6 has it, too. Join them'],
  ],
  [
    "no id",
    `${front}${task("", { title: "" })}`,
    [
      ':6:1 bad-id: the task has no id: write "## [ ] 01-name Title"; for the id, use 1 to 64 characters from a-z, 0-9 and "-", starting with a letter or digit',
    ],
  ],
  [
    "a title in place of the id",
    `${front}${task("Add", { title: "dependencies" })}`,
    [
      ':6:1 bad-id: "Add" is not a task id: write "## [ ] 01-name Title"; for the id, use 1 to 64 characters from a-z, 0-9 and "-", starting with a letter or digit',
    ],
  ],
  [
    "another mark",
    `${front}${task("a", { box: "X" })}`,
    [':6:1 unknown-marker: unknown marker "[X]"; write "[ ]" or "[x]"'],
  ],
  [
    "no box",
    `${front}${task("a").replace("[ ] ", "")}`,
    [
      ':6:1 no-box: this looks like a task, but has no box: write "## [ ] 01-name Title", and directly below it a yaml block with its files and checks',
    ],
  ],
  [
    "no yaml block",
    `${front}## [ ] a Write a\n\n### Goal\n\nWords.\n`,
    [
      ':6:1 no-yaml: the task "a" has no yaml block: directly below this heading write "```yaml", its files and checks, and "```"',
    ],
  ],
  [
    "a yaml block that is not closed",
    `${front}${task("a").replace("```\n\n###", "\n###")}`,
    [':8:1 unclosed-yaml: the yaml block that starts here is not closed: add a line "```" after its last key'],
  ],
  [
    "a yaml block that only the next task closes",
    `${front}${task("a").replace("```\n\n###", "\n###")}${task("b")}`,
    [':8:1 unclosed-yaml: the yaml block that starts here is not closed: add a line "```" after its last key'],
  ],
  [
    "a divider in the yaml block",
    `${front}${task("a", { yaml: "---\n" })}`,
    [':11:1 yaml: a yaml block has no "---" lines: remove this one'],
  ],
  [
    "a fence that hides the tasks",
    `${front}\`\`\`\ncode\n\n${task("a")}`,
    [":9:1 hidden-task: this reads like a task, but is inside the code block that starts on line 6, so it is none"],
  ],
  [
    "another section after the first task",
    `${front}${task("a")}## Notes\n\nWords.\n`,
    [
      ':17:1 stray-section: after the first task, every heading of level 1 or 2 is a task: write "## [ ] 01-name Title", and directly below it a yaml block with its files and checks; or use "###" for a section of the task above',
    ],
  ],
  [
    "a wrong key",
    `${front}${task("a", { yaml: "estimat: 3m\n" })}`,
    [':11:1 unknown-key: unknown key "estimat"; did you mean "estimate"?'],
  ],
  [
    "an empty goal",
    `${front}${task("a").replace("It is there.", "")}`,
    [':13:1 no-goal: the "### Goal" section is empty: say what is true when the task is done'],
  ],
  [
    "half a scope",
    `${front}## Scope\n\n### Goals\n\nG\n\n${task("a")}`,
    [':6:1 scope: "## Scope" lacks the headings Understanding, Gaps'],
  ],
])("%s is said once, with its place", (_, text, expected) => {
  expect(complaints(text)).toEqual(expected.map((line) => `${path}${line}`));
});

test("a comment that is not closed hides every task, which is said where it begins", () => {
  expect(complaints(`${front}<!-- later\n\n${task("a")}`)).toEqual([
    `${path}:6:1 unclosed-block: the block that starts here is not closed and hides the tasks below it: add a line "-->"`,
  ]);
});

test("an example of a task in a code block is a warning beside real tasks", () => {
  const { plan, problems } = parsePlan(filesOf(`${front}\`\`\`\n## [ ] x Y\n\`\`\`\n${task("a")}`), "p");
  expect(plan?.tasks).toHaveLength(1);
  expect(problems).toMatchObject([{ code: "hidden-task", severity: "warning", line: 7 }]);
});

const asSection = "; or, for a section, leave the box out";
const notAsOne = "a heading with a box is that of a task, and this one is not written as one: write";
const asItem = "this reads like a task, but is a list item, so it is none: write";

test.each([
  ["### [ ] 02-two Two", `${notAsOne} "## [ ] 02-two Two"${asSection}`],
  ["##[ ] 02-two Two", `${notAsOne} "## [ ] 02-two Two"${asSection}`],
  ["##[x] 02-two", `${notAsOne} "## [x] 02-two Title"${asSection}`],
  ["# [ ] 02-two Two #", `${notAsOne} "## [ ] 02-two Two"${asSection}`],
  ["  ## [ ] 02-two Two", `${notAsOne} "## [ ] 02-two Two"${asSection}`],
  ["#### [] Write the rest", `${notAsOne} "## [ ] 01-name Title"${asSection}`],
  ["- [ ] 02-two Two", `${asItem} "## [ ] 02-two Two"`],
  ["2. [x] 02-two", `${asItem} "## [x] 02-two Title"`],
])("the task that is written %s does not vanish in the one above it", (line, message) => {
  const two = task("02-two").replace("## [ ] 02-two Write 02-two", line);
  expect(complaints(`${front}${task("a")}${two}`)).toEqual([`${path}:17:1 hidden-task: ${message}`]);
});

test("a first task that is written wrongly is reported as such, and not as a missing one", () => {
  const first = (line: string) => `${front}${task("a").replace("## [ ] a Write a", line)}`;
  expect(complaints(first("# [ ] a Write a"))).toEqual([
    `${path}:6:1 hidden-task: ${notAsOne} "## [ ] a Write a"${asSection}`,
  ]);
  expect(complaints(first("- [ ] a Write a"))).toEqual([`${path}:6:1 hidden-task: ${asItem} "## [ ] a Write a"`]);
});

test.each([
  "### Steps\n\n- [ ] write the test\n- [x] 01 foo\n",
  "### Steps\n\n- [ ] write the test\n\n```yaml\nkey: value\n```\n",
  "### Steps\n\n- [ ] write the test\n\n### Example\n\n```yaml\nfiles: {}\n```\n",
  "### [x](x.md) is a link\n\n### [1] A note\n\n#[derive(Debug)]\n",
  "```md\n### [ ] 02-two Two\n- [ ] 02-two Two\n```\n<!--\n### [ ] 02-two Two\n-->\n",
])("checklists, links and examples in the body of a task are left alone: %#", (body) => {
  expect(complaints(`${front}${task("a", { body })}${task("b")}`)).toEqual([]);
});

test("a plan in both forms is none until one of them is gone", () => {
  const both = filesOf(sound, [["plans/p/plan.md", { bytes: Buffer.from(front) }]]);
  const { plan, problems } = parsePlan(both, "p");
  expect(plan).toBeUndefined();
  expect(problems).toMatchObject([
    { file: path, message: "plans/p/ is there as well, and only one of them can be the plan: remove the other" },
  ]);
  const next = filesOf(sound, [["plans/p2/plan.md", { bytes: Buffer.from(front) }]]);
  expect(parsePlan(next, "p").problems).toEqual([]);
});

test("a link in place of the file is reported, not followed", () => {
  const link = new Map([[path, { unreadable: "is a symbolic link, not a file" }]]);
  expect(parsePlan(link, "p").problems).toMatchObject([{ file: path, code: "unreadable" }]);
});

test("three hundred tasks are no trouble", () => {
  const ids = Array.from({ length: 300 }, (_, n) => `t${n}`);
  const { plan, problems } = parsePlan(filesOf(front + ids.map((id) => task(id)).join("")), "p");
  expect(problems).toEqual([]);
  expect(plan?.tasks.map(({ id }) => id)).toEqual(ids);
});

test.each([sound, sound.replaceAll("\n", "\r\n"), `\uFEFF${sound}`])(
  "a tick changes one byte of the heading, and nothing that was approved: %#",
  (text) => {
    const bytes = Buffer.from(text);
    const ticked = tickTask(bytes, "b", path);
    if (!ticked.ok) throw new Error(ticked.failure.message);
    expect(Buffer.from(ticked.value).toString()).toBe(text.replace("## [ ] b", "## [x] b"));
    expect([...tickedTasks(ticked.value, path)]).toEqual(["b"]);
    expect(approvalHash(filesOf(ticked.value), "p")).toBe(approvalHash(filesOf(bytes), "p"));
    expect(approvalHash(filesOf(text.replace("Write b", "Write c")), "p")).not.toBe(approvalHash(filesOf(bytes), "p"));
    expect(tickExactly(ticked.value, new Set(), path)).toEqual({ ok: true, value: Uint8Array.from(bytes) });
    expect(parsePlan(filesOf(ticked.value), "p").plan?.taskLines.map((line) => line.ticked)).toEqual([false, true]);
  },
);

test("a task that is not there, or is there twice, is not ticked", () => {
  expect(tickTask(Buffer.from(sound), "c", path)).toMatchObject({
    failure: { reason: "no-line", message: 'plans/p.md has no heading "## [ ] c"' },
  });
  expect(tickTask(Buffer.from(`${sound}${task("a")}`), "a", path)).toMatchObject({
    failure: { reason: "duplicate-line" },
  });
});

test("advice on a task points into the one file", () => {
  const text = `${front}${task("a")}${task("b", { yaml: "depends: [a]\n", body: "\nDo it as in task a.\n" })}`;
  const { plan, rules } = parsePlan(filesOf(text), "p");
  const found = advise({ plan: plan!, rules, repoFiles: new Set(), files: filesOf(text) });
  const line = text.split("\n").indexOf("Do it as in task a.") + 1;
  expect(found.filter(({ code }) => code === "leans-on-task")).toMatchObject([{ file: path, line, column: 7 }]);
});
