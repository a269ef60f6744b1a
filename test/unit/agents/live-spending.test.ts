import { expect, test } from "vitest";
import { spendingOf } from "../../../src/engine/spending.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { realClock } from "../../../src/project/machine.ts";
import { capSwitch, enforceCaps } from "../../../src/agents/live-spending.ts";
import { spec, World } from "../../rig/world.ts";

const spent = (usd: number) => spendingOf({ inputTokens: 1, outputTokens: 1, usd });

/** Two sessions in parallel, what they have spent, and what was said to each of them. */
function twoLive(state: RunState) {
  const stopped: string[] = [];
  const session = (task: string) => ({
    spending: spent(0),
    stop: (why: string) => void stopped.push(`${task}: ${why}`),
  });
  const [a, b] = [session("a"), session("b")];
  const spend = (ofA: number, ofB: number) => {
    [a.spending, b.spending] = [spent(ofA), spent(ofB)];
    enforceCaps(
      state,
      new Map([
        ["a", a],
        ["b", b],
      ]),
    );
  };
  return { spend, stopped };
}

test("when parallel sessions reach the cap of the run together, all of them are ended", () => {
  const { state } = new World([spec("a"), spec("b")], { parallel: 2, budgetUsd: 1 });
  const { spend, stopped } = twoLive(state);
  spend(0.5, 0.25);
  expect(stopped).toEqual([]);
  spend(0.5, 0.5);
  expect(stopped).toEqual(["a: 1.00 of 1.00 USD are spent", "b: 1.00 of 1.00 USD are spent"]);
});

test("a session at the cap of its task is ended alone", () => {
  const { state } = new World([spec("a"), spec("b")], { parallel: 2, budgetUsd: 10, taskUsd: 1 });
  const { spend, stopped } = twoLive(state);
  spend(0.9, 1);
  expect(stopped).toEqual(["b: 1.00 of 1.00 USD are spent, the cap per task"]);
});

test("a session that ends by itself right after the cap was reached was not ended by it", () => {
  const cap = capSwitch(realClock, () => true);
  cap.stop("enough");
  cap.disarm();
  cap.stop("more than enough");
  expect(cap.stopReason()).toBeUndefined();
  expect(cap.signal.aborted).toBe(false);
});

test("one that continues is stopped, with the first reason", async () => {
  const cap = capSwitch(realClock, () => true);
  const ended = new Promise((resolve) => {
    cap.signal.addEventListener("abort", resolve);
  });
  cap.stop("enough");
  cap.stop("more than enough");
  await ended;
  expect(cap.stopReason()).toBe("enough");
});

test("one whose cap was raised before it was stopped continues until it reaches the new cap", () => {
  let isCapped = true;
  let due = () => {};
  const clock = { ...realClock, after: (_: number, then: () => void) => ((due = then), () => {}) };
  const cap = capSwitch(clock, () => isCapped);
  cap.stop("enough");
  isCapped = false;
  due();
  expect([cap.signal.aborted, cap.stopReason()]).toEqual([false, undefined]);

  isCapped = true;
  cap.stop("enough again");
  due();
  expect([cap.signal.aborted, cap.stopReason()]).toEqual([true, "enough again"]);
});
