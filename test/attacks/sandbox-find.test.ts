import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSandbox, type SandboxWish } from "../../src/sandbox/find.ts";
import { canConfine, createWorld, runIn, type World } from "../rig/sandbox-world.ts";

/** What is found with nothing on PATH but these programs. */
async function found(world: World, wish: Partial<SandboxWish>) {
  const env = { PATH: join(world.root, "bin"), HOME: world.home };
  const result = await findSandbox({ mode: "auto", env, hidden: [], mounts: [], ...wish });
  return result.ok ? { kind: result.value.sandbox.kind, word: result.value.word } : result.failure;
}

test.skipIf(!canConfine)(
  "bwrap is found by starting it, and an older one that cannot bound memory will do",
  async () => {
    const world = createWorld();
    const word = "Sandbox: bwrap; agents and checks see your tools and their own folders, checks without network.";
    const PATH = process.env["PATH"] ?? "";
    expect(await found(world, { env: { PATH, HOME: world.home } })).toEqual({ kind: "bwrap", word });
    const older = `#!/bin/sh\ncase " $* " in *" --size "*) echo "bwrap: Unknown option --size" >&2; exit 1;; esac\nPATH='${PATH}' exec bwrap "$@"\n`;
    world.write("bin/bwrap", older, 0o755);
    const sandbox = await world.find({ env: { PATH: `${join(world.root, "bin")}:${PATH}` } });
    expect(runIn(world.enclose(sandbox), "pwd")).toEqual({ code: 0, out: "/stint/workspace\n" });
  },
);

test.skipIf(!canConfine)("a mount that does not exist is refused by name", async () => {
  const world = createWorld();
  const path = join(world.home, "gone");
  const env = { PATH: process.env["PATH"], HOME: world.home };
  expect(await found(world, { env, mounts: [{ path, writable: false }] })).toEqual({
    reason: "no-mount",
    message: `workspace.mounts names ${path}, which does not exist. Create it, or remove it from workspace.mounts.`,
  });
});

test.skipIf(!canConfine)("a sandbox that fails is told from a command that does", async () => {
  const world = createWorld();
  const sandbox = await world.find();
  const failing = world.enclose(sandbox);
  expect([runIn(failing, "exit 1").code, failing.entered()]).toEqual([1, true]);
  const gone = world.enclose(sandbox, { inbox: join(world.root, "gone") });
  expect([runIn(gone, "exit 0").code, gone.entered()]).toEqual([1, false]);
  const unstarted = world.enclose(sandbox);
  const command = unstarted.enter({ argv: ["/no/such/program"], cwd: "/", env: {} });
  const { status } = spawnSync(command.argv[0] ?? "", command.argv.slice(1), { ...command });
  expect([status, unstarted.entered()]).toEqual([1, false]);
});

test.skipIf(!canConfine)("what is removed while a run is under way keeps no later room from starting", async () => {
  const world = createWorld();
  world.write("home/tools/v1/bin/tool", "#!/bin/sh\n", 0o755);
  world.write("worktree/file", "");
  const PATH = `${process.env["PATH"]}:${join(world.home, "tools/v1/bin")}`;
  const sandbox = await world.find({ env: { PATH, HOME: world.home }, hidden: [join(world.root, "worktree")] });
  expect(runIn(world.enclose(sandbox), `test -x ${world.home}/tools/v1/bin/tool`)).toEqual({ code: 0, out: "" });

  rmSync(join(world.home, "tools"), { recursive: true });
  rmSync(join(world.root, "worktree"), { recursive: true });

  expect(runIn(world.enclose(sandbox), "echo started")).toEqual({ code: 0, out: "started\n" });
});

test.skipIf(!canConfine)(
  "a mount that is removed is named by the sandbox, which does not start without it",
  async () => {
    const world = createWorld();
    const file = world.write("data/file", "");
    const mounts = [{ path: join(world.root, "data"), writable: false }];
    const sandbox = await world.find({ mounts, hidden: [world.root] });
    expect(runIn(world.enclose(sandbox), `test -e ${file}`)).toEqual({ code: 0, out: "" });

    rmSync(join(world.root, "data"), { recursive: true });

    const enclosure = world.enclose(sandbox);
    expect(runIn(enclosure, "true").out).toContain(join(world.root, "data"));
    expect(enclosure.entered()).toBe(false);
  },
);
