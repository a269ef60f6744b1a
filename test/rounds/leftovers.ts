import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Rig } from "../rig/rig.ts";

/** Half-made things of a finished run: locks of git, temporary files and folders, rooms and workspaces. */
export function leftoversOf({ root, gitDir }: Rig): readonly string[] {
  const unfinished = /(?<!stint\/locks\/[^/]*)\.lock$|\.tmp$|\/tmp_obj[^/]*$|\/control\.new-[^/]*$/;
  const inState = /\/(?:rooms|workspaces)\/[^/]+$/;
  const found = [
    ...below(gitDir).filter((path) => unfinished.test(path)),
    ...below(join(root, "state")).filter((path) => inState.test(path)),
    ...below(join(root, "tmp")).filter((path) => dirname(path) === join(root, "tmp")),
  ];
  return found
    .filter((path) => !found.some((other) => path.startsWith(`${other}/`)))
    .map((path) => relative(root, path));
}

/**
 * Says what is left that should not be. Rooms and workspaces are swept by whoever takes the run up; of other files a
 * process can leave what it was writing when it died: four at once, one for each thread of its pool, and a folder of git.
 */
export function inspectLeftovers(left: readonly string[], deaths: number): readonly string[] {
  const rooms = left.filter((path) => path.startsWith("state/")).map((path) => `${path} was left behind`);
  const others = left.length - rooms.length;
  return others <= 5 * deaths ? rooms : [...rooms, `${deaths} deaths left ${others} files: ${left.join(", ")}`];
}

function below(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(entry.parentPath, entry.name));
}
