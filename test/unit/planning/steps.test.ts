import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail } from "../../../src/base/result.ts";
import { askQuestions, recordAnswers } from "../../../src/planning/steps/ask.ts";
import { assessDraftNow, assessedDraft } from "../../../src/planning/steps/assess.ts";
import { endPlanning } from "../../../src/planning/steps/end.ts";
import { handOverPlan } from "../../../src/planning/steps/hand-over.ts";
import { mapCode } from "../../../src/planning/steps/map.ts";
import { acceptUnseen, reviewDraft } from "../../../src/planning/steps/review.ts";
import { endSession, runSession } from "../../../src/planning/steps/session.ts";
import { assessed, begun, inquiry, session } from "../../rig/planning-events.ts";
import { process, scriptedPlanning, textsOf, type Left } from "../../rig/planning-session.ts";

const draft = { "plan.md": "---\ntitle: A\n---\n", "tasks/01-a.md": "a" };
const asked = [begun, ...session("interview", 1, { questions: [inquiry("a"), inquiry("b")] })];
const answer = (id: string) => ({ id, answer: "yes", assumed: false });

/** A planning session whose first session left a draft. */
async function withDraft(more: Parameters<typeof scriptedPlanning>[1] = {}) {
  const scripted = scriptedPlanning([begun], { ...more, left: { draft: { draft }, ...more.left } });
  await mapCode(scripted.planning);
  await runSession(scripted.planning, "draft");
  scripted.events.splice(0);
  return scripted;
}

test("the map is written once for all sessions, and its size is recorded", async () => {
  using scripted = scriptedPlanning();
  await mapCode(scripted.planning);
  expect(readFileSync(scripted.planning.paths.map, "utf8")).toBe("# Map");
  expect(scripted.events).toEqual([{ type: "mapped", files: 1, symbols: 2, tokens: 3 }]);
});

describe("questions", () => {
  test("an answer in the file is taken before anyone is asked", async () => {
    const ask = async () => {
      throw new Error("nobody should be asked");
    };
    using scripted = scriptedPlanning(asked, { ports: { dialog: { ask, review: async () => null } } });
    writeFileSync(scripted.planning.paths.answers, '{"a": "yes", "other": "no", "b": " "}');
    expect(await askQuestions(scripted.planning, [inquiry("a"), inquiry("b")])).toBeUndefined();
    expect(scripted.events).toEqual([{ type: "questions-answered", answers: [answer("a")] }]);
    expect(existsSync(scripted.planning.paths.questions)).toBe(true);
  });

  test("what the dialog answers is recorded as far as it was asked; without an answer the session waits", async () => {
    const dialog = { ask: async () => [answer("a"), answer("other")], review: async () => null };
    using scripted = scriptedPlanning(asked, { ports: { dialog } });
    expect(await askQuestions(scripted.planning, [inquiry("a")])).toBeUndefined();
    expect(scripted.events).toEqual([{ type: "questions-answered", answers: [answer("a")] }]);
    using silent = scriptedPlanning(asked);
    expect(await askQuestions(silent.planning, [inquiry("a")])).toEqual({ kind: "waits", for: "answers" });
  });

  test("answers that cannot be read stop the session, and nothing is recorded", async () => {
    using scripted = scriptedPlanning(asked);
    writeFileSync(scripted.planning.paths.answers, "[]");
    const end = await askQuestions(scripted.planning, [inquiry("a")]);
    expect(end).toMatchObject({ kind: "failed", why: expect.stringContaining("must be an object such as") as string });
    expect(scripted.events).toEqual([]);
  });

  test("the file of questions goes with the last open one", async () => {
    using scripted = scriptedPlanning(asked);
    writeFileSync(scripted.planning.paths.questions, "{}");
    await recordAnswers(scripted.planning, [answer("a")]);
    expect(existsSync(scripted.planning.paths.questions)).toBe(true);
    await recordAnswers(scripted.planning, [answer("b")]);
    expect(existsSync(scripted.planning.paths.questions)).toBe(false);
  });
});

describe("sessions", () => {
  test("the prompt, what the agent left and the draft are on the disk when the end is recorded", async () => {
    using scripted = scriptedPlanning([begun], { left: { draft: { draft, questions: [inquiry("a")] } } });
    const { planning } = scripted;
    await mapCode(planning);
    await runSession(planning, "draft");
    const { dir } = planning.paths.session(1, "draft");
    expect(readFileSync(join(dir, "prompt.md"), "utf8")).toContain("Show one behaviour");
    expect(JSON.parse(readFileSync(join(dir, "left/questions.json"), "utf8"))).toEqual([inquiry("a")]);
    expect(readFileSync(join(dir, "draft/tasks/01-a.md"), "utf8")).toBe("a");
    expect(scripted.events.slice(1)).toMatchObject([
      { type: "session-started", session: 1, process },
      { type: "session-ended", hasDraft: true, hasScope: false, questions: [{ id: "a" }] },
    ]);
  });

  test.each<[string, Left, boolean]>([
    ["a draft of a session that crashed", { draft, outcome: { kind: "crashed", detail: "x" } }, false],
    ["a scope alone", { draft: { "scope.md": "s" } }, true],
    ["rules alone", { rules: Buffer.from("r") }, false],
  ])("the documents become the current ones only after success: %s", async (_, left, isKept) => {
    using scripted = scriptedPlanning([begun], { left: { gaps: left } });
    await mapCode(scripted.planning);
    await runSession(scripted.planning, "gaps");
    expect(existsSync(join(scripted.planning.paths.session(1, "gaps").dir, "draft"))).toBe(isKept);
  });

  test("a critique's plan is ignored with a remark, and so are its questions", async () => {
    using scripted = await withDraft({ left: { critique: { draft, questions: [inquiry("a")], findings: [] } } });
    await runSession(scripted.planning, "critique");
    expect(scripted.events.at(-1)).toMatchObject({
      ...{ hasDraft: false, questions: [], findings: [] },
      problems: ["a critique leaves findings; its plan is ignored"],
    });
  });

  test("an interrupted session ends the drive, and one that a dead process recorded is recorded as interrupted", async () => {
    const outcome = { kind: "interrupted", detail: "" } as const;
    using scripted = scriptedPlanning([begun], { left: { interview: { outcome } } });
    await mapCode(scripted.planning);
    expect(await runSession(scripted.planning, "interview")).toEqual({ kind: "interrupted" });
    const open = { type: "session-started", phase: "gaps", session: 2, process, marker: "m" } as const;
    await endSession(scripted.planning, open);
    expect(scripted.events.at(-1)).toMatchObject({
      type: "session-ended",
      session: 2,
      outcome: { kind: "interrupted" },
    });
  });
});

describe("drafts", () => {
  test("a draft is assessed once by each process, and shown where people find it", async () => {
    using scripted = await withDraft();
    const { planning } = scripted;
    await assessDraftNow(planning);
    expect(scripted.events).toEqual([assessed(1)]);
    expect(readFileSync(join(planning.paths.draft, "tasks/01-a.md"), "utf8")).toBe("a");
    expect(await assessedDraft(planning)).toBe(planning.assessed?.draft);
  });

  test("an edit that a dead process did not notice becomes the draft", async () => {
    using scripted = await withDraft();
    const { planning } = scripted;
    await assessDraftNow(planning);
    writeFileSync(join(planning.paths.draft, "tasks/01-a.md"), "mine");
    planning.assessed = null;
    const { documents } = await assessedDraft(planning);
    expect(textsOf(documents)["plans/work/tasks/01-a.md"]).toBe("mine");
  });

  test("a person's edit is taken with the decisions in it, and assessed again", async () => {
    const decision = { word: "edit", words: "+ mine" } as const;
    const review = async () => {
      const file = join(planning.paths.draft, "plan.md");
      writeFileSync(file, "---\ntitle: A\ndecisions:\n  - { id: a, question: Q, answer: x }\n---\n");
      return decision;
    };
    using scripted = await withDraft({ ports: { dialog: { ask: async () => null, review } } });
    const { planning } = scripted;
    await assessDraftNow(planning);
    expect(await reviewDraft(planning, false)).toBeUndefined();
    expect(scripted.events.at(-1)).toMatchObject({ ...decision, decided: [{ id: "a", answer: "x", assumed: false }] });
    expect(planning.assessed).toBeNull();
  });

  test("without a person who decides now the draft waits; a headless one is accepted as it is", async () => {
    using scripted = await withDraft();
    expect(await reviewDraft(scripted.planning, false)).toEqual({ kind: "waits", for: "review" });
    expect(scripted.events).toEqual([]);
    acceptUnseen(scripted.planning);
    expect(scripted.events).toEqual([{ type: "draft-judged", word: "accept", words: "" }]);
  });

  test("a plan that cannot be handed over ends this drive with the reason, which is recorded", async () => {
    using scripted = await withDraft({ ports: { handOver: async () => fail("exists", "plans/work is there") } });
    const why = "plans/work is there";
    expect(await handOverPlan(scripted.planning)).toEqual({ kind: "failed", why, outcome: null });
    expect(scripted.events).toEqual([{ type: "hand-over-refused", why }]);
  });
});

test("an end is recorded once, and a stop that can be resumed is not recorded as an end", () => {
  using scripted = scriptedPlanning();
  const { planning, events } = scripted;
  const outcome = { kind: "limit", until: null } as const;
  expect(endPlanning(planning, { kind: "halted", why: "later", outcome })).toMatchObject({ why: "later", outcome });
  expect(events).toEqual([]);
  const failed = { kind: "failed", words: "used up" } as const;
  expect(endPlanning(planning, failed)).toEqual({ kind: "failed", why: "used up", outcome: null });
  expect(endPlanning(planning, failed)).toEqual({ kind: "failed", why: "used up", outcome: null });
  expect(events).toEqual([{ type: "planning-ended", why: "failed", words: "used up" }]);
});
