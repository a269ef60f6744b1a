import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { planningLimits } from "../../../src/planning/limits.ts";
import { addAnswers, readAnswers, writeQuestions } from "../../../src/planning/question-files.ts";
import { inquiry } from "../../rig/planning-events.ts";
import { scriptedPlanning } from "../../rig/planning-session.ts";

let folder = "";
let file = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-answers-"));
  file = join(folder, "answers.json");
});

afterEach(() => rmSync(folder, { recursive: true }));

async function read(text: string): Promise<string | Record<string, string>> {
  writeFileSync(file, text);
  const answers = await readAnswers(file, new Set(["a", "b"]));
  return answers.ok
    ? Object.fromEntries(answers.value.map(({ id, answer }) => [id, answer]))
    : answers.failure.message.replace(file, "F");
}

test("answers to what was asked are read without the blanks around them; blank ones and others are left out", async () => {
  expect(await read('{"a": " yes\\n", "b": " ", "c": "no", "d": 3}')).toEqual({ a: "yes" });
  expect(await read("{}")).toEqual({});
});

test("a file that cannot be meant so is refused with its path and what is wrong; a missing one has no answers", async () => {
  expect(await read("[1]")).toBe('F: must be an object such as {"<id>": "<answer>"}');
  expect(await read("null")).toBe('F: must be an object such as {"<id>": "<answer>"}');
  expect(await read('{"a": 3}')).toBe("F: the answer to a must be text");
  expect(await read("{")).toMatch(/^F: answers\.json: /);
  rmSync(file);
  expect(await readAnswers(file, new Set(["a"]))).toEqual({ ok: true, value: [] });
});

test("a long answer is cut, and a link is not followed", async () => {
  const answers = await read(JSON.stringify({ a: "x".repeat(2 * planningLimits.inquiryCharsMax) }));
  expect((answers as { a: string }).a.length).toBeLessThanOrEqual(planningLimits.inquiryCharsMax + 1);
  writeFileSync(join(folder, "other"), '{"a": "secret"}');
  rmSync(file);
  symlinkSync("other", file);
  expect(await readAnswers(file, new Set(["a"]))).toMatchObject({ ok: false });
});

test("an answer is added to those that are there, and replaces one to the same question", async () => {
  writeFileSync(file, '{"a": "old", "b": "kept"}');
  const open = new Set(["a", "b", "c"]);
  expect(await addAnswers(folder, { open, given: new Map([["a", "new"]]) })).toMatchObject({ ok: true });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ a: "new", b: "kept" });
  writeFileSync(file, "[]");
  expect(await addAnswers(folder, { open, given: new Map([["a", "new"]]) })).toMatchObject({ ok: false });
  expect(readFileSync(file, "utf8")).toBe("[]");
});

test("questions are written with the plan and the goal that they are about", () => {
  using scripted = scriptedPlanning();
  writeQuestions(scripted.planning, [inquiry("a")]);
  const { planning, plan, goal } = scripted.planning.state;
  expect(JSON.parse(readFileSync(scripted.planning.paths.questions, "utf8"))).toEqual({
    ...{ planning, plan, goal },
    questions: [inquiry("a")],
  });
});
