import { planLimits } from "../plan/limits.ts";
import { promptsLimits } from "./limits.ts";
import { pathProblem } from "../plan/paths.ts";
import { meantBy } from "../plan/plan-folder.ts";

/** A file of a commit, as git lists it. */
export interface ListedFile {
  readonly path: string;
  readonly mode: string;
  readonly size?: number;
}

/** Finds the files that a task's source_docs mean (a file, a folder or a glob each), and which of them fit into an inbox. */
export function selectInputs(
  files: readonly ListedFile[],
  sourceDocs: readonly string[],
): { readonly taken: readonly string[]; readonly leftOut: readonly string[] } {
  const isMeant = meantBy(sourceDocs);
  const taken: string[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const { path, mode, size = 0 } of files) {
    if (!isPlainFile(mode) || !isMeant(path)) continue;
    const fits = size <= planLimits.inputFileBytesMax && bytes + size <= promptsLimits.inputBytesMax;
    if (fits && taken.length < promptsLimits.inputFilesMax && isSafeName(path)) {
      taken.push(path);
      bytes += size;
    } else leftOut.push(path);
  }
  return { taken, leftOut };
}

function isPlainFile(mode: string): boolean {
  return mode === "100644" || mode === "100755";
}

/** A hostile tree may contain names that lead out of the inbox, or that no list can show. */
function isSafeName(path: string): boolean {
  return pathProblem(path) === undefined && !path.includes("\uFFFD");
}
