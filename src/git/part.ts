import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { changedPaths } from "./diff.ts";
import { assertOid } from "./names.ts";
import { gitOk } from "./run.ts";

/** The tree of one commit with some paths as another commit has them. */
export async function treeWithPart(
  control: Control,
  { from, to }: { readonly from: string; readonly to: string },
  paths: ReadonlySet<string>,
): Promise<string> {
  const taken = (await changedPaths(control, from, to)).filter(({ path }) => paths.has(path));
  // What goes makes room for what comes: a file may have become a folder.
  const ordered = taken.toSorted((a, b) => Number(b.status === "D") - Number(a.status === "D"));
  const lines = ordered.map(({ newMode, newOid, path }) => `${newMode} ${newOid}\t${path}\0`);
  const folder = await mkdtemp(join(control.dir, "part-"));
  const options = { gitDir: control.dir, index: join(folder, "index") };
  try {
    await gitOk(["read-tree", assertOid(from)], options);
    await gitOk(["update-index", "--replace", "-z", "--index-info"], { ...options, stdin: lines.join("") });
    return (await gitOk(["write-tree"], options)).toString("utf8").trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
