import { expect, test, vi } from "vitest";
import { decide } from "../../../src/engine/decide.ts";
import type { Claims } from "../../../src/plan/claims.ts";
import { spec, World, honest } from "../../rig/world.ts";
import { floorMs } from "../../bench/floor.ts";
import { laneCounts, makespanShapes, seeded, timedPlan, type TimedTask } from "../../bench/makespan-plans.ts";
import { assumedOwnTime, playPlan, stepsOf } from "../../bench/makespan-work.ts";
import { noOwnTime } from "../../rig/timed-world.ts";

test("among ten thousand ready tasks, deciding looks at those it starts and no others", () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) => ({
    ...spec(`t${at}`),
    claims: { paths: [`${at}`], folders: [] },
  }));
  const world = new World(tasks, { parallel: 8 });
  const looks = vi.spyOn(world.state.tasks as Map<string, unknown>, "get");
  const due = decide(world.state);
  expect(due).toMatchObject(Array.from({ length: 8 }, (_, at) => ({ event: { task: `t${at}` } })));
  expect(looks.mock.calls.length).toBeLessThan(100);
});

test("among ten thousand ready tasks that all change one file, deciding looks at none while one is under way", () => {
  const claims = (at: number): Claims => ({ paths: ["shared", `${at}`], folders: [] });
  const tasks = Array.from({ length: 10_000 }, (_, at) => ({ ...spec(`t${at}`), claims: claims(at) }));
  const apart = { ...spec("apart"), claims: { paths: ["apart"], folders: [] } };
  const world = new World([...tasks, apart], { parallel: 8 });
  world.add({ type: "attempt-started", task: "t0", attempt: 1, base: "base", role: "executor" });
  const looks = vi.spyOn(world.state.tasks as Map<string, unknown>, "get");
  expect(decide(world.state)).toMatchObject([{ type: "baseline", task: "t0" }, { event: { task: "apart" } }]);
  expect(looks.mock.calls.length).toBeLessThan(100);
});

test("the attempts after escalate_after use the escalation role", () => {
  const world = new World([spec("bad")]);
  world.go(honest(() => ({ kind: "timeout", detail: "" })));
  const roles = world.events.flatMap((event) => (event.type === "attempt-started" ? [event.role] : []));
  expect(roles).toEqual(["executor", "executor", "escalation"]);
});

/** Up to 26 tasks of 1 to 21 seconds, and any number of dependencies on earlier ones. */
function anyPlan(seed: number): TimedTask[] {
  const random = seeded(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const most = pick(4);
  return Array.from({ length: 2 + pick(25) }, (_, at) => {
    const depends = at === 0 ? [] : Array.from({ length: pick(most + 1) }, () => `t${pick(at)}`);
    return { id: `t${at}`, depends: [...new Set(depends)], ms: 1_000 + pick(20_000) };
  });
}

test("more lanes are never slower than fewer in any plan that the makespan is measured with", () => {
  const kinds = ["work", "checks"] as const;
  const owns = [noOwnTime, assumedOwnTime];
  for (const shape of makespanShapes) {
    const tasks = timedPlan(shape, { seed: 1, leastMs: 10_000 });
    for (const options of kinds.flatMap((kind) => owns.map((own) => ({ kind, own })))) {
      const took = laneCounts.map((lanes) => playPlan(tasks, { ...options, lanes }));
      expect(took, `${shape} ${options.kind}`).toEqual(took.toSorted((a, b) => b - a));
    }
  }
});

// A list schedule can take longer on more lanes (Graham 1969), so nobody can promise that it never does.
test("more lanes make no plan slower than Graham's bound, and hardly any of two hundred slower at all", () => {
  let slower = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const tasks = anyPlan(seed);
    const steps = stepsOf(tasks, "work");
    const [work, path] = [floorMs(steps, { lanes: 1, final: [] }), floorMs(steps, { lanes: Infinity, final: [] })];
    const took = laneCounts.map((lanes) => playPlan(tasks, { kind: "work", lanes, own: noOwnTime }));
    for (const [at, lanes] of laneCounts.entries()) {
      expect(took[at]).toBeLessThanOrEqual(work / lanes + (1 - 1 / lanes) * path + 1);
      const fewer = Math.min(...took.slice(0, at));
      if (took[at]! > fewer) slower += 1;
      expect(took[at]).toBeLessThanOrEqual(fewer * 1.1);
    }
  }
  expect(slower).toBeLessThanOrEqual(4);
});
