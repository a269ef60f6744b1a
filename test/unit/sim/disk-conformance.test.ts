import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FilePort, type FileStat, realFiles } from "../../../src/journal/file-port.ts";
import { type Dice, diceOf } from "../../rounds/dice.ts";
import { newDisk, newProcess } from "../../sim/disk-rig.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "stint-sim-disk-"));
});

afterEach(() => rmSync(home, { recursive: true }));

test("without faults the disk of the simulator answers as the real one does, 30 times 150 calls", () => {
  const answered = new Set<string>();
  for (let seed = 0; seed < 30; seed += 1) {
    const folder = join(home, String(seed));
    mkdirSync(folder, { mode: 0o700 });
    const disk = newDisk(seed, [folder]);
    const real = new Player(realFiles, folder);
    const simulated = new Player(disk.files(newProcess("one")), folder);
    const dice = diceOf(seed);
    for (let count = 0; count < 150; count += 1) {
      const move = nextMove(dice, real.opened);
      const expected = real.play(move);
      expect(simulated.play(move), `seed ${seed}, call ${count}: ${JSON.stringify(move)}`).toEqual(expected);
      answered.add(`${move.op} ${"code" in expected ? expected.code : "ok"}`);
    }
    real.closeAll();
  }
  expect([...answered].toSorted()).toEqual(everyAnswer);
});

const everyAnswer = [
  "close EBADF",
  "close ok",
  "fstat EBADF",
  "fstat ok",
  "fsync EBADF",
  "fsync ok",
  "fsyncDir ENOENT",
  "fsyncDir ENOTDIR",
  "fsyncDir ok",
  "ftruncate EBADF",
  "ftruncate EINVAL",
  "ftruncate ok",
  "mkdir EEXIST",
  "mkdir ENOENT",
  "mkdir ENOTDIR",
  "mkdir ok",
  "open EEXIST",
  "open EISDIR",
  "open ENOENT",
  "open ENOTDIR",
  "open ok",
  "read EBADF",
  "read EISDIR",
  "read ok",
  "readFile EISDIR",
  "readFile ENOENT",
  "readFile ENOTDIR",
  "readFile ok",
  "readdir ENOENT",
  "readdir ENOTDIR",
  "readdir ok",
  "rename EINVAL",
  "rename EISDIR",
  "rename ENOENT",
  "rename ENOTDIR",
  "rename ENOTEMPTY",
  "rename ok",
  "rewrite EISDIR",
  "rewrite ENOENT",
  "rewrite ENOTDIR",
  "rewrite ok",
  "stat ENOTDIR",
  "stat ok",
  "unlink EISDIR",
  "unlink ENOENT",
  "unlink ENOTDIR",
  "unlink ok",
  "write EBADF",
  "write ok",
];

interface Move {
  readonly op: keyof FilePort;
  readonly path: string;
  readonly to: string;
  readonly mode: "read" | "append" | "create";
  /** Which of the files opened so far, also of those closed since. */
  readonly file: number;
  readonly count: number;
}

const ops: readonly (keyof FilePort)[] = [
  ...["open", "open", "open", "write", "write", "write", "mkdir", "mkdir", "rename", "rename", "unlink"],
  ...["read", "rewrite", "fstat", "stat", "ftruncate", "close", "readFile", "readdir"],
] as (keyof FilePort)[];

function nextMove(dice: Dice, opened: number): Move {
  // Rarely, because the real ones take their time.
  const op = dice.chance(0.02) ? dice.pick(["fsync", "fsyncDir"] as const) : dice.pick(ops);
  const path = () => Array.from({ length: 1 + dice.below(3) }, () => dice.pick(["a", "b", "c"])).join("/");
  const mode = dice.pick(["read", "append", "create"] as const);
  const count = dice.pick([0, 1, 5, 600, 3000]);
  return { op, path: path(), to: path(), mode, file: dice.below(opened + 1), count };
}

type Answer = { readonly value: unknown } | { readonly code: string; readonly message: string };

/** Makes the same moves on any disk, and tells of the answers what both disks must have in common. */
class Player {
  readonly #files: FilePort;
  readonly #folder: string;
  readonly #fds: number[] = [];
  readonly #closed = new Set<number>();

  constructor(files: FilePort, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  get opened(): number {
    return this.#fds.length;
  }

  play(move: Move): Answer {
    try {
      return { value: this.#answer(move) };
    } catch (error) {
      if (error instanceof Error && "code" in error && typeof error.code === "string")
        return { code: error.code, message: error.message };
      throw error;
    }
  }

  closeAll(): void {
    for (const [index, fd] of this.#fds.entries()) if (!this.#closed.has(index)) this.#files.close(fd);
  }

  #answer(move: Move): unknown {
    const { file, count } = move;
    const [path, to] = [join(this.#folder, move.path), join(this.#folder, move.to)];
    // A descriptor closed before may be somebody else's by now on the real machine, so it is none that was ever given.
    const fd = this.#closed.has(file) || file >= this.opened ? 1_000_000 : this.#fds[file]!;
    const files = this.#files;
    const into = Buffer.alloc(count + 1);
    const calls: Record<keyof FilePort, () => unknown> = {
      open: () => this.#fds.push(files.open(path, move.mode)),
      write: () => files.write(fd, Buffer.alloc(count, `${file}${count}.`)),
      rewrite: () => files.rewrite(path, files.readFile(path).subarray(0, count), 0),
      read: () => [files.read(fd, into, count % 7), into.toString("latin1")],
      fsync: () => files.fsync(fd),
      fstat: () => this.#shown(files.fstat(fd)),
      stat: () => this.#shown(files.stat(path)),
      ftruncate: () => files.ftruncate(fd, count),
      close: () => (files.close(fd), void this.#closed.add(file)),
      readFile: () => files.readFile(path).toString("latin1"),
      rename: () => files.rename(path, to),
      unlink: () => files.unlink(path),
      mkdir: () => files.mkdir(path),
      readdir: () => files.readdir(path),
      fsyncDir: () => files.fsyncDir(path),
    };
    return calls[move.op]();
  }

  /** An inode number is that of some open files or of none, since others are given again; sizes of folders are the file system's own affair. */
  #shown(found: FileStat | undefined): unknown {
    if (found === undefined) return undefined;
    const size = found.kind === "file" ? found.size : undefined;
    const open = [...this.#fds.keys()].filter((index) => !this.#closed.has(index));
    return { ...found, size, ino: open.filter((index) => this.#files.fstat(this.#fds[index]!).ino === found.ino) };
  }
}
