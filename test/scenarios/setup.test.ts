import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { expectCode, pathsOf, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("The set-up command runs in workspaces and in the rooms of checks, and what it makes is not the agent's.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q lib vendor/lib.txt && grep -q ready a.txt"] }) } },
    config: { workspace: { setup: "mkdir -p vendor && echo lib > vendor/lib.txt" } },
    moves: { "01-a": [{ shell: "grep -q lib vendor/lib.txt" }, ...writes("a.txt")] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "passed", guards: [] }]);
  expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md"]);
});

test("A set-up that fails is broken, neither red nor green: 4 and no session.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { workspace: { setup: "echo no network here; exit 9" } },
    moves: { "01-a": writes("a.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  expect(sessionsOf(rig)).toEqual([]);
});

test("A set-up that fails for a reason outside the work costs no attempt: the run stops with 1, and resume verifies the same work.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { workspace: { setup: 'test ! -e "$DOWN"', env: ["DOWN"] }, run: { attempts: 1 } },
  });
  const env = { DOWN: `${rig.outside}/down` };
  rig.moves({ "01-a": [...writes("a.txt"), { shell: `touch ${rig.outside}/down` }] });

  const run = await rig.stint(["run", "--yes"], { env });
  expectCode(run, 1);
  expect(run.stderr).toContain(
    "It also fails without the work of 01-a. Fix that, then run `stint resume work#1`: the work is kept and verified again.\n",
  );
  expect(rig.events("verdict")).toEqual([]);

  rmSync(`${rig.outside}/down`);
  expectCode(await rig.stint(["resume"], { env }), 0);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
});

test("A set-up that the work itself breaks is the work's failure.", async () => {
  await using rig = await createRig({
    files: { "setup.sh": "exit 0\n" },
    plan: { tasks: { "01-a": makes("a.txt", { files: { create: ["a.txt"], modify: ["setup.sh"] } }) } },
    config: { workspace: { setup: "sh setup.sh" }, run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { write: "setup.sh", text: "exit 9\n" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "failed", reason: "check" }]);
});
