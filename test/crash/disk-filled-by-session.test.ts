import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { canMount, diskAt } from "../rig/small-disk.ts";

const fills = {
  "its bytes": "head -c 200000000 /dev/zero > big.bin",
  "its inodes": "i=0; while : > f$i; do i=$((i+1)); done 2>&1",
};

test.skipIf(!canMount).for(Object.entries(fills))(
  "An agent that takes all of the disk, %s, has spent its attempt: a full disk of its own making is no excuse.",
  async ([, shell]) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      config: { run: { attempts: 1 } },
      moves: { "01-a": { 1: [{ shell }], "*": writes("a.txt") } },
    });
    using workspaces = diskAt(join(rig.root, "state"), "size=160m,nr_inodes=4000");
    await rig.stint(["run", "--yes"]);
    expect(rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "crashed" } }]);

    workspaces.makeRoom();
    expectCode(await rig.stint(["resume"]), 3);
    expect(rig.events("agent-started")).toHaveLength(1);
    expect(rig.events("task-blocked")).toHaveLength(1);
  },
);

test.skipIf(!canMount)("A check that takes all of the disk is red, and stops nobody.", async () => {
  const check = "grep -q ready a.txt && head -c 200000000 /dev/zero > big.bin";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt") },
  });
  using workspaces = diskAt(join(rig.root, "state"), "size=160m,nr_inodes=4000");
  expect(workspaces).toBeDefined();
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.events("verdict")).toMatchObject([{ result: "failed", reason: "check" }]);
});
