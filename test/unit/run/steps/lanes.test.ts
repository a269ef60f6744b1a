import { expect, test } from "vitest";
import { onLanes } from "../../../../src/run/steps/lanes.ts";

const never = new AbortController().signal;

test("every lane does the work at the same time, and the results come in the order of lanes", async () => {
  let [running, most] = [0, 0];
  const done = await onLanes(3, never, async (lane) => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn < 3 - lane; turn += 1) await Promise.resolve();
    running -= 1;
    return lane * 10;
  });
  expect([done, most]).toEqual([[0, 10, 20], 3]);
});

test("where there is nothing to do, no lane starts", async () => {
  expect(await onLanes(0, never, () => Promise.reject(new Error("started")))).toEqual([]);
});

test("when one lane fails the others are aborted, waited for, and the first failure is thrown", async () => {
  const ended: number[] = [];
  const work = async (lane: number, signal: AbortSignal) => {
    if (lane === 1) throw new Error("disk full");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    ended.push(lane);
    throw new Error("aborted");
  };
  await expect(onLanes(3, never, work)).rejects.toThrow("disk full");
  expect(ended).toEqual([0, 2]);
});

test("the caller's own signal reaches every lane", async () => {
  const abort = new AbortController();
  abort.abort();
  expect(await onLanes(2, abort.signal, async (_, signal) => signal.aborted)).toEqual([true, true]);
});
