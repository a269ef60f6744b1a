import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { createRig } from "../rig/rig.ts";

const add = ["do", "Add a.txt", "--check", "grep -q ready a.txt"] as const;

test.each([["resume"], add])(
  "kill -9 while the agent of do works, then gc by the user: `stint %s` goes on with the same run.",
  async (...args) => {
    await using rig = await createRig({
      config: { run: { attempts: 1 } },
      moves: { do: { 1: [{ write: "a.txt", text: "half\n" }, { hold: "never" }], "*": writes("a.txt") } },
    });
    rig.write("untracked.txt", "mine\n");
    const before = rig.fingerprint();
    const run = rig.start(add);
    await run.waitForHold("never");
    expectCode(await run.kill("SIGKILL"), null);
    // No ref of the user's holds the work; those of Stint must.
    rig.git("reflog", "expire", "--expire=now", "--all");
    rig.git("gc", "--quiet", "--prune=now");
    const { run: id } = await rig.status();

    expectCode(await rig.stint(args), 0);

    const { run: same, plan } = await rig.status();
    expect(same).toBe(id);
    expect(sessionsOf(rig)).toEqual(["do 1", "do 2"]);
    expect(commitsOf(rig, `stint/${plan}`)).toEqual(["do"]);
    expect(rig.fingerprint()).toEqual(before);
    expect(rig.processes()).toEqual([]);
  },
);

test.each(["plan-approved", "verdict", "integrating", "run-finished"])(
  "kill -9 as soon as %s is in the journal of do: typed again, it is done once.",
  async (type) => {
    await using rig = await createRig({ config: { run: { attempts: 1 } }, moves: { do: writes("a.txt") } });
    const run = rig.start(add);
    await run.waitForEvent(type);
    await run.kill("SIGKILL");

    expectCode(await rig.stint(add), 0);

    const { plan } = await rig.status();
    expect(commitsOf(rig, `stint/${plan}`)).toEqual(["do"]);
    expect(rig.events("run-finished")).toHaveLength(1);
  },
);

test("Two at once of the same do: one drives, the other says so and ends with 1.", async () => {
  await using rig = await createRig({ moves: { do: [{ hold: "first" }, ...writes("a.txt")] } });
  const first = rig.start(add);
  await first.waitForHold("first");

  const second = await rig.stint(add);
  expectCode(second, 1);
  expect(second.stderr).toContain(String(first.pid));

  rig.release("first");
  expectCode(await first.ended, 0);
  expect(sessionsOf(rig)).toEqual(["do 1"]);
});
