import { expect, test } from "vitest";
import type { FilePort } from "../../../src/journal/file-port.ts";
import { newDisk, newProcess } from "../../sim/disk-rig.ts";
import type { Disk } from "../../sim/disk.ts";
import { Killed } from "../../sim/process.ts";

test("on a full disk a write is short or fails, nothing can be made, and what frees room works", () => {
  const results = new Set<string>();
  for (let seed = 0; seed < 50; seed += 1) {
    const { disk, files, fd } = diskWithFile(seed);
    disk.faults.full = true;
    results.add(outcome(() => (files.write(fd, Buffer.from("more")) < 4 ? "short" : "whole")));
    results.add(outcome(() => (files.fsync(fd), "fsync")));
    expect(outcome(() => files.open("/d/b", "create"))).toBe("ENOSPC: no space left on device, open '/d/b'");
    expect(outcome(() => files.open("/d/b", "append"))).toBe("ENOSPC: no space left on device, open '/d/b'");
    expect(outcome(() => files.mkdir("/d/e"))).toBe("ENOSPC: no space left on device, mkdir '/d/e'");
    files.ftruncate(fd, 1);
    files.rename("/d/a", "/d/b");
    files.unlink("/d/b");
  }
  const noRoom = "ENOSPC: no space left on device";
  expect(results).toEqual(new Set(["short", "fsync", `${noRoom}, write`, `${noRoom}, fsync`]));
});

test("each fault hits the calls it is about, and no others", () => {
  const calls: Record<string, (files: FilePort, fd: number) => unknown> = {
    write: (files, fd) => files.write(fd, Buffer.from("more")),
    fsync: (files, fd) => files.fsync(fd),
    fsyncDir: (files) => files.fsyncDir("/d"),
    read: (files, fd) => files.read(fd, Buffer.alloc(4), 0),
    readFile: (files) => files.readFile("/d/a"),
    readdir: (files) => files.readdir("/d"),
    rename: (files) => files.rename("/d/a", "/d/b"),
    unlink: (files) => files.unlink("/d/a"),
    mkdir: (files) => files.mkdir("/d/e"),
    "open of a new file": (files) => files.open("/d/n", "append"),
    "open of a file": (files) => files.open("/d/a", "append"),
    "stat, ftruncate and close": (files, fd) => (files.stat("/d/a"), files.ftruncate(fd, 1), files.close(fd)),
  };
  const hitBy = (fault: "failWrite" | "failFsync" | "failRead" | "failName") =>
    Object.keys(calls).filter((name) => {
      const { disk, files, fd } = diskWithFile(1);
      disk.faults[fault] = 1;
      return outcome(() => (calls[name]!(files, fd), "done")).startsWith("EIO: i/o error, ");
    });
  expect(hitBy("failWrite")).toEqual(["write"]);
  expect(hitBy("failFsync")).toEqual(["fsync", "fsyncDir"]);
  expect(hitBy("failRead")).toEqual(["read", "readFile", "readdir"]);
  expect(hitBy("failName")).toEqual(["rename", "unlink", "mkdir", "open of a new file"]);
});

test("a failed fsync is reported once to each who had the file open, and to nobody who opens it later", () => {
  const { disk, files, fd } = diskWithFile(1);
  const other = files.open("/d/a", "read");
  disk.faults.failFsync = 1;
  expect(outcome(() => files.fsync(fd))).toBe("EIO: i/o error, fsync");
  disk.faults.failFsync = 0;
  const later = files.open("/d/a", "read");
  const told = [fd, other, other, later].map((each) => outcome(() => (files.fsync(each), "done")));
  expect(told).toEqual(["done", "EIO: i/o error, fsync", "done", "done"]);
});

test("a write that kills its process leaves any prefix, which the next process sees", () => {
  const left = new Set<string>();
  for (let seed = 0; seed < 100; seed += 1) {
    const { disk, files, fd } = diskWithFile(seed);
    disk.faults.tornKill = 1;
    expect(() => files.write(fd, Buffer.from("more"))).toThrow(Killed);
    left.add(disk.files(newProcess("two")).readFile("/d/a").toString());
  }
  expect(left).toEqual(new Set(["text", "textm", "textmo", "textmor", "textmore"]));
});

test("a call that the process did not live to make has no effect", () => {
  const disk = newDisk(1, ["/d"]);
  const calls: string[] = [];
  const process = newProcess("one", (process, call) => {
    calls.push(call);
    if (call.startsWith("write")) process.kill();
  });
  const files = disk.files(process);
  const fd = files.open("/d/a", "create");
  expect(() => files.write(fd, Buffer.from("more"))).toThrow(Killed);
  expect(calls).toEqual(["open /d/a", "write /d/a"]);
  expect(disk.peek("/d/a")).toEqual(Buffer.alloc(0));
});

function diskWithFile(seed: number): { readonly disk: Disk; readonly files: FilePort; readonly fd: number } {
  const disk = newDisk(seed, ["/d"]);
  const files = disk.files(newProcess("one"));
  const fd = files.open("/d/a", "append");
  files.write(fd, Buffer.from("text"));
  return { disk, files, fd };
}

function outcome(call: () => unknown): string {
  try {
    return String(call());
  } catch (error) {
    return (error as Error).message;
  }
}
