import { expect, test } from "vitest";
import { createBell } from "../../../src/base/bell.ts";

test("a ring between looking and waiting is not missed", async () => {
  const bell = createBell();
  const seen = bell.count();
  bell.ring();
  await bell.after(seen);
  expect(bell.count()).toBe(seen + 1);
});

test("one ring wakes all who wait, and those who wait after it wait for the next", async () => {
  const bell = createBell();
  const woken: string[] = [];
  const waits = [bell.after(0).then(() => woken.push("first")), bell.after(0).then(() => woken.push("second"))];
  bell.ring();
  const late = bell.after(1).then(() => woken.push("late"));
  await Promise.all(waits);
  expect(woken).toEqual(["first", "second"]);
  bell.ring();
  await late;
  expect(woken).toEqual(["first", "second", "late"]);
});
