import type { FilePort } from "../../src/journal/file-port.ts";
import type { FlockOutcome, LockPort } from "../../src/journal/lock.ts";
import type { Dice } from "../rounds/dice.ts";
import { diskFiles, namesIn } from "./disk-files.ts";
import { type Faults, noFaults, Trouble } from "./faults.ts";
import { Names, type SimNode } from "./names.ts";
import { OpenFiles } from "./open-files.ts";
import type { SimProcess } from "./process.ts";

interface User {
  readonly files: FilePort;
  readonly open: OpenFiles;
}

/** Files with un-synced data: what a process sees, and what would be left after power loss, are two things. */
export class Disk {
  /** Faults that are on now. */
  faults: Faults = noFaults();
  readonly #dice: Dice;
  readonly #names = new Names();
  readonly #users = new Map<SimProcess, User>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** The disk as one process sees it; every call reaches for the world before it has any effect. */
  files(process: SimProcess): FilePort {
    return this.#user(process).files;
  }

  /** Locks on open files, which closing them frees, and so does the death of the process. */
  locks(process: SimProcess, host = "sim"): LockPort {
    const { files, open } = this.#user(process);
    const { pid, startTime } = process.identity;
    return {
      files,
      flock: (fd) => {
        process.reach(`flock ${open.nameOf(fd)}`);
        return flock(open, fd);
      },
      self: () => ({ pid, startTime, host, since: "2026-11-15T22:00:00.000Z" }),
      // As on a machine where the other process cannot be seen: then only the journal tells two drivers apart.
      holderOfRemoved: () => undefined,
      startTimeOf: (asked) => this.#startTimeOf(asked),
    };
  }

  /** Ends whoever used the disk; each file is what was synced and some of what was written since, and so are the names. */
  powerLoss(): void {
    for (const process of [...this.#users.keys()]) process.kill();
    this.#names.losePower(this.#dice);
  }

  /** The bytes that a reader would see; undefined where no file has that name. */
  peek(path: string): Buffer | undefined {
    const node = this.#find(path);
    return node?.kind === "file" ? Buffer.from(node.bytes.part(0, node.bytes.size)) : undefined;
  }

  /** The names that a reader would see in a folder; none where there is no such folder. */
  list(path: string): string[] {
    const node = this.#find(path);
    return node?.kind === "folder" ? namesIn(node) : [];
  }

  /** Makes folders that are there from the start, with those around them. */
  makeFolders(paths: readonly string[]): void {
    for (const path of paths) {
      let folder = this.#names.root;
      for (const name of path.split("/").filter((part) => part !== "")) {
        if (!folder.seen.has(name)) this.#names.change([{ folder, name, node: this.#names.newFolder() }]);
        this.#names.sync(folder);
        const next = folder.seen.get(name)!;
        if (next.kind !== "folder") throw new Error(`Internal error: expected a folder, but was ${path}`);
        folder = next;
      }
    }
  }

  /** A user's rm -r: the name is gone at once, and whoever has it open keeps it. */
  remove(path: string): void {
    if (this.#find(path) === undefined) return;
    this.#names.change([{ ...this.#names.place(path, { syscall: "unlink", path }), node: null }]);
  }

  #find(path: string): SimNode | undefined {
    return path.split("/").reduce<SimNode | undefined>((node, name) => {
      if (name === "") return node;
      return node?.kind === "folder" ? node.seen.get(name) : undefined;
    }, this.#names.root);
  }

  #user(process: SimProcess): User {
    const known = this.#users.get(process);
    if (known !== undefined) return known;
    const open = new OpenFiles();
    const trouble = new Trouble(this.#dice, () => this.faults);
    const user = { open, files: diskFiles({ process, open, names: this.#names, dice: this.#dice, trouble }) };
    if (!process.isAlive) return user;
    this.#users.set(process, user);
    process.onDeath(() => {
      open.closeAll();
      this.#users.delete(process);
    });
    return user;
  }

  #startTimeOf(pid: number): string | undefined {
    return [...this.#users.keys()].find((process) => process.identity.pid === pid)?.identity.startTime;
  }
}

function flock(open: OpenFiles, fd: number): FlockOutcome {
  const file = open.get(fd, "flock");
  if (file.node.kind !== "file") return { unavailable: `${file.path} is a folder` };
  if (file.node.lockedBy !== null && file.node.lockedBy !== file) return "held";
  file.node.lockedBy = file;
  return "locked";
}
