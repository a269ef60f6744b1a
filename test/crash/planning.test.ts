import { appendFileSync, existsSync, readFileSync, renameSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createReplanRig, drafts } from "../rig/replanning.ts";
import { asks, createPlanningRig, leavesPlan, planningEvents, planningFolder } from "../rig/planning.ts";
import { writes } from "../rig/moves.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";

const good: PlanSpec = { tasks: { "01-note": makes("note.txt") } };
const goOn = async (rig: Rig) => await rig.stint(["plan", "--continue", "--headless"]);
const taskFile = (rig: Rig) => join(rig.repo, "plans/write-a-note/tasks/01-note.md");

/** A planning session whose draft waits for a person. */
async function drafted(): Promise<Rig> {
  const rig = await createPlanningRig({ draft: leavesPlan(good) });
  expectCode(await rig.stint(["plan", "Write a note"]), 3);
  return rig;
}

test("What was saved in an editor before kill -9 is the draft when the planning session resumes.", async () => {
  await using rig = await drafted();
  appendFileSync(join(planningFolder(rig), "draft/tasks/01-note.md"), "Mind the gap.\n");
  expectCode(await goOn(rig), 0);
  expect(readFileSync(taskFile(rig), "utf8")).toContain("Mind the gap.");
});

test("kill -9 between the two renames of a draft loses neither the old nor the new one.", async () => {
  await using rig = await drafted();
  const kept = join(planningFolder(rig), "sessions/3.draft/draft");
  cpSync(kept, `${kept}.new`, { recursive: true });
  appendFileSync(join(`${kept}.new`, "tasks/01-note.md"), "Edited.\n");
  renameSync(kept, `${kept}.old`);
  const shown = join(planningFolder(rig), "draft");
  renameSync(shown, `${shown}.old`);
  expectCode(await goOn(rig), 0);
  expect(readFileSync(taskFile(rig), "utf8")).toContain("Edited.");
});

test("A draft folder of which only a part was written before kill -9 is nobody's edit.", async () => {
  await using rig = await drafted();
  const shown = join(planningFolder(rig), "draft");
  renameSync(shown, `${shown}.new`);
  expectCode(await goOn(rig), 0);
  expect(existsSync(taskFile(rig))).toBe(true);
});

test("A planning session with a torn tail can be resumed.", async () => {
  await using rig = await drafted();
  appendFileSync(join(planningFolder(rig), "journal.jsonl"), '{"seq":99,"ty');
  expectCode(await goOn(rig), 0);
  expect(existsSync(taskFile(rig))).toBe(true);
});

test("A planning session can be resumed although its base was amended away and collected.", async () => {
  await using rig = await createPlanningRig({
    interview: asks({ id: "a", question: "Which?", recommend: "b" }),
    draft: leavesPlan(good),
  });
  expectCode(await rig.stint(["plan", "Write a note"]), 3);
  writeFileSync(join(rig.repo, "README.md"), "Another base.\n");
  rig.git("add", "-A");
  rig.git("commit", "--amend", "-m", "Amended");
  rig.git("reflog", "expire", "--expire=now", "--all");
  rig.git("gc", "-q", "--prune=now");
  const went = await goOn(rig);
  expectCode(went, 0);
  expect(existsSync(taskFile(rig))).toBe(true);
});

test("kill -9 after a run has a person's revision: going on notes that, and revises nothing twice.", async () => {
  const [a, b] = [makes("a.txt"), makes("b.txt", { goal: "Another way.", depends: ["01-a"] })];
  await using rig = await createReplanRig({
    plan: { tasks: { "01-a": a, "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: {
      "01-a": [{ hold: "held" }, ...writes("a.txt")],
      "02-b": writes("b.txt"),
      draft: drafts({ tasks: { "01-a": a, "02-b": b } }),
      critique: [{ leave: "findings.json", text: "[]" }],
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("held");
  expectCode(await rig.stint(["plan", "--revise", "Another way", "work", "--headless"]), 0);
  const journal = join(planningFolder(rig), "journal.jsonl");
  const lines = readFileSync(journal, "utf8").split("\n").filter(Boolean);
  expect(planningEvents(rig).at(-1)?.type).toBe("handed-over");
  writeFileSync(journal, lines.slice(0, -1).join("\n") + "\n");
  const again = await goOn(rig);
  expectCode(again, 0);
  rig.release("held");
  expectCode(await run.ended, 0);
  expect(rig.events("plan-revised")).toHaveLength(1);
});
