import { expect } from "vitest";
import { expectCode } from "./facts.ts";
import type { Rig } from "./rig.ts";

/** Takes a task by hand and returns the path of its workspace, which is all that is printed. */
export async function taken(rig: Rig, task: string): Promise<string> {
  const took = await rig.stint(["take", task]);
  expectCode(took, 0);
  expect(took.stdout.split("\n")).toHaveLength(2);
  return took.stdout.trim();
}
