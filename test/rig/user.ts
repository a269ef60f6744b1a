import { chmodSync } from "node:fs";
import { join } from "node:path";
import { heldBy, type Rig } from "./rig.ts";
import { leave } from "./scratch.ts";

/** What the user keeps of a commit that no branch and no reflog names: nothing. */
export function collectGarbage(rig: Rig): void {
  rig.git("reflog", "expire", "--expire=now", "--all");
  rig.git("gc", "--quiet", "--prune=now");
}

/** Deletes every ref that Stint made beside the user's branches. */
export function deleteStintRefs(rig: Rig): void {
  const refs = rig.git("for-each-ref", "--format=%(refname)", "refs/stint").split("\n").filter(Boolean);
  for (const ref of refs) rig.git("update-ref", "-d", ref);
}

/** Deletes the run's branch, if it is there. */
export function deleteRunBranch(rig: Rig): void {
  if (rig.git("branch", "--list", "stint/work") !== "") rig.git("branch", "--quiet", "-D", "stint/work");
}

/** A commit of the user's that no branch has yet. */
export function strayCommit(rig: Rig, on = "HEAD"): string {
  return rig.git("commit-tree", "-m", "Somebody's own work", "-p", on, `${on}^{tree}`);
}

/** An environment in which Stint's own calls of git whose words match a pattern of the shell wait until the test releases `name`. */
export function heldGit(rig: Rig, pattern: string, name: string): Record<string, string> {
  const bin = join(rig.root, "bin-git");
  const script = `#!/bin/sh\nPATH=\${PATH#*:}\ncase "$*" in ${pattern}) ${heldBy(name, rig.outside)} ;; esac\nexec git "$@"\n`;
  leave(bin, { git: script });
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env["PATH"]}` };
}
