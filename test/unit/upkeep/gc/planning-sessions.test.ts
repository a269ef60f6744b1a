import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlanningEvent } from "../../../../src/planning/machine/events.ts";
import { lockPlanningSession } from "../../../../src/planning/sessions-on-disk.ts";
import { planningPaths } from "../../../../src/project/paths.ts";
import { collectPlannings } from "../../../../src/upkeep/gc/planning-sessions.ts";
import { projectOf } from "../../../rig/drafts.ts";
import { begun, session } from "../../../rig/planning-events.ts";
import { recordPlanning } from "../../../rig/planning-on-disk.ts";
import { createRig } from "../../../rig/rig.ts";

const idOf = (name: string) => `20261116-100000-${name}-abcd`;

test("clones go unless a process works on their session, an agent's end is not recorded, or the journal is unreadable", async () => {
  await using rig = await createRig();
  const project = await projectOf(rig);
  const [opened] = session("interview", 1) as [PlanningEvent];
  const journals: Readonly<Record<string, readonly PlanningEvent[]>> = {
    damaged: [begun],
    driven: [begun],
    over: [begun, { type: "planning-ended", why: "failed", words: "" }],
    running: [begun, opened],
    waiting: [begun, ...session("interview", 1)],
  };
  const cloneOf = (name: string) => join(planningPaths(project.paths, idOf(name)).scratch, "1.interview");
  for (const [name, events] of Object.entries(journals)) {
    recordPlanning(project, idOf(name), events);
    mkdirSync(cloneOf(name), { recursive: true });
  }
  // Its journal is gone, so nothing can resume it.
  mkdirSync(cloneOf("stray"), { recursive: true });
  writeFileSync(planningPaths(project.paths, idOf("damaged")).journal, "nonsense\nmore\n");
  const lock = lockPlanningSession(project.paths, idOf("driven"), "test");
  const { signal } = new AbortController();
  const collect = async (dryRun: boolean) =>
    (await collectPlannings(project, { dryRun, signal })).map(({ planning, state, why }) => [
      planning.split("-")[2],
      state,
      why === null ? "goes" : "stays",
    ]);
  const expected = [
    ["damaged", "unreadable", "stays"],
    ["driven", "driven", "stays"],
    ["over", "over", "goes"],
    ["running", "open", "stays"],
    ["stray", "over", "goes"],
    ["waiting", "open", "goes"],
  ];
  const clones = () => [...Object.keys(journals), "stray"].filter((name) => existsSync(cloneOf(name))).toSorted();

  expect(await collect(true)).toEqual(expected);
  expect(clones()).toHaveLength(6);
  expect(await collect(false)).toEqual(expected);
  expect(clones()).toEqual(["damaged", "driven", "running"]);
  if (lock.ok) lock.value.release();
});
