import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changedPaths, diffText } from "../../src/git/diff.ts";
import { mergeOnTip } from "../../src/git/merge-on-tip.ts";
import type { Checkout } from "../../src/workspace/checkout.ts";
import { restoreTree } from "../../src/workspace/restore.ts";
import { untrackedPaths } from "../../src/workspace/snapshot.ts";
import { sh, type Rig } from "./git.ts";

/** A program that tells when somebody runs it. */
export interface Trap {
  readonly command: string;
  /** True once since the last question. */
  readonly fired: () => boolean;
}

export function trap(r: Pick<Rig, "root">): Trap {
  const file = join(r.root, "fired");
  const command = join(r.root, "evil.sh");
  writeFileSync(command, `#!/bin/sh\ntouch '${file}'\ncat\n`);
  chmodSync(command, 0o755);
  const fired = (): boolean => {
    const was = existsSync(file);
    rmSync(file, { force: true });
    return was;
  };
  return { command, fired };
}

/** Plain git, of which only matters whether it runs into a trap. */
export function attempt(...[cwd, ...args]: [string, ...string[]]): void {
  try {
    sh(cwd, ...args);
  } catch {
    // A program that was planted seldom answers as git expects.
  }
}

/** Everything Stint does with a workspace after an agent had it. */
export async function everything(r: Rig, checkout: Checkout): Promise<void> {
  await untrackedPaths(r.control, checkout);
  const taken = await r.take(checkout);
  await changedPaths(r.control, r.base, taken.commit);
  await diffText(r.control, { from: r.base, to: taken.commit }, 10_000);
  await mergeOnTip(r.control, { tip: r.base, base: r.base, candidate: taken });
  await restoreTree(r.control, checkout);
}
