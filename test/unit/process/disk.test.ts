import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defaultBounds } from "../../../src/process/bounds.ts";
import { beforeSession, watchDisk } from "../../../src/process/disk.ts";

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "disk-"));
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

test("what a session wrote is counted once space is short, also in folders below and in files it deleted", async () => {
  const deleted = path.join(folder, "deleted");
  const fd = fs.openSync(deleted, "w");
  fs.mkdirSync(path.join(folder, "below"));
  const found = await firstExcess({ diskBytesMax: 2_000_000 }, () => {
    fs.writeFileSync(path.join(folder, "below", "large"), Buffer.alloc(1_500_000, 1));
    fs.writeSync(fd, Buffer.alloc(1_500_000, 1));
    fs.rmSync(deleted);
  });
  fs.closeSync(fd);
  expect(found).toBe("more than 2 MB of disk");
});

test("a disk without files left is the session's doing only if it made half of them", async () => {
  const free = (ffree: number) => vi.spyOn(fs, "statfsSync").mockReturnValue({ ...roomy, ffree } as fs.StatsFs);
  free(1_000);
  const before = beforeSession([folder]);
  free(0);
  for (let count = 0; count < 499; count += 1) fs.writeFileSync(path.join(folder, String(count)), "");
  expect(await before.hasFilledDisk()).toBe(false);
  fs.writeFileSync(path.join(folder, "one more"), "");
  expect(await before.hasFilledDisk()).toBe(true);
});

const roomy = { bsize: 4096, bavail: 1e9, files: 1e6 };

/** Watches this process as the session, on a disk that reports no free space. */
async function firstExcess(bounds: { readonly diskBytesMax: number }, write: () => void): Promise<string> {
  vi.spyOn(fs, "statfsSync").mockReturnValue({ ...roomy, bavail: 0 } as fs.StatsFs);
  return new Promise((resolve) => {
    const watch = watchDisk([folder], { ...defaultBounds(), ...bounds }, resolve);
    write();
    watch.look([{ ...stat, pid: process.pid }]);
  });
}

const stat = {
  state: "S",
  parent: 1,
  group: 1,
  session: 1,
  cpuTicks: 0,
  startTime: "1",
  threads: 1,
  residentBytes: 0,
};
