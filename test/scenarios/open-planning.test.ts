import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { createPlanningRig, leavesPlan, planningEvents, planningFolder } from "../rig/planning.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";

const good: PlanSpec = { tasks: { "01-note": makes("note.txt") } };
const begin = (rig: Rig) => rig.start(["plan", "Write a note", "--headless"]);
const resume = async (rig: Rig) => await rig.stint(["plan", "--continue", "--headless"]);
const ends = (rig: Rig) =>
  planningEvents(rig, "session-ended").map(({ session, phase, outcome }) => [
    session,
    phase,
    (outcome as { kind: string }).kind,
  ]);

const settingsOf = (rig: Rig) => readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8");

/** Where the clones of the newest planning are. */
function clonesOf(rig: Rig): string {
  const state = join(rig.root, "state", "stint");
  const [key = ""] = readdirSync(state).filter((name) => name !== "homes");
  return join(state, key, "plannings", planningFolder(rig).split("/").at(-1) ?? "");
}

test("After kill -9 in a session the planning session can be resumed: the old agent is ended before another starts, and nothing is lost.", async () => {
  await using rig = await createPlanningRig({
    draft: { 1: [{ daemon: "orphan" }, { hold: "held" }], "*": leavesPlan(good) },
  });
  const running = begin(rig);
  await running.waitForHold("held");
  await running.kill("SIGKILL");
  expect(planningEvents(rig).at(-1)).toMatchObject({ type: "session-started", phase: "draft", session: 3 });
  const before = planningEvents(rig);

  expectCode(await resume(rig), 0);

  const after = planningEvents(rig);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(ends(rig)).toEqual([
    [1, "interview", "ok"],
    [2, "gaps", "ok"],
    [3, "draft", "interrupted"],
    [4, "draft", "ok"],
    [5, "critique", "ok"],
  ]);
  const settled = after.findIndex(({ type, session }) => type === "session-ended" && session === 3);
  const next = after.findIndex(({ type, session }) => type === "session-started" && session === 4);
  expect(settled).toBeGreaterThan(-1);
  expect(settled).toBeLessThan(next);
  expect(rig.processes()).toEqual([]);
  expect(existsSync(join(rig.repo, "plans/write-a-note/plan.md"))).toBe(true);
});

test("A second process is not let into a planning session that is running, and gc leaves its clone alone.", async () => {
  await using rig = await createPlanningRig({ draft: [{ hold: "held" }, ...leavesPlan(good)] });
  const running = begin(rig);
  await running.waitForHold("held");
  const second = await resume(rig);
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain("locked");
  expect((await rig.stint(["gc"])).stdout).toMatch(/planning session \S+: skipped: in progress/);
  expect(existsSync(join(clonesOf(rig), "3.draft", "tree"))).toBe(true);
  rig.release("held");
  expectCode(await running.ended, 0);
});

test("Ctrl-C ends the session, which does not count, and the planning session can be resumed.", async () => {
  await using rig = await createPlanningRig({ gaps: { 1: [{ hold: "held" }], "*": [] }, draft: leavesPlan(good) });
  const running = begin(rig);
  await running.waitForHold("held");
  const ended = await running.kill("SIGINT");
  expect(ended.code).toBe(130);
  expect(ends(rig).at(-1)).toEqual([2, "gaps", "interrupted"]);
  expectCode(await resume(rig), 0);
  expect(rig.processes()).toEqual([]);
});

test("gc removes the clones of a planning session that is over, and those of a session without a recorded end stay.", async () => {
  await using rig = await createPlanningRig({ interview: { 1: [{ hold: "held" }], "*": [] }, draft: leavesPlan(good) });
  const running = begin(rig);
  await running.waitForHold("held");
  await running.kill("SIGKILL");
  const clones = clonesOf(rig);
  expect((await rig.stint(["gc"])).stdout).toContain(
    "a session is not finished; `stint plan --continue write-a-note` ends it",
  );
  expect(existsSync(join(clones, "1.interview", "tree"))).toBe(true);

  expectCode(await resume(rig), 0);
  mkdirSync(join(clones, "9.draft"), { recursive: true });
  writeFileSync(join(clones, "9.draft", "left"), "x");
  expect((await rig.stint(["gc", "--dry-run"])).stdout).toMatch(/planning session \S+: over; clones .*, would free/);
  expect(existsSync(clones)).toBe(true);
  expectCode(await rig.stint(["gc"]), 0);
  expect([existsSync(clones), existsSync(dirname(clones))]).toEqual([false, true]);
  expect(existsSync(planningFolder(rig))).toBe(true);
});

test("A planning session that is over cannot be resumed, and there must be one to resume.", async () => {
  await using rig = await createPlanningRig({ draft: leavesPlan(good) });
  const none = await resume(rig);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no unfinished planning session")]);
  expectCode(await begin(rig).ended, 0);
  const over = await rig.stint(["plan", "--continue", "write-a-note", "--headless"]);
  expect([over.code, over.stderr]).toEqual([
    2,
    expect.stringContaining("no unfinished planning session of write-a-note"),
  ]);
});

test("A planning session ends with 5 where the budget of the settings is used up, and resumes when a commit raises it; below it nothing is printed.", async () => {
  const spends = [{ usage: { usd: 0.6 } }];
  await using rig = await createPlanningRig(
    { interview: spends, gaps: spends, draft: [...spends, ...leavesPlan(good)] },
    { config: { budget: { usd: 1 } } },
  );

  const first = await rig.stint(["plan", "Write a note", "--headless"]);

  expect(first.code).toBe(5);
  expect(first.stderr).toContain("1.20 of 1.00 USD are spent");
  expect(ends(rig)).toEqual([
    [1, "interview", "ok"],
    [2, "gaps", "ok"],
    [3, "draft", "budget"],
  ]);
  rig.write(".stint/config.yaml", settingsOf(rig).replace("usd: 1", "usd: 5"));
  rig.git("commit", "-qam", "Raise the budget");
  expectCode(await resume(rig), 0);
  expect(existsSync(join(rig.repo, "plans/write-a-note/plan.md"))).toBe(true);
});

test("A commit fixes settings that were wrong when a planning session started.", async () => {
  const setup = { workspace: { setup: "exit 7" } };
  await using rig = await createPlanningRig({ draft: leavesPlan(good) }, { config: setup });
  expect((await rig.stint(["plan", "Write a note", "--headless"])).code).toBe(3);
  rig.write(".stint/config.yaml", settingsOf(rig).replace("exit 7", "exit 0"));
  rig.git("commit", "-qam", "Fix the set-up");

  expectCode(await resume(rig), 0);
});
