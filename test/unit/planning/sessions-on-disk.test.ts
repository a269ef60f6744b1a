import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlanningEvent } from "../../../src/planning/machine/events.ts";
import {
  listPlanningSessions,
  lockPlanningSession,
  readPlanningSession,
  unfinishedPlanningSessions,
} from "../../../src/planning/sessions-on-disk.ts";
import { projectOf } from "../../rig/drafts.ts";
import { assessed, begun, drafted, inquiry, session } from "../../rig/planning-events.ts";
import { recordPlanning } from "../../rig/planning-on-disk.ts";
import { createRig } from "../../rig/rig.ts";

const mapped: PlanningEvent = { type: "mapped", files: 1, symbols: 1, tokens: 1 };
const started = (plan: string): PlanningEvent[] => [{ ...begun, plan, headless: false }, mapped];
const idOf = (plan: string, hour: number) => `20261116-${hour}0000-${plan}-abcd`;

test("unfinished planning sessions are listed oldest first, with what each waits for", async () => {
  await using rig = await createRig();
  const project = await projectOf(rig);
  const list = () => unfinishedPlanningSessions(project.paths);
  expect(list()).toEqual([]);
  const asking = session("interview", 1, { questions: [inquiry("a"), inquiry("b")] });
  const critique = session("critique", 2, { findings: [] });
  const ended: PlanningEvent = { type: "planning-ended", why: "rejected", words: "" };
  recordPlanning(project, idOf("asks", 12), [...started("asks"), ...asking]);
  recordPlanning(project, idOf("drafted", 11), [...started("drafted"), ...drafted(1), assessed(1), ...critique]);
  recordPlanning(project, idOf("stopped", 13), [{ ...begun, plan: "stopped", revises: { run: null, words: "" } }]);
  recordPlanning(project, idOf("over", 14), [...started("over"), ended]);

  expect(list()).toEqual([
    { plan: "drafted", revises: false, waits: "judgement", open: 0 },
    { plan: "asks", revises: false, waits: "answers", open: 2 },
    { plan: "stopped", revises: true, waits: "continue", open: 0 },
  ]);
  const lock = lockPlanningSession(project.paths, idOf("asks", 12), "test");
  if (!lock.ok) throw new Error(lock.failure.message);
  expect(list()[1]).toMatchObject({ plan: "asks", waits: "process" });
  lock.value.release();
});

test("sessions are listed by plan; one that died before its first event has no state, and a damaged one is a failure", async () => {
  await using rig = await createRig();
  const project = await projectOf(rig);
  const { paths } = project;
  recordPlanning(project, idOf("a", 11), []);
  recordPlanning(project, idOf("a-b", 12), started("a-b"));
  writeFileSync(join(paths.planningSessions, "notes.txt"), "");
  expect(listPlanningSessions(paths)).toEqual([idOf("a", 11), idOf("a-b", 12)]);
  expect(listPlanningSessions(paths, "a")).toEqual([idOf("a", 11)]);
  expect(readPlanningSession(paths, idOf("a", 11))).toEqual({
    ok: true,
    value: { id: idOf("a", 11), state: undefined },
  });
  expect(readPlanningSession(paths, idOf("none", 11))).toMatchObject({ ok: true, value: { state: undefined } });
  writeFileSync(join(paths.planningSessions, idOf("a-b", 12), "journal.jsonl"), "nonsense\nmore\n");
  expect(readPlanningSession(paths, idOf("a-b", 12))).toMatchObject({ ok: false });
});
