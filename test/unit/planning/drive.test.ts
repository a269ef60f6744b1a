import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drivePlanning } from "../../../src/planning/drive.ts";
import type { DraftDecision } from "../../../src/planning/ports.ts";
import { begun, inquiry } from "../../rig/planning-events.ts";
import { scriptedPlanning } from "../../rig/planning-session.ts";

const draft = { "plan.md": "p", "tasks/01-a.md": "a" };
const paths = ["plans/work/plan.md", "plans/work/tasks/01-a.md"];

test("a headless planning session takes every step by itself, from the map to the plan", async () => {
  const left = { interview: { questions: [inquiry("a")] }, draft: { draft }, critique: { findings: [] } };
  using scripted = scriptedPlanning([begun], { left });
  const end = await drivePlanning(scripted.planning);
  expect(end).toEqual({ kind: "handed-over", paths, problems: [] });
  expect(scripted.events.map(({ type }) => type).join(" ")).toBe(
    "mapped session-started session-ended questions-answered session-started session-ended session-started session-ended draft-assessed session-started session-ended draft-judged handed-over",
  );
  expect(scripted.requests.map(({ phase, session, nth }) => `${session} ${phase} ${nth}`)).toEqual([
    "1 interview 1",
    "2 gaps 1",
    "3 draft 1",
    "4 critique 1",
  ]);
});

test("a person's planning session waits for answers in a file, then for a decision, and resumes from both", async () => {
  const left = { interview: { questions: [inquiry("a")], draft }, critique: { findings: [] } };
  const decisions: DraftDecision[] = [];
  const dialog = { ask: async () => null, review: async () => decisions.shift() ?? null };
  using scripted = scriptedPlanning([{ ...begun, headless: false }], { left, ports: { dialog } });
  const { planning } = scripted;
  expect(await drivePlanning(planning)).toEqual({ kind: "waits", for: "answers" });
  expect(JSON.parse(readFileSync(planning.paths.questions, "utf8"))).toMatchObject({ questions: [{ id: "a" }] });
  writeFileSync(planning.paths.answers, '{"a": "yes"}');
  expect(await drivePlanning(planning)).toEqual({ kind: "waits", for: "review" });
  expect(existsSync(planning.paths.questions)).toBe(false);
  expect(readFileSync(join(planning.paths.draft, "plan.md"), "utf8")).toBe("p");
  decisions.push({ word: "accept", words: "" });
  expect(await drivePlanning(planning)).toMatchObject({ kind: "handed-over", paths });
});

test("a planning session that is called off is interrupted; a fault of Stint's own is not hidden", async () => {
  using stopped = scriptedPlanning([begun], { signal: AbortSignal.abort() });
  expect(await drivePlanning(stopped.planning)).toEqual({ kind: "interrupted" });
  expect(stopped.events).toEqual([]);
  const map = async () => {
    throw new Error("no space left");
  };
  using faulty = scriptedPlanning([begun], { ports: { map } });
  await expect(drivePlanning(faulty.planning)).rejects.toThrow("no space left");
});
