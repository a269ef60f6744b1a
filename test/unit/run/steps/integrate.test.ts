import { expect, test } from "vitest";
import type { RunEvent } from "../../../../src/engine/events.ts";
import { taskOf } from "../../../../src/engine/state.ts";
import { integrateTask } from "../../../../src/run/steps/integrate.ts";
import { VerifyWorld } from "../../../rig/verify-world.ts";

const never = new AbortController().signal;

/** A task that was verified on the base, and a ref that is where the test says. */
async function verified(ref: string, contained: readonly string[] = []) {
  const world = new VerifyWorld({ a: { check: "a", files: ["a"] } }, { base: { a: ["red"] } });
  world.candidate("a");
  await world.verify("a", "base");
  const placed = taskOf(world.state, "a").attempt?.verified?.commit ?? "";
  const swaps: string[] = [];
  Object.assign(world.run.ports.repo, {
    swapTip: async (next: string, old: string) => {
      swaps.push(`${old} -> ${next}`);
      return ref === old ? "moved" : { actual: ref };
    },
    contains: async (tip: string, commit: string) => tip === ref && contained.includes(commit),
  });
  return { world, placed, swaps, since: (count: number) => world.events.slice(count) };
}

function types(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type);
}

test("the intent is journaled, the ref is compared and moved, and then the task has landed", async () => {
  const { world, placed, swaps, since } = await verified("base");
  const before = world.events.length;
  await integrateTask(world.run, "a", never);
  expect(since(before)).toEqual([
    { type: "integrating", task: "a", attempt: 1, old: "base", new: placed },
    { type: "task-integrated", task: "a", attempt: 1, commit: placed },
  ]);
  expect(swaps).toEqual([`base -> ${placed}`]);
  expect(world.landed).toEqual([placed]);
});

test("after a crash between the ref and the journal, the ref says that it landed, and the intent is not repeated", async () => {
  const { world, placed, since } = await verified("a later tip", ["placed a on base"]);
  world.add({ type: "integrating", task: "a", attempt: 1, old: "base", new: placed });
  const before = world.events.length;
  await integrateTask(world.run, "a", never);
  expect(types(since(before))).toEqual(["task-integrated"]);
});

test("a ref that another program moved parks the run and names where it is", async () => {
  const { world, since } = await verified("elsewhere");
  const before = world.events.length;
  await integrateTask(world.run, "a", never);
  expect(types(since(before))).toEqual(["integrating", "parked"]);
  expect(world.state.parked).toMatchObject({ reason: "moved", why: expect.stringContaining("elsewhere") as string });
});
