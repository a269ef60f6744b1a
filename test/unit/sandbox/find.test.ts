import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSandbox, type SandboxWish } from "../../../src/sandbox/find.ts";
import { canLayer } from "../../rig/layers.ts";
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

/** Programs of the machine, as if nothing else were installed. */
function install(world: World, ...names: string[]): void {
  mkdirSync(join(world.root, "bin"), { recursive: true });
  for (const name of names)
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(world.root, "bin", name));
}

const confined = "Sandbox: bwrap; agents and checks see your tools and their own folders, checks without network.";

test.skipIf(!canLayer)(
  "where folders cannot be joined, checkouts are full copies, and one sentence says why",
  async () => {
    const world = createWorld();
    const roomsBelow = join(world.root, "state");
    install(world, "bwrap");
    const copies = `${confined} Every checkout is a full copy, because `;
    expect(await found(world, { roomsBelow })).toEqual({
      kind: "bwrap",
      word: `${copies}unshare or mount is not installed.`,
    });
    install(world, "unshare");
    world.write("bin/mount", "#!/bin/sh\necho 'mount: unknown filesystem type overlay.' >&2\nexit 32\n", 0o755);
    const unknown = "this machine cannot join folders here: mount: unknown filesystem type overlay.";
    expect(await found(world, { roomsBelow })).toEqual({ kind: "bwrap", word: `${copies}${unknown}.` });
    world.write("bin/mount", "#!/bin/sh\nexit 0\n", 0o755);
    expect(await found(world, { roomsBelow })).toMatchObject({
      word: expect.stringContaining("cannot join folders here"),
    });
  },
);

test.skipIf(!canLayer)(
  "a kernel that gives no namespaces, a strange name and a disk that takes nothing mean full copies, too",
  async () => {
    const world = createWorld();
    install(world, "bwrap", "mount");
    world.write(
      "bin/unshare",
      "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n",
      0o755,
    );
    const refused = await found(world, { roomsBelow: join(world.root, "state") });
    expect(refused).toMatchObject({
      kind: "bwrap",
      word: expect.stringContaining("unshare failed: Operation not permitted"),
    });
    expect(await found(world, { roomsBelow: join(world.root, "a,b") })).toMatchObject({
      word: expect.stringContaining("a,b has a comma"),
    });
    world.write("file", "");
    expect(await found(world, { roomsBelow: join(world.root, "file") })).toMatchObject({
      kind: "bwrap",
      word: expect.stringContaining("full copy"),
    });
    rmSync(join(world.root, "bin/unshare"));
    install(world, "unshare");
    expect(await found(world, { roomsBelow: join(world.root, "state") })).toEqual({ kind: "bwrap", word: confined });
    expect(readdirSync(join(world.root, "state"))).toEqual([]);
  },
);
