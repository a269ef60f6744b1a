import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realClock, realMachine } from "../../../src/project/machine.ts";
import { tempDir } from "../../rig/git.ts";

const never = new AbortController().signal;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test("a wait until a time that has passed, or that is none, ends at once", async () => {
  await realClock.waitUntil("1970-01-01T00:00:00Z", never);
  await realClock.waitUntil("no time", never);
});

test("a wait ends when its signal aborts, before or during it, and throws nothing", async () => {
  await realClock.waitUntil(inAnHour(), AbortSignal.abort());
  const abort = new AbortController();
  const waiting = realClock.waitUntil(inAnHour(), abort.signal);
  abort.abort();
  await waiting;
});

test("a timer that was cancelled never calls back; one that was not does", async () => {
  const called: string[] = [];
  const cancel = realClock.after(0, () => called.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => void realClock.after(1, resolve));
  expect(called).toEqual([]);
});

test("the monotonic clock never goes back", () => {
  const before = realClock.elapsed();
  expect(realClock.elapsed()).toBeGreaterThanOrEqual(before);
});

test("a watch wakes at a change, and also where there is no folder to watch", async () => {
  const folder = tempDir();
  for (const watched of [folder, join(folder, "absent")]) {
    await new Promise<void>((resolve) => {
      const unwatch = realMachine.watch(watched, () => {
        unwatch();
        resolve();
      });
      writeFileSync(join(folder, "changed"), "");
    });
  }
});

test("names are never given twice", () => {
  expect(new Set(Array.from({ length: 100 }, realMachine.newId)).size).toBe(100);
});
