import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { decidedBy, recordDecisions } from "../../../../src/planning/machine/decisions.ts";
import type { Asked } from "../../../../src/planning/machine/events.ts";

const asked = (id: string, answer: string, more: Partial<Asked> = {}): Asked => ({
  ...{ id, question: `What about ${id}?`, options: ["a", "b"], recommend: "a", answer, assumed: false },
  ...more,
});

function record(front: string, all: readonly Asked[], body = "## Tasks\n"): { text: string; problems: string[] } {
  const { bytes, problems } = recordDecisions(Buffer.from(`---\n${front}---\n${body}`), all);
  const said = problems.map(({ severity, file, line, message }) => `${file}:${line}: ${severity}: ${message}`);
  return { text: Buffer.from(bytes).toString("utf8").replace(`---\n${body}`, ""), problems: said };
}

describe("what was asked is written down by the harness", () => {
  test("a person's answer is added to a plan that does not have the question", () => {
    const { text, problems } = record("title: x # as it was\n", [asked("fee", "b")]);
    expect(text).toBe(
      "---\ntitle: x # as it was\ndecisions:\n  - id: fee\n    question: What about fee?\n    options: [ a, b ]\n    recommend: a\n    answer: b\n",
    );
    expect(problems).toEqual([]);
  });

  test("an answer that no person gave is assumed, and one that is not known leaves the decision open", () => {
    const open = asked("size", "", { options: [], recommend: null });
    const { text, problems } = record("title: x\n", [asked("fee", "a", { assumed: true }), open]);
    expect(text).toContain("answer: a\n    assumed: true\n  - id: size\n    question: What about size?\n");
    expect(problems).toEqual([
      "plan.md:1: warning: decision size has no answer, and a plan with an open decision cannot be approved. Give it an `answer`, or a `recommend` for the person who decides.",
    ]);
  });

  test("a planner's own answer is marked as assumed, and its open question stays open", () => {
    const { text } = record("title: x\ndecisions:\n  - { id: db, question: Which?, answer: sqlite }\n", []);
    expect(text).toBe("---\ntitle: x\ndecisions:\n  - { id: db, question: Which?, answer: sqlite, assumed: true }\n");
    const open = "title: x\ndecisions:\n  - { id: db, question: Which? }\n";
    expect(record(open, []).text).toBe(`---\n${open}`);
  });

  test("a person's answer overrides the planner's, which is reported with its line", () => {
    const front = "title: x\ndecisions:\n  - { id: db, question: Which?, answer: sqlite, assumed: true } # ours\n";
    const { text, problems } = record(front, [asked("db", "postgres")]);
    expect(text).toBe("---\ntitle: x\ndecisions:\n  - { id: db, question: What about db?, answer: postgres } # ours\n");
    expect(problems).toEqual([
      'plan.md:4: error: decision db: a person answered "postgres", but the draft says "sqlite". Write that answer, and bring the tasks in line with it.',
    ]);
  });

  test("a planner that wrote the person's answer gets no remark, and the file stays as it is", () => {
    const front = "title: x\ndecisions:\n  - { id: db, question: What about db?,   answer: postgres }\n";
    expect(record(front, [asked("db", "postgres")])).toEqual({ text: `---\n${front}`, problems: [] });
  });

  test("an answer keeps the question as it was asked, whatever the planner makes of it", () => {
    const front = "decisions:\n  - { id: ci, question: May all data be deleted?, answer: b }\n";
    expect(record(front, [asked("ci", "b")]).text).toBe(
      "---\ndecisions:\n  - { id: ci, question: What about ci?, answer: b }\n",
    );
    expect(record(front, []).text).toContain("May all data be deleted?, answer: b, assumed: true");
  });

  test("a differing answer to what was merely assumed is a warning", () => {
    const front = "decisions:\n  - { id: db, question: Which?, answer: sqlite }\n";
    const { problems } = record(front, [asked("db", "postgres", { assumed: true })]);
    expect(problems[0]).toMatch(/^plan\.md:3: warning: decision db: "postgres" was assumed/);
  });
});

describe("the rest of the file stays as it is", () => {
  test("comments and blank lines around and inside decisions are kept", () => {
    const front =
      "# top\ntitle:   x\n\ndecisions:\n  # first\n  - id: db\n    question: Which?\n    answer: sqlite # small\n  # last\n\n# about checks\nchecks:   [true]\n";
    expect(record(front, []).text).toBe(
      `---\n${front.replace("sqlite # small\n", "sqlite # small\n    assumed: true\n")}`,
    );
  });

  test.each([
    ["an empty list", "title: x\ndecisions: [] # none\nchecks: [a]\n"],
    ["an empty key", "title: x\ndecisions:\nchecks: [a]\n"],
    ["a flow list", "title: x\ndecisions: [{ id: q, question: w }] # c\nchecks: [a]\n"],
    ["a flow document", "{ title: x, checks: [a] }\n"],
    ["an indented document", "  title: x\n  checks: [a]\n"],
    ["an anchor elsewhere", "title: &t x\ndecisions:\n  - { id: q, question: *t }\nchecks: [a]\n"],
    ["no line end", "title: x\nchecks: [a]\n"],
  ])("%s takes a new decision", (_, front) => {
    const { text } = record(front, [asked("fee", "b")]);
    const files = new Map([["plans/p/plan.md", { bytes: Buffer.from(`${text}---\n`) }]]);
    const { problems } = parsePlan(files, "p");
    expect(problems.filter(({ code }) => code !== "no-tasks" && code !== "scope")).toEqual([]);
    expect(text).toContain("b");
  });

  test("line ends of Windows and a byte order mark stay", () => {
    const text = "\ufeff---\r\ntitle: x\r\n---\r\n## Tasks\r\n";
    const after = Buffer.from(recordDecisions(Buffer.from(text), [asked("fee", "b")]).bytes).toString("utf8");
    expect(after.startsWith("\ufeff---\r\ntitle: x\r\ndecisions:\r\n")).toBe(true);
    expect(after.endsWith("answer: b\r\n---\r\n## Tasks\r\n")).toBe(true);
  });

  test.each([
    ["no front matter", "## Tasks\n"],
    ["unreadable YAML", "---\ntitle: [\n---\n"],
    ["a key that is there twice", "---\ntitle: a\ntitle: b\n---\n"],
    ["decisions that are no list", "---\ntitle: x\ndecisions: later\n---\n"],
  ])("%s is left to lint", (_, text) => {
    const bytes = Buffer.from(text);
    expect(recordDecisions(bytes, [asked("fee", "b")])).toMatchObject({ bytes, problems: [] });
  });
});

test("a plan that is all blank lines and comments is read to its end", () => {
  const blank = "\n".repeat(80_000);
  const front = `decisions:\n  - { id: db, question: Which?, answer: a }\n${blank}  - { id: fee, question: How?, answer: b }\n# end\n`;
  const { text } = record(front, []);
  expect(text).toContain("How?, answer: b, assumed: true }\n# end\n");
});

test("lines below the decisions are known by where their planner wrote them", () => {
  const front = "title: x\ndecisions:\n  - id: db\n    question: Which?\n    answer: sqlite\nchecks: [a]\n";
  const { bytes, writtenLine } = recordDecisions(Buffer.from(`---\n${front}---\n## Tasks\n`), [asked("fee", "b")]);
  const now = Buffer.from(bytes).toString("utf8").split("\n");
  const lineOf = (text: string) => writtenLine(now.indexOf(text) + 1);
  expect(["title: x", "checks: [a]", "## Tasks"].map(lineOf)).toEqual([2, 7, 9]);
  expect(lineOf("  - id: fee")).toBeLessThanOrEqual(7);
});

test("any answers can be recorded in any plan: it parses, again changes nothing, and other keys keep their bytes", () => {
  const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== "");
  const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const inquiry = fc.record({
    id,
    question: word,
    options: fc.array(word, { maxLength: 3 }),
    recommend: fc.option(word),
    answer: fc.oneof(word, fc.constant("")),
    assumed: fc.boolean(),
  });
  const own = fc.record({ id, question: word, answer: fc.option(word, { nil: undefined }) });
  fc.assert(
    fc.property(
      fc.array(inquiry, { maxLength: 4 }),
      fc.array(own, { maxLength: 3 }),
      fc.boolean(),
      (all, mine, end) => {
        const lines = mine.map((one) => `  - ${JSON.stringify(one)}\n`).join("");
        const rest = 'goal: "x" # kept\n';
        const decisions = mine.length === 0 ? "" : `decisions:\n${lines}`;
        const front = end ? `title: x\n${rest}${decisions}` : `title: x\n${decisions}# kept too\n${rest}`;
        const body = "---\n## Tasks\n- not a task\n";
        const once = recordDecisions(Buffer.from(`---\n${front}${body}`), all).bytes;
        const text = Buffer.from(once).toString("utf8");
        expect(text).toContain(end ? `---\ntitle: x\n${rest}` : `# kept too\n${rest}`);
        expect(text.endsWith(body)).toBe(true);
        expect(Buffer.from(recordDecisions(once, all).bytes).toString("utf8")).toBe(text);
        const { problems } = parsePlan(new Map([["plans/p/plan.md", { bytes: once }]]), "p");
        expect(
          problems.map(({ code }) => code).filter((code) => !["scope", "no-tasks", "unknown-task"].includes(code)),
        ).toEqual([]);
        const read = recorded(once);
        for (const one of all) {
          const last = all.findLast((other) => other.id === one.id)!;
          const found = read.find((decision) => decision.id === one.id)!;
          if (last.answer !== "") expect([found.answer, found.assumed]).toEqual([last.answer, last.assumed]);
          else expect(found.answer === undefined || found.assumed).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

function recorded(bytes: Uint8Array) {
  const task = "---\ntitle: t\nfiles: [a]\nchecks: [a]\n---\n## Goal\nx\n";
  const files = new Map([
    ["plans/p/plan.md", { bytes }],
    ["plans/p/tasks/a.md", { bytes: Buffer.from(task) }],
  ]);
  return parsePlan(files, "p").plan!.decisions;
}

test("An edit decides what it answers otherwise, and what it calls assumed no more.", () => {
  const planMd = (...lines: readonly string[]) => Buffer.from(`---\ntitle: A\ndecisions:\n${lines.join("\n")}\n---\n`);
  const [a, b, c] = ["a", "b", "c"].map((id) => `  - { id: ${id}, question: Q, answer: x, assumed: true }`) as [
    string,
    string,
    string,
  ];
  const before = planMd(a, b, c);
  const edited = planMd(a, b.replace("answer: x", "answer: y"), c.replace(", assumed: true", ""));

  const made = { question: "Q", options: [], recommend: null, assumed: false };
  expect(decidedBy(before, edited)).toEqual([
    { ...made, id: "b", answer: "y" },
    { ...made, id: "c", answer: "x" },
  ]);
  expect(decidedBy(before, before)).toEqual([]);
  expect(decidedBy(before, Buffer.from("---\n{ broken\n---\n"))).toEqual([]);
});
