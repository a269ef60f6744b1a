import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { baseLimits } from "./limits.ts";

/**
 * Returns why nothing can be written on the disk of one of these folders and how to fix it, or undefined. It is called after
 * something failed: programs, including git, often report only that they could not write.
 */
export function diskFault(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const fault = faultOf(nearestFolder(folder));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(folder: string): string | undefined {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    if (bavail * bsize < baseLimits.diskFullBytes) return `The disk of ${folder} is full. Free some space there`;
    // Some file systems have as many as they need, and report 0 of 0.
    if (files > 0 && ffree < baseLimits.diskFullInodes)
      return `The disk of ${folder} cannot hold more files (inodes). Delete some files there`;
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EROFS" ? `The disk of ${folder} is read-only. Make it writable` : undefined;
  }
}

/** Finds the nearest existing folder, which is on the same disk as one that does not exist yet. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}
