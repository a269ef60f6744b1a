import { planLimits } from "./limits.ts";
import { isGlob, matcher } from "./paths.ts";
import type { PlanFiles } from "./types.ts";

/** A planner's proposal for the rules of the repository: shown at approval, without any effect of its own. */
export const proposedRules = "proposed-rules.md";

/** The path of a plan that is one file; it takes the place of the folder `plans/<name>/`. */
export function oneFileOf(name: string): string {
  return `plans/${name}.md`;
}

/** Whether a path of the repository can only be a plan that is one file. */
export function isOneFile(path: string): boolean {
  return /^plans\/[^/]+\.md$/.test(path);
}

/** Whether a path of the repository belongs to a plan: it is its one file, or is in its folder. */
export function isOfPlan(path: string, name: string): boolean {
  return path === oneFileOf(name) || `${path}/`.startsWith(`plans/${name}/`);
}

/** Where a plan may be, for git to look at. */
export function planPaths(name: string): string[] {
  return [`plans/${name}`, oneFileOf(name)];
}

/** The path by which people know a plan, its one file or its folder, among the paths of its repository. */
export function planPathOf(name: string, isThere: (path: string) => boolean): string {
  return isThere(oneFileOf(name)) ? oneFileOf(name) : `plans/${name}`;
}

/** The path of the document that has a plan's front matter and boxes, among the paths of its repository. */
export function headOf(name: string, isThere: (path: string) => boolean): string {
  return isThere(oneFileOf(name)) ? oneFileOf(name) : `plans/${name}/plan.md`;
}

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
