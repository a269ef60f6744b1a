import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { decide } from "../../../src/engine/decide.ts";
import { Meetings } from "../../../src/engine/meetings.ts";
import { addRank, noRanks, Ranked } from "../../../src/engine/ranked.ts";
import { meetingPlace, type Claims } from "../../../src/plan/claims.ts";
import { spec, World } from "../../rig/world.ts";

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

const names = fc.constantFrom("a", "A", "b", "ab", "a/b", "a/b/c", "a/bc", "a.b", "é", "e\u0301");
const claimed = fc.record({
  paths: fc.array(names, { maxLength: 3 }),
  folders: fc.array(
    fc.oneof(
      fc.constant(""),
      names.map((name) => `${name}/`),
    ),
    { maxLength: 2 },
  ),
});

test("whom a task may not work beside is found at once as it is by comparing it with each, also when it claims more", () => {
  fc.assert(
    fc.property(fc.array(claimed, { minLength: 2, maxLength: 80 }), fc.array(names, { maxLength: 2 }), (all, more) => {
      const tasks = new Map(all.map((claims, rank) => [`${rank}`, { rank, claims }]));
      const meetings = new Meetings(tasks);
      expectSame(meetings, tasks);
      const grown = { rank: 1, claims: { ...all[1]!, paths: [...all[1]!.paths, ...more] } };
      tasks.set("1", grown);
      meetings.grow("1", more);
      expectSame(meetings, tasks);
    }),
  );
});

function expectSame(meetings: Meetings, tasks: ReadonlyMap<string, { rank: number; claims: Claims }>) {
  const order = [...tasks.keys()];
  for (const [id, { claims }] of tasks) {
    const isApart = (other: string) => meetingPlace(claims, tasks.get(other)!.claims) === undefined;
    expect([...new Ranked(order, order).outside(meetings.of(id))]).toEqual(order.filter(isApart));
  }
}

test("ids come out in the order of their ranks, however they went in, and each once", () => {
  const ranked = new Ranked(["1", "2", "3", "4", "5"], ["5", "1", "3", "1"]);
  ranked.add("4");
  ranked.add("5");
  ranked.delete("3");
  ranked.delete("2");
  expect([...ranked]).toEqual(["1", "4", "5"]);
});

test("of many ids, those that are not barred come out, also where more are barred meanwhile", () => {
  const order = Array.from({ length: 100 }, (_, at) => `${at}`);
  const [ranked, barred] = [new Ranked(order, order), noRanks(100)];
  for (let rank = 0; rank < 100; rank += 1) if (rank % 3 !== 1) addRank(barred, rank);
  const seen: string[] = [];
  for (const id of ranked.outside(barred)) {
    seen.push(id);
    addRank(barred, Number(id) + 3);
  }
  expect(seen).toEqual(order.filter((id) => Number(id) % 6 === 1));
});
