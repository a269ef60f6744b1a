import { dirname } from "node:path";
import type { FilePort } from "../../src/journal/file-port.ts";
import { projectLimits } from "../../src/project/limits.ts";
import type { Machine, ClockPort } from "../../src/project/machine.ts";
import type { SimProcess } from "./process.ts";
import type { World } from "./world.ts";

/** The simulated machine as one process sees it. */
export function machineOf(world: World, process: SimProcess): Machine {
  const files = told(world.disk.files(process), world.changed);
  const locks = { ...world.disk.locks(process), files };
  return { files, locks, clock: clockOf(world, process), watch: watchOf(world, process), newId: () => world.newId() };
}

/** Those who watch a folder hear of what others do there. */
function told(files: FilePort, changed: (folder: string) => void): FilePort {
  const folders = new Map<number, string>();
  return {
    ...files,
    open: (path, mode) => {
      const fd = files.open(path, mode);
      folders.set(fd, dirname(path));
      return fd;
    },
    write: (fd, bytes) => {
      const written = files.write(fd, bytes);
      changed(folders.get(fd) ?? "");
      return written;
    },
    rename: (from, to) => {
      files.rename(from, to);
      changed(dirname(to));
    },
  };
}

function clockOf({ timeline }: World, process: SimProcess): ClockPort {
  return {
    now: () => new Date(timeline.wall()).toISOString(),
    elapsed: () => timeline.elapsed(),
    after: (ms, wake) => process.after(ms, wake),
    waitUntil: async (time, signal) => {
      for (;;) {
        const left = Date.parse(time) - timeline.wall();
        if (!(left > 0) || signal.aborted) return;
        await sleep(process, Math.min(left, projectLimits.clockLookMs), signal);
      }
    },
  };
}

async function sleep(process: SimProcess, ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const wake = () => {
      unset();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const unset = process.after(ms, wake);
    signal.addEventListener("abort", wake);
  });
}

/** Between two looks without a hint: often at first, as those who wait for an answer need it, and then seldom. */
const looksMs = [...Array.from({ length: 25 }, () => 1_000), 600_000];

function watchOf(world: World, process: SimProcess): Machine["watch"] {
  return (folder, wake) => {
    let unset: (() => void) | undefined;
    let unsetHint: (() => void) | undefined;
    const look = (count: number) => {
      unset = process.after(looksMs[Math.min(count, looksMs.length - 1)] ?? 0, () => {
        look(count + 1);
        wake();
      });
    };
    const unwatch = world.watch(folder, () => {
      // Not every file system tells, and many changes are told as one.
      if (unsetHint !== undefined || world.dice.chance(0.1)) return;
      unsetHint = process.after(1, () => {
        unsetHint = undefined;
        wake();
      });
    });
    look(0);
    return () => {
      unset?.();
      unsetHint?.();
      unwatch();
    };
  };
}
