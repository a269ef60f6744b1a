import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "../git/control.ts";
import type { Checkout } from "./checkout.ts";
import { untrackedPaths } from "./snapshot.ts";

/** Removes files that are neither tracked, nor ignored, nor `kept`: a runner's configuration left by one check would steer the next. */
export async function removeUntracked(control: Control, checkout: Checkout, kept: ReadonlySet<string>): Promise<void> {
  const found = await untrackedPaths(control, checkout);
  const strange = found.filter((path) => !kept.has(path));
  await Promise.all(strange.map((path) => rm(join(checkout.dir, path), { recursive: true, force: true })));
}
