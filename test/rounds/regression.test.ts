import { expect, test } from "vitest";
import { commitsOf, expectCode, pathsOf, sessionsOf } from "../rig/facts.ts";
import type { Move } from "../rig/moves.ts";
import { writes } from "../rig/moves.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** 02-b breaks a check of 01-a through a file of its own that 01-a knows nothing of. */
const plan: PlanSpec = {
  tasks: {
    "01-a": makes("a.txt", { checks: ["grep -q ready a.txt && if test -e spoiler.txt; then echo spoilt; exit 1; fi"] }),
    "02-b": makes("b.txt", { files: { create: ["b.txt", "spoiler.txt"] } }),
    "03-c": makes("c.txt"),
    "04-d": makes("d.txt"),
  },
};
const spoils: readonly Move[] = [...writes("b.txt"), { write: "spoiler.txt", text: "" }];
const others = { "01-a": writes("a.txt"), "03-c": writes("c.txt"), "04-d": writes("d.txt") };

test("A regression that no task's own checks show is traced to its task, which is reopened and mends it.", async () => {
  await using rig = await createRig({
    plan,
    config: { run: { parallel: 2 } },
    moves: {
      ...others,
      "02-b": { 1: [{ hold: "landed" }, ...spoils], "*": [{ save: "second" }, { delete: "spoiler.txt" }] },
    },
  });

  const run = rig.start(["run", "--yes"]);
  await run.waitForEvent("task-integrated", (event) => event.task === "01-a");
  rig.release("landed");

  expectCode(await run.ended, 0);
  const [b] = rig.events("task-integrated", "02-b");
  expect(rig.events("bisected")).toMatchObject([{ regressions: [{ task: "02-b", commit: b?.["commit"] }] }]);
  expect(rig.events("task-reopened")).toMatchObject([{ task: "02-b" }]);
  expect(rig.events("final-verified")).toMatchObject([{ ok: false }, { ok: true }]);
  expect(commitsOf(rig).toSorted()).toEqual(["01-a", "02-b", "02-b", "03-c", "04-d"]);
  expect(commitsOf(rig).at(-1)).toBe("02-b");
  expect(pathsOf(rig, "stint/work")).toEqual(["spoiler.txt"]);
  expect(sessionsOf(rig)).toHaveLength(5);
  const { prompt } = rig.saved("second");
  expect(prompt).toContain("its commit made checks fail that passed before");
  expect(prompt).toContain("spoilt");
  expect(prompt).toContain("- delete: spoiler.txt");
});

test("A task that cannot fix what it broke leaves the run with 4, and the message names task and check.", async () => {
  await using rig = await createRig({
    plan,
    config: { run: { attempts: 1 } },
    moves: { ...others, "02-b": { 1: spoils, "*": [{ write: "b.txt", text: "ready again\n" }] } },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  expect(run.stdout).toMatch(
    /waiting \(final-red: not green on the final tip: grep -q ready a\.txt .*02-b could not fix it/,
  );
  expect(rig.events("parked")).toMatchObject([{ reason: "final-red" }]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "03-c", "04-d"]);

  rig.moves({ "02-b": [{ delete: "spoiler.txt" }] });
  expectCode(await rig.stint(["requeue", "02-b"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("bisected")).toHaveLength(1);
});
