import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own, which a test fills, closes and opens again while others use it. */
export interface SmallDisk extends Disposable {
  /** Leaves no free page: a file may still grow within its last one, as on any disk. */
  readonly fill: () => void;
  /** Leaves no free inode: what is open can be written, nothing new can be made. */
  readonly fillInodes: () => void;
  readonly makeReadOnly: () => void;
  /** More than there ever was. */
  readonly makeRoom: () => void;
  /** As it was when it was made. */
  readonly cure: () => void;
}

/** Puts what lies in a folder on a disk of its own; large enough for everything until it is filled. */
export function diskAt(dir: string, roomy = "size=64m,nr_inodes=20000"): SmallDisk {
  const aside = `${dir}.aside`;
  renameSync(dir, aside);
  mkdirSync(dir);
  mount("-t", "tmpfs", "-o", roomy, "tmpfs", dir);
  cpSync(aside, dir, { recursive: true, preserveTimestamps: true });
  rmSync(aside, { recursive: true });
  // A size of nothing would mean no bound at all.
  writeFileSync(join(dir, ".ballast"), "one page");
  const remount = (options: string) => mount("-o", `remount,${options}`, dir);
  return {
    fill: () => {
      // Whoever writes between the look and the fill takes it beyond the size.
      for (let isFull = false; !isFull;) isFull = succeeds(() => remount(`size=${usedBytes(dir)}`));
    },
    fillInodes: () => {
      for (let isFull = false; !isFull;) isFull = succeeds(() => remount(`nr_inodes=${usedInodes(dir)}`));
    },
    makeReadOnly: () => remount("ro"),
    makeRoom: () => remount("size=512m,nr_inodes=90000"),
    cure: () => remount(`rw,${roomy}`),
    // Lazily, because a process of a failed test may still stand there.
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", dir], { stdio: "ignore" }),
  };
}

/** Whether this machine lets us mount; in a container it often does not. */
export const canMount: boolean = succeeds(() => {
  const dir = mkdtempSync(join(tmpdir(), "stint-mount-"));
  try {
    diskAt(dir)[Symbol.dispose]();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

function usedBytes(dir: string): number {
  const { blocks, bfree, bsize } = statfsSync(dir);
  return (blocks - bfree) * bsize;
}

function usedInodes(dir: string): number {
  const { files, ffree } = statfsSync(dir);
  return files - ffree;
}

function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function mount(...args: readonly string[]): void {
  execFileSync("mount", args, { stdio: ["ignore", "ignore", "pipe"] });
}
