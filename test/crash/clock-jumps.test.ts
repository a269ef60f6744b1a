import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { canFakeClock, fakeClock } from "../rig/fake-clock.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy, type Rig } from "../rig/rig.ts";

const config = { run: { attempts: 1 } };

/** Whether the clock of the events ever went back: else no jump was seen, and the test would prove nothing. */
function wentBack(rig: Rig): boolean {
  const times = rig.journal().map(({ at }) => Date.parse(String(at)));
  return times.some((time, at) => time < (times[at - 1] ?? time));
}

function expectSteadyOrder(rig: Rig): void {
  expect(rig.journal().map(({ seq }) => seq)).toEqual(rig.journal().map((_, at) => at + 1));
}

test.skipIf(!canFakeClock)(
  "A day forward, a day back, 1970 and 2040 within one run (needs faketime): no session and no check is ended, no lock is lost.",
  async () => {
    await using rig = await createRig({
      config,
      plan: (outside) => ({
        tasks: {
          "01-a": makes("a.txt", { checks: [`grep -q ready a.txt && ${heldBy("check", outside)}`] }),
          "02-b": makes("b.txt", { depends: ["01-a"] }),
        },
        checks: [`test -e b.txt && ${heldBy("final", outside)}`],
      }),
      moves: {
        "01-a": [{ hold: "first" }, ...writes("a.txt")],
        "02-b": [{ hold: "second" }, ...writes("b.txt")],
      },
    });
    const clock = fakeClock(rig);
    const run = rig.start(["run", "--yes"], clock);
    const jumps = { first: "+1d", check: "-1d", second: "@1970-01-02 00:00:00", final: "@2040-01-01 00:00:00" };
    for (const [hold, time] of Object.entries(jumps)) {
      await run.waitForHold(hold);
      clock.set(time);
      const refused = await rig.stint(["run"], clock);
      expectCode(refused, 1);
      expect(refused.stderr).toContain(`process ${run.pid} is already running plan work`);
      expectCode(await rig.stint(["status"], clock), 0);
      rig.release(hold);
    }
    expectCode(await run.ended, 0);

    const years = new Set(rig.journal().map(({ at }) => String(at).slice(0, 4)));
    expect([...years]).toEqual(expect.arrayContaining(["1970", "2040"]));
    expectSteadyOrder(rig);
    expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
    expect(rig.events("verdict")).toMatchObject([{ result: "passed" }, { result: "passed" }]);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  },
);

test.skipIf(!canFakeClock)(
  "A driver killed a day ahead is followed by one a day back (needs faketime): it is taken up, and paused and resumed.",
  async () => {
    await using rig = await createRig({
      config,
      plan: { tasks: { "01-a": makes("a.txt") } },
      moves: { "01-a": { 1: [{ hold: "never" }], 2: [{ hold: "go" }], "*": writes("a.txt") } },
    });
    const clock = fakeClock(rig);
    clock.set("+1d");
    const old = rig.start(["run", "--yes"], clock);
    await old.waitForHold("never");
    await old.kill("SIGKILL");

    clock.set("-1d");
    const young = rig.start(["resume"], clock);
    await young.waitForHold("go");
    for (const command of ["pause", "resume"]) expectCode(await rig.stint([command], clock), 0);
    expectCode(await young.ended, 0);
    expect(wentBack(rig)).toBe(true);
    expectSteadyOrder(rig);
    expect(rig.events("verdict")).toMatchObject([{ result: "passed" }]);
    expect(commitsOf(rig)).toEqual(["01-a"]);
  },
);

test.skipIf(!canFakeClock)(
  "A usage limit lasts until its time by the wall clock (needs faketime): a day ahead it is over, a day back it is not.",
  async () => {
    await using rig = await createRig({
      config,
      plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
      moves: {
        "01-a": { 1: [{ limit: 3600 }], "*": writes("a.txt") },
        "02-b": { 1: [{ hold: "back" }, { limit: 1 }], "*": writes("b.txt") },
      },
    });
    const clock = fakeClock(rig);
    clock.set("+1d");
    const run = rig.start(["run", "--yes"], clock);
    await run.waitForHold("back");
    clock.set("-1d");
    rig.release("back");
    await run.waitForEvent(
      "parked",
      ({ epoch, seq }) => epoch === 1 && seq > (rig.events("task-integrated")[0]?.seq ?? Infinity),
    );
    expect(await rig.status()).toMatchObject({ state: "waiting" });
    expectCode(await rig.stint(["stop"], clock), 0);
    expectCode(await run.ended, 130);

    clock.set("+1d");
    expectCode(await rig.stint(["resume"], clock), 0);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  },
);

test.skipIf(!canFakeClock)(
  "A run begun after the clock was set back is still the newest (needs faketime).",
  async () => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      moves: { "01-a": writes("a.txt") },
    });
    const clock = fakeClock(rig);
    clock.set("+1d");
    expectCode(await rig.stint(["run", "--yes"], clock), 0);
    const first = (await rig.status()).run;

    rig.write("other.txt", "A new base, on which the plan is run again.\n");
    rig.write("plans/work/scope.md", "# Scope\n\n## Understanding\n\nMore.\n\n## Goals\n\nOne.\n\n## Gaps\n\nNone.\n");
    rig.commit("Say more");
    clock.set("-1d");
    // The branch has the first run's work.
    expectCode(await rig.stint(["run", "--yes"], clock), 3);
    const second = (await rig.status()).run;
    expect(second).not.toBe(first);
    expect(second > first).toBe(true);
  },
);
