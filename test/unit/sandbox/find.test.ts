import { join } from "node:path";
import { expect, test } from "vitest";
import { findSandbox, type SandboxWish } from "../../../src/sandbox/find.ts";
import { createWorld, type World } from "../../rig/sandbox-world.ts";

/** What is found with nothing on PATH but these programs. */
async function found(world: World, wish: Partial<SandboxWish>) {
  const env = { PATH: join(world.root, "bin"), HOME: world.home };
  const result = await findSandbox({ mode: "auto", env, hidden: [], mounts: [], ...wish });
  return result.ok ? { kind: result.value.sandbox.kind, word: result.value.word } : result.failure;
}

const free = "; agents and checks run with your file system and network.";

test("none is what the settings say, and that is said", async () => {
  expect(await found(createWorld(), { mode: "none" })).toEqual({
    kind: "none",
    word: `Sandbox: none (as run.sandbox says)${free}`,
  });
});

test("without bwrap, auto continues and says what to install; bwrap is refused with how to fix it", async () => {
  const world = createWorld();
  const why = "bwrap is not installed; install bubblewrap with apt, dnf, pacman or zypper";
  expect(await found(world, {})).toEqual({ kind: "none", word: `Sandbox: none (${why})${free}` });
  expect(await found(world, { mode: "bwrap" })).toEqual({
    reason: "no-sandbox",
    message: `run.sandbox is bwrap, but ${why}. Or set run.sandbox to auto or none.`,
  });
});

test("a bwrap that starts nothing is none, whatever it exits with", async () => {
  const world = createWorld();
  const why = "bwrap does not work here: bwrap: No permissions to create new namespace";
  world.write("bin/bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", 0o755);
  expect(await found(world, {})).toMatchObject({
    kind: "none",
    word: expect.stringContaining(`Sandbox: none (${why}. `),
  });
  expect(await found(world, { mode: "bwrap" })).toMatchObject({ reason: "no-sandbox" });
  world.write("bin/bwrap", "#!/bin/sh\nexit 0\n", 0o755);
  expect(await found(world, {})).toMatchObject({ kind: "none", word: expect.stringContaining("it ended at once") });
});
