import { lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { listPaths } from "../git/objects.ts";
import { matcher } from "../plan/paths.ts";
import type { Plan } from "../plan/types.ts";
import type { Project } from "../project/project.ts";
import type { Checked } from "./check-plan.ts";

/** Finds a file that a failed check missed and that only the user's checkout has: no commit has it, so no run does. */
export type FindOnlyHere = (checked: Checked) => string | undefined;

/** Prepares the search for checks that are run on a commit. What a task is to create is not missed. */
export async function onlyHereFinder(
  { repo, control }: Project,
  { commit, plan }: { readonly commit: string; readonly plan: Plan },
): Promise<FindOnlyHere> {
  const committed = await listPaths(control, commit);
  const isMade = matcher(plan.tasks.flatMap(({ files }) => Object.values(files).flat()));
  const isOnlyHere = (path: string) =>
    !/^(?:\.\.?|\.git)(?:\/|$)/.test(path) && !committed.has(path) && !isMade(path) && isFile(join(repo.root, path));
  return ({ check, evidence }) => {
    if (check.kind !== "run" || evidence.state === "green") return undefined;
    return missedIn(evidence.tail)
      .map((path) => posix.join(check.cwd, path))
      .find(isOnlyHere);
  };
}

/** Returns what may be relative paths in the lines that say that something is not there. */
export function missedIn(output: string): string[] {
  const lines = output
    .split("\n")
    .filter((line) => /no such file|not found|cannot (?:open|find)|n't exist/i.test(line));
  return lines
    .flatMap((line) => line.match(/(?<![\w/.-])[\w.][\w./@+-]*/g) ?? [])
    .map((word) => word.replace(/\.$/, ""));
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
