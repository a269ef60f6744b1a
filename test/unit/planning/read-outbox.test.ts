import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "../../../src/base/redact.ts";
import { readOutbox } from "../../../src/planning/read-outbox.ts";
import { planLimits } from "../../../src/plan/limits.ts";
import { planningLimits } from "../../../src/planning/limits.ts";
import { isId } from "../../../src/plan/ids.ts";
import { mergeDraft } from "../../../src/planning/machine/revise.ts";
import { findingsFrom, questionsFrom } from "../../../src/planning/machine/parse-outbox.ts";

const noSecrets = redactor([]);

test("questions are taken in every form that models write them", () => {
  const whole = { id: "colour", question: "Which?", options: ["red", "blue"], recommend: "blue" };
  expect(questionsFrom([whole])).toEqual({ items: [whole], problems: [] });
  expect(questionsFrom({ questions: [whole] }).items).toEqual([whole]);
  expect(questionsFrom(null)).toEqual({ items: [], problems: [] });
  expect(questionsFrom({ questions: null })).toEqual({ items: [], problems: [] });
  expect(questionsFrom(["Which colour?"]).items).toEqual([
    { id: "which-colour", question: "Which colour?", options: [], recommend: null },
  ]);
  const loose = { id: "The Colour!", text: "Which?", options: [{ label: "red" }, 3, null, "red"], recommended: true };
  expect(questionsFrom([loose]).items).toEqual([
    { id: "the-colour", question: "Which?", options: ["red", "3"], recommend: "true" },
  ]);
});

test("what asks nothing, and what is too much, is a problem and not asked", () => {
  expect(questionsFrom("what now?").problems).toEqual(["questions.json: must be a list of questions"]);
  expect(questionsFrom([{ id: "a" }, { question: " " }]).problems).toEqual([
    "questions.json: entry 1 asks nothing",
    "questions.json: entry 2 asks nothing",
  ]);
  const many = Array.from({ length: planningLimits.planningQuestionsMax + 5 }, (_, at) => ({
    question: `number ${at}?`,
  }));
  const { items, problems } = questionsFrom(many);
  expect(items).toHaveLength(planningLimits.planningQuestionsMax);
  expect(problems).toEqual([
    `questions.json: ${many.length} questions; the first ${planningLimits.planningQuestionsMax} are used`,
  ]);
});

test("whatever JSON is there, each question that is used has an id of its own and bounded texts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const { items } = questionsFrom(json);
      const ids = items.map(({ id }) => id);
      expect(ids.every(isId)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { question, options } of items) {
        expect(question.length).toBeLessThanOrEqual(planningLimits.inquiryCharsMax + 1);
        expect(options.length).toBeLessThanOrEqual(planningLimits.inquiryOptionsMax);
      }
    }),
  );
});

test("findings come the worst first; an unknown severity counts as major; no list is not an empty one", () => {
  const found = findingsFrom([
    { severity: "minor", title: "a", line: 2 },
    { severity: "BLOCKER", title: "b", line: "2" },
    { severity: "Critical", title: "c", why: "w", fix: "f", file: "plan.md" },
    {},
  ]);
  expect(found?.items.map(({ severity, title, line }) => [severity, title, line])).toEqual([
    ["critical", "c", null],
    ["major", "b", null],
    ["minor", "a", 2],
  ]);
  expect(found?.problems).toEqual(["findings.json: entry 4 says nothing"]);
  expect(findingsFrom([])).toEqual({ items: [], problems: [] });
  expect(findingsFrom({ findings: [] })).toEqual({ items: [], problems: [] });
  for (const none of [null, "fine", { praise: true }, 3]) expect(findingsFrom(none)).toBeNull();
});

test("a correction takes the place of what it leaves; a task goes when the plan names it no more", () => {
  const bytes = (texts: Record<string, string>) =>
    new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
  const before = bytes({ "plan.md": "tasks/a.md tasks/b.md", "scope.md": "s", "tasks/a.md": "a", "tasks/b.md": "b" });
  const names = (left: Record<string, string>) => [...mergeDraft(before, bytes(left)).keys()].toSorted();
  expect(names({ "tasks/a.md": "new" })).toEqual(["plan.md", "scope.md", "tasks/a.md", "tasks/b.md"]);
  expect(names({ "plan.md": "tasks/a.md" })).toEqual(["plan.md", "scope.md", "tasks/a.md"]);
  expect(
    mergeDraft(before, bytes({ "tasks/a.md": "new" }))
      .get("tasks/a.md")
      ?.toString(),
  ).toBe("new");
});

/** An outbox with these files, for as long as the test takes. */
function outboxWith(
  files: Record<string, string>,
): Disposable & { readonly dir: string; readonly path: (name: string) => string } {
  const root = mkdtempSync(join(tmpdir(), "stint-left-"));
  const dir = join(root, "outbox");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return { dir, path: (name) => join(dir, name), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

test("an honest outbox is read whole", async () => {
  using outbox = outboxWith({
    "plan.md": "p",
    "scope.md": "s",
    "tasks/01-a.md": "a",
    "rules.md": "r",
    "questions.json": `[{"id":"a","question":"b?"}]`,
    "findings.json": "[]",
    "notes.txt": "not read",
  });
  const left = await readOutbox(outbox.dir, noSecrets);
  expect([...left.draft].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["plan.md", "p"],
    ["scope.md", "s"],
    ["tasks/01-a.md", "a"],
  ]);
  expect(Buffer.from(left.rules ?? []).toString()).toBe("r");
  expect(left).toMatchObject({ questions: [{ id: "a" }], findings: [], problems: [] });
});

test("links, pipes and folders in the place of documents are refused, each with its name, and nothing waits for them", async () => {
  using outbox = outboxWith({ "tasks/01-a.md": "a", "scope.md/x": "x", "../secret": "secret" });
  symlinkSync("../secret", outbox.path("plan.md"));
  symlinkSync("../../secret", outbox.path("tasks/02-b.md"));
  execFileSync("mkfifo", [outbox.path("rules.md"), outbox.path("questions.json"), outbox.path("tasks/03-c.md")]);
  const { draft, rules, questions, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([[...draft.keys()], rules, questions]).toEqual([["tasks/01-a.md"], null, []]);
  expect(problems.map((line) => line.split(":")[0]).toSorted()).toEqual(
    ["plan.md", "questions.json", "rules.md", "scope.md", "tasks/02-b.md", "tasks/03-c.md"].toSorted(),
  );
});

test("a link in the place of the folder of tasks is refused", async () => {
  using outbox = outboxWith({ "plan.md": "p", "../elsewhere/01-a.md": "a" });
  symlinkSync("../elsewhere", outbox.path("tasks"));
  const { draft, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([[...draft.keys()], problems]).toEqual([["plan.md"], ["tasks: is not a folder"]]);
});

test("names that are none of a task, and files that are too large, are refused with a line for each", async () => {
  const huge = "x".repeat(planLimits.planFileBytesMax + 1);
  using outbox = outboxWith({
    "plan.md": huge,
    "tasks/CON.md": "",
    "tasks/-x.md": "",
    "tasks/a b.md": "",
    "tasks/a.txt": "",
    "tasks/ok.md": "",
  });
  const { draft, problems } = await readOutbox(outbox.dir, noSecrets);
  expect([...draft.keys()]).toEqual(["tasks/ok.md"]);
  expect(problems).toHaveLength(5);
  expect(problems.at(-1)).toBe(`plan.md: larger than ${planLimits.planFileBytesMax} bytes`);
});

test("a draft of too many files or bytes is cut, and that is a problem", async () => {
  const page = "x".repeat(900_000);
  using large = outboxWith(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`tasks/t${at}.md`, page])));
  const cut = await readOutbox(large.dir, noSecrets);
  expect(cut.draft.size).toBe(Math.floor(planningLimits.draftBytesMax / page.length));
  expect(cut.problems).toEqual([expect.stringContaining(`more than ${planningLimits.draftBytesMax} bytes`)]);
  using many = outboxWith(
    Object.fromEntries(Array.from({ length: planningLimits.draftFilesMax + 1 }, (_, at) => [`tasks/t${at}.md`, ""])),
  );
  const read = await readOutbox(many.dir, noSecrets);
  expect([read.draft.size, read.problems.length]).toEqual([planningLimits.draftFilesMax, 1]);
});

test("an outbox that is gone, or is a link, has nothing", async () => {
  using outbox = outboxWith({ "plan.md": "p", "tasks/a.md": "a" });
  symlinkSync("outbox", join(dirname(outbox.dir), "link"));
  expect((await readOutbox(join(dirname(outbox.dir), "link"), noSecrets)).draft.size).toBe(0);
  expect(await readOutbox(outbox.path("nowhere"), noSecrets)).toMatchObject({
    questions: [],
    findings: null,
    problems: [],
  });
});
