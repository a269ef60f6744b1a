import { expect, test } from "vitest";
import type { FilePort } from "../../../src/journal/file-port.ts";
import { newDisk, newProcess } from "../../sim/disk-rig.ts";
import type { Disk } from "../../sim/disk.ts";
import { sectorBytes } from "../../sim/file-bytes.ts";

const old = "o".repeat(700);
const added = "n".repeat(1500);

test("what was synced, and whose name was synced, is always there", () => {
  const left = after((files) => {
    write(files, "/d/a", old);
    files.fsyncDir("/d");
  });
  expect(left).toEqual(new Set([`a=${show(old)}`]));
});

test("of what was appended since, nothing, all, a part, or zeros for whole sectors are there", () => {
  const left = [...textsAfter((files) => append(files, "/d/a", added), old)];
  for (const text of left) {
    expect(text.slice(0, 700)).toBe(old);
    expect(wrongBytes(text, old + added)).toEqual([]);
  }
  const rest = left.map((text) => text.slice(700));
  expect(rest.some((text) => text === "")).toBe(true);
  expect(rest.some((text) => text === added)).toBe(true);
  expect(rest.some((text) => text !== "" && text !== added && added.startsWith(text))).toBe(true);
  expect(rest.some((text) => text.length === 1500 && text.endsWith("\0"))).toBe(true);
  expect(rest.some((text) => text.length === 1500 && text.startsWith("\0") && text.endsWith("n"))).toBe(true);
});

test("a file whose name alone was synced has any of these contents", () => {
  const left = textsAfter((files) => append(files, "/d/a", added), "");
  for (const text of left) expect(wrongBytes(text, added)).toEqual([]);
  expect(left).toContain("");
  expect(left).toContain(added);
  expect(left).toContain("\0".repeat(1500));
});

test("syncing a file does not sync its name", () => {
  const left = after((files) => write(files, "/d/a", old));
  expect(left).toEqual(new Set(["", `a=${show(old)}`]));
});

test("the names of a folder come to be in the order in which they were made", () => {
  const left = after((files) => {
    for (const name of ["a", "b", "c"]) write(files, `/d/${name}`, "");
  });
  expect(left).toEqual(new Set(["", "a=", "a= b=", "a= b= c="]));
});

test("a renamed file replaces the old one or does not, and after a sync of the folder it does", () => {
  const replace = (files: FilePort) => {
    write(files, "/d/a", old);
    files.fsyncDir("/d");
    write(files, "/d/b", added);
    files.rename("/d/b", "/d/a");
  };
  const [before, between, renamed] = [`a=${show(old)}`, `a=${show(old)} b=${show(added)}`, `a=${show(added)}`];
  expect(after(replace)).toEqual(new Set([before, between, renamed]));
  expect(after((files) => (replace(files), files.fsyncDir("/d")))).toEqual(new Set([renamed]));
});

test("a file renamed into another folder is in exactly one of them, and syncing either settles it", () => {
  const move = (files: FilePort) => {
    write(files, "/d/a", "");
    files.fsyncDir("/d");
    files.mkdir("/d/e");
    files.fsyncDir("/d");
    files.rename("/d/a", "/d/e/a");
  };
  expect(after(move)).toEqual(new Set(["a= e[]", "e[a=]"]));
  expect(after((files) => (move(files), files.fsyncDir("/d")))).toEqual(new Set(["e[a=]"]));
  expect(after((files) => (move(files), files.fsyncDir("/d/e")))).toEqual(new Set(["e[a=]"]));
});

test("a removed file may come back until its folder was synced", () => {
  const remove = (files: FilePort) => {
    write(files, "/d/a", "");
    files.fsyncDir("/d");
    files.unlink("/d/a");
  };
  expect(after(remove)).toEqual(new Set(["", "a="]));
  expect(after((files) => (remove(files), files.fsyncDir("/d")))).toEqual(new Set([""]));
});

test("a new folder that was not synced into its parent takes with it what was synced inside", () => {
  const fill = (files: FilePort) => {
    files.mkdir("/d/e");
    write(files, "/d/e/a", old);
    files.fsyncDir("/d/e");
  };
  expect(after(fill)).toEqual(new Set(["", `e[a=${show(old)}]`]));
  expect(after((files) => (fill(files), files.fsyncDir("/d")))).toEqual(new Set([`e[a=${show(old)}]`]));
});

test("a cut file is short or long until it was synced", () => {
  const cut = (files: FilePort) => {
    const fd = files.open("/d/a", "append");
    files.ftruncate(fd, 100);
    return fd;
  };
  expect(textsAfter(cut, old)).toEqual(new Set([old, old.slice(0, 100)]));
  expect(textsAfter((files) => files.fsync(cut(files)), old)).toEqual(new Set([old.slice(0, 100)]));
});

test("what was cut before it was synced may be there all the same", () => {
  const left = textsAfter((files) => {
    append(files, "/d/a", added);
    files.ftruncate(files.open("/d/a", "append"), 700);
  }, old);
  expect(left).toContain(old);
  expect(left).toContain(old + added);
});

test("what a failed fsync dropped is seen by readers, and no later fsync saves it", () => {
  const left = textsAfter((files, disk) => {
    const fd = failedAppend(files, disk, added);
    files.fsync(fd);
    expect(files.readFile("/d/a").toString()).toBe(old + added);
  }, old);
  expect(left).not.toContain(old + added);
  expect(left).toContain(old);
  expect(left).toContain(old + "\0".repeat(1500));
});

test("what is appended and synced behind that stands behind zeros", () => {
  const left = textsAfter((files, disk) => {
    const fd = failedAppend(files, disk, added);
    files.write(fd, Buffer.from("more"));
    files.fsync(fd);
  }, old);
  expect(left).toContain(`${old}${"\0".repeat(1500)}more`);
  for (const text of left) expect(text).toMatch(/^o{700}n*\0+more$/);
});

test("what is cut and written anew after a failed fsync is as durable as ever", () => {
  const left = textsAfter((files, disk) => {
    const fd = failedAppend(files, disk, added);
    files.ftruncate(fd, 700);
    files.write(fd, Buffer.from(added));
    files.fsync(fd);
  }, old);
  expect(left).toEqual(new Set([old + added]));
});

test("a killed process loses nothing of what it wrote, and nothing of a file that was removed while open", () => {
  const disk = newDisk(1, ["/d"]);
  const [one, two] = [newProcess("one"), newProcess("two")];
  append(disk.files(one), "/d/a", added);
  const fd = disk.files(two).open("/d/a", "read");
  one.kill();
  disk.remove("/d/a");
  expect(disk.peek("/d/a")).toBeUndefined();
  expect(disk.list("/d")).toEqual([]);
  expect(disk.files(two).fstat(fd).size).toBe(1500);
  expect(() => disk.files(one).readFile("/d/a")).toThrow("one (pid 211) is dead");
});

test("power loss ends every process and repeats with its seed", () => {
  const lose = () => {
    const disk = newDisk(7, ["/d"]);
    const process = newProcess("one");
    append(disk.files(process), "/d/a", added);
    disk.powerLoss();
    expect(process.isAlive).toBe(false);
    return shown(disk, "/d");
  };
  expect(lose()).toBe(lose());
});

/** Everything that can be left of a life on a disk with an empty folder. */
function after(live: (files: FilePort, disk: Disk) => unknown): Set<string> {
  return new Set(
    Array.from({ length: 200 }, (_, seed) => {
      const disk = newDisk(seed, ["/d"]);
      live(disk.files(newProcess("one")), disk);
      disk.powerLoss();
      return shown(disk, "/d");
    }),
  );
}

/** Everything that a durable file can have become. */
function textsAfter(live: (files: FilePort, disk: Disk) => unknown, durable: string): Set<string> {
  return new Set(
    Array.from({ length: 200 }, (_, seed) => {
      const disk = newDisk(seed, ["/d"]);
      const files = disk.files(newProcess("one"));
      write(files, "/d/a", durable);
      files.fsyncDir("/d");
      live(files, disk);
      disk.powerLoss();
      return disk.peek("/d/a")!.toString();
    }),
  );
}

function write(files: FilePort, path: string, text: string): void {
  const fd = append(files, path, text);
  files.fsync(fd);
  files.close(fd);
}

function append(files: FilePort, path: string, text: string): number {
  const fd = files.open(path, "append");
  files.write(fd, Buffer.from(text));
  return fd;
}

function failedAppend(files: FilePort, disk: Disk, text: string): number {
  const fd = append(files, "/d/a", text);
  disk.faults.failFsync = 1;
  expect(() => files.fsync(fd)).toThrow("EIO: i/o error, fsync");
  disk.faults.failFsync = 0;
  return fd;
}

/** Bytes that are neither what was written nor zeros from edge to edge of a sector. */
function wrongBytes(text: string, written: string): number[] {
  const edge = (at: number) => at % sectorBytes === 0 || at === 700 || at === text.length;
  return Array.from({ length: text.length }, (_, at) => at).filter((at) => {
    if (text[at] === written[at]) return text[at + 1] === "\0" && !edge(at + 1);
    return text[at] !== "\0" || (text[at + 1] !== "\0" && !edge(at + 1));
  });
}

function shown(disk: Disk, folder: string): string {
  const one = (name: string) => {
    const bytes = disk.peek(`${folder}/${name}`);
    return bytes === undefined ? `${name}[${shown(disk, `${folder}/${name}`)}]` : `${name}=${show(bytes.toString())}`;
  };
  return disk.list(folder).map(one).join(" ");
}

function show(text: string): string {
  return text.replaceAll(/(.)\1+/gs, (run, letter: string) => `${run.length}${letter}`);
}
