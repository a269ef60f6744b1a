import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Meetings } from "../../../src/engine/meetings.ts";
import { Ranked } from "../../../src/engine/ranked.ts";
import { meetingPlace, type Claims } from "../../../src/plan/claims.ts";

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
