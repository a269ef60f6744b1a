import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { baseLimits } from "./limits.ts";

/**
 * Why nothing can be written on the disk of one of these folders, and the cure; undefined where something can. Asked after
 * something failed: programs, git among them, often say only that they could not write.
 */
export function diskFault(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const fault = faultOf(nearest(folder));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(folder: string): string | undefined {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    const cure = "Make room there";
    if (bavail * bsize < baseLimits.diskFullBytes) return `The disk of ${folder} is full. ${cure}`;
    // Some file systems have as many as they need, and say so by 0 of 0.
    if (files > 0 && ffree < baseLimits.diskFullInodes)
      return `The disk of ${folder} can hold no more files (inodes). ${cure}`;
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EROFS" ? `The disk of ${folder} is read-only. Make it writable` : undefined;
  }
}

/** A folder that is not there yet will lie on the disk of the nearest one that is. */
function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
}
