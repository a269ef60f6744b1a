import { lstatSync, readdirSync } from "node:fs";
import { processLimits } from "../../process/limits.ts";

/** Tells whether this is a real folder: through a link, everything done here would be done elsewhere. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Lists the names in a folder; none if it is not a folder or does not exist. */
export function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).toSorted() : [];
}

/** Measures the disk space of a folder, without following links; a file with several names is divided among them. */
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

/** A folder that cannot be read, or has just disappeared, counts as empty: sizes are for people. */
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
