import { lstatSync, readdirSync } from "node:fs";
import { processLimits } from "../../process/limits.ts";

/** Whether this is a folder itself: through a link in its place, everything done here would be done elsewhere. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The names in a folder; none where it is not one, or is not there. */
export function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).toSorted() : [];
}

/** What a folder takes on the disk, without following any link; a file with several names counts in parts. */
export function bytesIn(folder: string): number {
  if (!isFolder(folder)) return 0;
  // Names need not be UTF-8.
  const waiting = [Buffer.from(folder)];
  let bytes = 0;
  let entries = 0;
  for (let dir = waiting.pop(); dir !== undefined && entries < processLimits.diskEntriesMax; dir = waiting.pop()) {
    for (const entry of listed(dir)) {
      entries += 1;
      const path = Buffer.concat([dir, Buffer.from("/"), Buffer.from(entry.name, "latin1")]);
      if (entry.isDirectory()) waiting.push(path);
      bytes += allocated(path);
    }
  }
  return bytes;
}

/** A folder that nobody may enter, or that has just gone, counts as empty: sizes are for people. */
function listed(dir: Buffer) {
  try {
    return readdirSync(dir, { withFileTypes: true, encoding: "latin1" });
  } catch {
    return [];
  }
}

function allocated(path: Buffer): number {
  try {
    const stat = lstatSync(path);
    return (stat.blocks * 512) / (stat.isDirectory() ? 1 : Math.max(1, stat.nlink));
  } catch {
    return 0;
  }
}
