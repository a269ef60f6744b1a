import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathsOf, runPaths } from "../../src/project/paths.ts";
import type { Rig } from "./rig.ts";

/** The folders of the newest run, in the repository and outside. */
export function foldersOf(rig: Rig): ReturnType<typeof runPaths> {
  const run = String(rig.events("run-started")[0]?.["run"]);
  return runPaths(pathsOf(rig.gitDir, { XDG_STATE_HOME: join(rig.root, "state") }), run);
}

/** Puts files below a folder, as whoever worked there would have left them. */
export function leave(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}
