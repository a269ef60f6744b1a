import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openControl } from "../../../src/git/control.ts";
import { rig, sh, write } from "../../rig/git.ts";

test("what a killed first start left half made is removed by the next one, and nothing else is", async () => {
  const { user, repo } = await rig();
  const state = join(user, ".git/stint");
  write(state, { "control.new-aBc123/config": "[core", "controls.txt": "not ours\n" });
  await openControl(repo, state);
  expect(readdirSync(state).toSorted()).toEqual(["control.git", "controls.txt"]);
});

test("of many first starts at once all find the same whole repository, and leave nothing", async () => {
  const { user, repo } = await rig();
  const state = join(user, ".git/another");
  mkdirSync(state);
  const controls = await Promise.all(Array.from({ length: 20 }, async () => openControl(repo, state)));
  for (const { dir } of controls) expect(existsSync(join(dir, "HEAD"))).toBe(true);
  expect(readdirSync(state).filter((name) => name.startsWith("control"))).toEqual(["control.git"]);
  expect(sh(join(state, "control.git"), "rev-parse", "--is-bare-repository")).toBe("true");
});
