import { expect, test } from "vitest";
import { messageOf, type Message } from "../../../src/hooks/message.ts";
import { openQueue, type Outcome } from "../../../src/hooks/queue.ts";
import { hooksLimits } from "../../../src/hooks/limits.ts";
import { integrated, run } from "../../rig/hooked.ts";

test("of too many that wait the oldest are dropped, and that is reported", async () => {
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

/** Delivers with these outcomes, one for each try, and returns what was called with what. */
async function delivered(count: number, outcomes: readonly (Outcome | Error)[]): Promise<string[]> {
  const calls: string[] = [];
  let tries = 0;
  const queue = openQueue({
    prepare: async () => calls.push("prepared"),
    deliver: async ({ seq }: Message) => {
      const outcome = outcomes[tries++] ?? { kind: "delivered" };
      calls.push(`try ${seq}`);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    backoffMs: [0, 0],
    failedOnce: ({ seq }, why) => void calls.push(`${seq} again: ${why}`),
    settled: ({ seq }, outcome) => void calls.push(`${seq} ${outcome.kind === "failed" ? outcome.why : outcome.kind}`),
    dropped: ({ seq }) => void calls.push(`dropped ${seq}`),
  });
  for (let seq = 1; seq <= count; seq += 1)
    queue.add(messageOf(integrated(seq), { run, plan: "work", name: "task-integrated" }));
  await queue.idle();
  calls.push(`left ${queue.left()}`);
  return calls;
}

test("a failure that may pass is retried before the next message, and given up after the last wait", async () => {
  const failed: Outcome = { kind: "failed", why: "busy", again: true };
  expect(await delivered(2, [failed, failed, failed])).toEqual([
    "prepared",
    ...["try 1", "1 again: busy", "try 1", "1 again: busy", "try 1", "1 busy"],
    ...["try 2", "2 delivered", "left 0"],
  ]);
});

test("a failure that stays is not retried, and a bug in delivering is a failure", async () => {
  const failed: Outcome = { kind: "failed", why: "refused", again: false };
  expect(await delivered(2, [failed, new Error("bug")])).toEqual([
    ...["prepared", "try 1", "1 refused", "try 2", "2 bug", "left 0"],
  ]);
});

test("what was aborted, and what waits behind it, is left for the next driver", async () => {
  expect(await delivered(2, [{ kind: "aborted" }])).toEqual(["prepared", "try 1", "left 2"]);
});
