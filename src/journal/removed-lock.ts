import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Finds a process that still has a removed file of this name open. The kernel's lock went with the file: a process that
 * makes a new one would have a lock that excludes nobody, and two drivers would work in the same folders.
 */
export function holderOfRemoved(path: string): number | undefined {
  const removed = `${join(realpathSync(dirname(path)), basename(path))} (deleted)`;
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const pid = pids.find((name) => {
    const folder = `/proc/${name}/fd`;
    return namesIn(folder).some((fd) => targetOf(join(folder, fd)) === removed);
  });
  return pid === undefined ? undefined : Number(pid);
}

/** Lists a folder of /proc; processes end meanwhile, and those of other users cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
