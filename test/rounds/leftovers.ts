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
 * Says what is left that should not be. Rooms are swept by whoever takes the run up. Else a process leaves what it was busy
 * with when it died, which `stint gc` or git's own removes: a file for each of its four pool threads, a workspace of a lane.
 */
export function inspectLeftovers(left: readonly string[], deaths: number): readonly string[] {
  const rooms = left.filter((path) => /^state\/.*\/rooms\//.test(path)).map((path) => `${path} was left behind`);
  const others = left.length - rooms.length;
  return others <= 6 * deaths ? rooms : [...rooms, `${deaths} deaths left ${others} files: ${left.join(", ")}`];
}

function below(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(entry.parentPath, entry.name));
}
