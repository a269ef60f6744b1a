import { mkdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driverOf, lockOrName, lockPlan, lockToDrive } from "../../../src/project/driver-lock.ts";
import { projectLimits } from "../../../src/project/limits.ts";
import { realMachine, type Machine } from "../../../src/project/machine.ts";
import { pathsOf } from "../../../src/project/paths.ts";
import { tempDir } from "../../rig/git.ts";

function emptyState() {
  const root = tempDir();
  const paths = pathsOf(root, { HOME: root });
  mkdirSync(paths.locks, { recursive: true });
  return paths;
}

/** A machine whose waits take no time; `onWait` sees how long each was meant to be. */
function machine(onWait: (ms: number) => void): Machine {
  let elapsed = 0;
  const clock: Machine["clock"] = {
    ...realMachine.clock,
    elapsed: () => elapsed,
    after: (ms, wake) => {
      elapsed += ms;
      onWait(ms);
      queueMicrotask(wake);
      return () => undefined;
    },
  };
  return { ...realMachine, clock };
}

test("one process drives a plan; a second one is refused and hears which it is, until the first lets go", async () => {
  const paths = emptyState();
  expect(driverOf(paths, "work")).toBeNull();
  const first = await lockToDrive(paths, "work");
  expect(first.ok).toBe(true);
  expect(driverOf(paths, "work")).toBe(process.pid);
  const second = await lockOrName(paths, "work");
  expect(second.ok ? "" : second.failure.message).toContain(`process ${process.pid} is already running plan work`);
  if (first.ok) first.value.release();
  const third = await lockOrName(paths, "work");
  expect(third.ok).toBe(true);
  if (third.ok) third.value.release();
});

test("plans are locked apart", async () => {
  const paths = emptyState();
  const locks = [await lockToDrive(paths, "a"), await lockToDrive(paths, "b")];
  expect(locks.map(({ ok }) => ok)).toEqual([true, true]);
  for (const lock of locks) if (lock.ok) lock.value.release();
});

test("a process that only delivers a command is no driver, and is waited for", async () => {
  const paths = emptyState();
  const sender = lockPlan(paths, { plan: "work", purpose: "stint brings a command to run r" });
  expect(driverOf(paths, "work")).toBeNull();
  let waits = 0;
  const release = () => {
    if ((waits += 1) === 3 && sender.ok) sender.value.release();
  };
  const lock = await lockToDrive(paths, "work", machine(release));
  expect(lock.ok).toBe(true);
  expect(waits).toBe(3);
  if (lock.ok) lock.value.release();
});

test("one that never lets go is waited for no longer than a sender may take", async () => {
  const paths = emptyState();
  const sender = lockPlan(paths, { plan: "work", purpose: "stint brings a command to run r" });
  let waited = 0;
  const lock = await lockToDrive(
    paths,
    "work",
    machine((ms) => (waited += ms)),
  );
  expect(lock).toMatchObject({ ok: false, failure: { reason: "held" } });
  expect(waited).toBe(projectLimits.commandWaitMs);
  if (sender.ok) sender.value.release();
});

test("a lock file that was removed under its driver does not let a second one in", async () => {
  const paths = emptyState();
  const first = await lockToDrive(paths, "work");
  unlinkSync(join(paths.locks, "work.lock"));
  const seesOther: Machine = { ...realMachine, locks: { ...realMachine.locks, holderOfRemoved: () => 4711 } };
  const second = lockPlan(paths, { plan: "work", purpose: "stint drives plan work" }, seesOther);
  expect(second.ok ? "" : second.failure.message).toContain("process 4711 still runs plan work");
  if (first.ok) first.value.release();
});
