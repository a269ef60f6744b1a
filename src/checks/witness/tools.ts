import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the witnesses: beside the bundles in the package, beside the sources in the repository. */
export const witnessTools: string = toolsFolder();

function toolsFolder(): string {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const folder = join(dir, "runners");
    if (existsSync(join(folder, "node", "preload.cjs"))) return folder;
    if (dir === dirname(dir)) throw new Error(`Internal error: expected ${folder} of the package, but it is not there`);
  }
}
