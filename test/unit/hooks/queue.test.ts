import { expect, test } from "vitest";
import { messageOf } from "../../../src/hooks/message.ts";
import { openQueue } from "../../../src/hooks/queue.ts";
import { hooksLimits } from "../../../src/hooks/limits.ts";
import { integrated, run } from "../../rig/hooked.ts";

test("of too many that wait the oldest are dropped, and that is told", async () => {
  let free: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (free = resolve));
  const [arrived, dropped]: [number[], number[]] = [[], []];
  const queue = openQueue({
    prepare: async () => await held,
    deliver: async () => ({ kind: "delivered" }),
    backoffMs: [],
    failedOnce: () => undefined,
    settled: ({ seq }) => void arrived.push(seq),
    dropped: ({ seq }) => void dropped.push(seq),
  });
  for (let seq = 1; seq <= hooksLimits.hookQueueMax + 2; seq += 1)
    queue.add(messageOf(integrated(seq), { run, plan: "work", name: "task-integrated" }));
  free?.();
  await queue.idle();

  expect(dropped).toEqual([1, 2]);
  expect(arrived).toHaveLength(hooksLimits.hookQueueMax);
  expect([arrived[0], arrived.at(-1)]).toEqual([3, hooksLimits.hookQueueMax + 2]);
});
