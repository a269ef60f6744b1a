import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectLimits } from "./limits.ts";
import type { PlanFile } from "../plan/types.ts";

/** A small file of the user's own, or why it is not taken. Links are followed, because people keep such files elsewhere. */
export function readUserFile(path: string): PlanFile | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { unreadable: "is not a regular file" };
    const max = projectLimits.userFileBytesMax;
    if (stat.size > max) return { unreadable: `has ${stat.size} bytes; at most ${max} are read` };
    return { bytes: readFileSync(descriptor) };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { unreadable: `cannot be read: ${code}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The Markdown files of a folder of the user's, by whole path; none where there is no such folder. */
export function readUserFolder(folder: string): Map<string, PlanFile> {
  const files = new Map<string, PlanFile>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const file = name.endsWith(".md") ? readUserFile(path) : undefined;
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
