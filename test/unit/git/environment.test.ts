import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { absoluteSearchPath } from "../../../src/base/search-path.ts";
import { git } from "../../../src/git/run.ts";
import { open, rig } from "../../rig/git.ts";

test("no inherited variable re-points git, and a hostile one would", async () => {
  const { user, root } = await rig();
  const fired = join(root, "fired");
  const config = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "alias.x", GIT_CONFIG_VALUE_0: `!touch ${fired}` };
  execFileSync("git", ["x"], { cwd: user, env: { ...process.env, ...config } });
  expect(existsSync(fired)).toBe(true);
  rmSync(fired);
  for (const [name, value] of Object.entries(config)) vi.stubEnv(name, value);
  vi.stubEnv("GIT_DIR", "/nonexistent");
  expect((await git(["x"], { cwd: user })).code).not.toBe(0);
  expect((await open(user)).root).toBe(user);
  expect(existsSync(fired)).toBe(false);
  vi.unstubAllEnvs();
  expect(absoluteSearchPath("/bin:.:bin::/usr/bin")).toBe("/bin:/usr/bin");
});
