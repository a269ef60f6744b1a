import { expect, test } from "vitest";
import { expectCode } from "./rig/facts.ts";
import { createRig } from "./rig/rig.ts";

test("The demo shows a caught cheat, a failure told, a killed and resumed driver, and ends with 0.", async () => {
  await using rig = await createRig();

  const demo = await rig.stint(["demo"], { cwd: rig.outside });

  expectCode(demo, 0);
  expect(demo.stdout).toContain("$ kill -9");
  expect(demo.stdout).not.toContain("  NO ");
});
