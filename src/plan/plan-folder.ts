import { planLimits } from "./limits.ts";
import { isGlob, matcher } from "./paths.ts";
import type { PlanFiles } from "./types.ts";

/** A planner's proposal for the rules of the repository: shown at approval, without any effect of its own. */
export const proposedRules = "proposed-rules.md";

/** Whether a path of the repository is an input that a person gave with the goal: any kind of file, approved by its bytes. */
export function isPlanInput(path: string): boolean {
  return /^plans\/[^/]+\/inputs\//.test(path);
}

/** Says how large a file of a plan's folder, or of `.stint/`, may be. */
export function planFileBytesMax(path: string): number {
  return isPlanInput(path) ? planLimits.inputFileBytesMax : planLimits.planFileBytesMax;
}

/** Finds the readable files of a folder, by name inside it; lint reports the others. */
export function readableIn(files: PlanFiles, dir: string): Map<string, Uint8Array> {
  return new Map(
    [...files].flatMap(([path, file]) =>
      path.startsWith(`${dir}/`) && "bytes" in file ? [[path.slice(dir.length + 1), file.bytes] as const] : [],
    ),
  );
}

/** Decides which files a task's source_docs mean: a file, a folder or a glob each. */
export function meantBy(sourceDocs: readonly string[]): (path: string) => boolean {
  const entries = sourceDocs.map((entry) => entry.replace(/\/$/, ""));
  const plain = new Set(entries);
  const covered = matcher(entries.filter(isGlob));
  return (path) => covered(path) || ancestorsOf(path).some((folder) => plain.has(folder));
}

/** Lists the path itself and every folder above it. */
function ancestorsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
