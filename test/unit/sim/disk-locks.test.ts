import { localStamp } from "../../../src/base/local-time.ts";
import { beforeEach, expect, test } from "vitest";
import { acquireLock, lockHolder, type LockPort } from "../../../src/journal/lock.ts";
import { newDisk, newProcess } from "../../sim/disk-rig.ts";
import type { Disk } from "../../sim/disk.ts";
import type { SimProcess } from "../../sim/process.ts";

const path = "/d/run.lock";
const since = "2026-11-15T22:00:00.000Z";

let disk: Disk;
let one: SimProcess;
let two: SimProcess;

beforeEach(() => {
  disk = newDisk(1, ["/d"]);
  [one, two] = [newProcess("one"), newProcess("two")];
});

test("the second to lock is told who holds it, until the first lets go", () => {
  const first = acquire(disk.locks(one));
  const why = `by process 211 on sim since ${localStamp(since)}: test. Wait for it, or stop it.`;
  expect(acquire(disk.locks(two))).toEqual({
    ok: false,
    failure: { reason: "held", message: `${path} is locked ${why}` },
  });
  if (first.ok) first.value.release();
  expect(acquire(disk.locks(two)).ok).toBe(true);
});

test("a process holds its lock against itself, since the lock is that of an open file", () => {
  const locks = disk.locks(one);
  const fds = [locks.files.open(path, "append"), locks.files.open(path, "append")] as const;
  expect(fds.map((fd) => locks.flock(fd))).toEqual(["locked", "held"]);
  expect(locks.flock(fds[0])).toBe("locked");
  locks.files.close(fds[1]);
  expect(acquire(disk.locks(two)).ok).toBe(false);
  locks.files.close(fds[0]);
  expect(acquire(disk.locks(two)).ok).toBe(true);
});

test("a kill frees the lock, and its text names nobody any more", () => {
  acquire(disk.locks(one));
  expect(lockHolder(path, disk.locks(two))?.pid).toBe(211);
  one.kill();
  expect(lockHolder(path, disk.locks(two))).toBeUndefined();
  expect(acquire(disk.locks(two)).ok).toBe(true);
});

test("a process that is only stopped keeps its lock", () => {
  acquire(disk.locks(one));
  one.stop();
  expect(acquire(disk.locks(two)).ok).toBe(false);
  one.go();
  expect(acquire(disk.locks(two)).ok).toBe(false);
});

test("a lock is that of the file and not of its name", () => {
  acquire(disk.locks(one));
  disk.remove(path);
  expect(acquire(disk.locks(two)).ok).toBe(true);
});

test("power loss frees every lock", () => {
  acquire(disk.locks(one));
  disk.files(one).fsyncDir("/d");
  disk.powerLoss();
  expect(disk.list("/d")).toEqual(["run.lock"]);
  expect(acquire(disk.locks(two)).ok).toBe(true);
});

function acquire(locks: LockPort) {
  return acquireLock(path, { purpose: "test" }, locks);
}
