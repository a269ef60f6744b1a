import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { endLeftovers, supervise } from "../../src/process/supervise.ts";
import { runCommand } from "../../src/checks/run-command.ts";
import { endSleepers, escapes, newToken, sleepersOf } from "../rig/escapes.ts";
import { canConfine, createWorld, type World } from "../rig/sandbox-world.ts";

async function runToEnd(world: World, mode: "bwrap" | "none", command: string) {
  const enclosure = world.enclose(await world.find({ mode }));
  return await runCommand({
    command,
    enclosure,
    cwd: enclosure.folders.workspace,
    within: join(world.root, "room"),
    env: { PATH: "/usr/bin:/bin" },
    timeoutMs: 30_000,
    logFile: join(world.root, "log"),
    signal: new AbortController().signal,
  });
}

test.skipIf(!canConfine)(
  "whatever a check leaves running ends with its room, also what cleared its traces",
  async () => {
    const world = createWorld();
    const [confined, free] = [newToken(), newToken()];
    expect(await runToEnd(world, "bwrap", escapes(confined))).toMatchObject({ kind: "exited", code: 0, survivors: [] });
    expect(sleepersOf(confined)).toEqual([]);
    await runToEnd(world, "none", escapes(free));
    expect(sleepersOf(free).length).toBeGreaterThan(0);
    endSleepers(free);
  },
);

test.skipIf(!canConfine)("a sandbox that was not yet bound to Stint's life is found by its room", async () => {
  const world = createWorld();
  const token = newToken();
  const enclosure = world.enclose(await world.find());
  const { argv, cwd, env } = enclosure.enter({
    argv: ["sleep", `${token}.1`],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  });
  const unbound = argv.filter((word) => word !== "--die-with-parent");
  // An orphan in a session of its own, as a sandbox is whose Stint was killed.
  spawnSync("setsid", ["sh", "-c", '"$@" &', "orphan", ...unbound], { cwd, env, stdio: "ignore" });
  while (sleepersOf(token).length === 0) await pause(20);
  expect(await endLeftovers({ environWithin: join(world.root, "another-room") })).toEqual([]);
  expect(sleepersOf(token)).toHaveLength(1);
  expect(await endLeftovers({ environWithin: join(world.root, "room") })).toEqual([]);
  expect(sleepersOf(token)).toEqual([]);
});

interface Stopped {
  readonly kind: string;
  readonly tail: string;
}

async function superviseInside(
  world: World,
  line: string,
  options: { idleMsMax?: number; wallMsMax?: number },
): Promise<Stopped> {
  const enclosure = world.enclose(await world.find());
  const entry = { argv: ["/bin/sh", "-c", line], cwd: enclosure.folders.workspace, env: { PATH: "/usr/bin:/bin" } };
  return await supervise({
    wallMsMax: 30_000,
    ...enclosure.enter(entry),
    confined: true,
    logFile: join(world.root, "log"),
    outputBytesMax: 10_000,
    signal: new AbortController().signal,
    ...options,
  });
}

test.skipIf(!canConfine)(
  "a confined program is asked to stop before it is killed, and can still save its work",
  async () => {
    const line = "trap 'echo saved; exit 0' INT; echo ready; while :; do sleep 0.05; done";
    expect(await superviseInside(createWorld(), line, { wallMsMax: 1_500 })).toMatchObject({
      kind: "timeout",
      tail: "ready\nsaved\n",
    });
  },
);

test.skipIf(!canConfine)("a confined program that computes in silence is not idle; one that sleeps is", async () => {
  const world = createWorld();
  const busy = `'${process.execPath}' -e 'const end = Date.now() + 2500; while (Date.now() < end);'`;
  expect(await superviseInside(world, busy, { idleMsMax: 1_000 })).toMatchObject({ kind: "exited", code: 0 });
  expect(await superviseInside(world, "sleep 1000", { idleMsMax: 1_000 })).toMatchObject({ kind: "idle" });
});
