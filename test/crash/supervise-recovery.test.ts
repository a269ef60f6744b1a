import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProcessIdentity } from "../../src/engine/session.ts";
import { identify, isAlive } from "../../src/process/identity.ts";
import { endLeftovers } from "../../src/process/supervise.ts";

let folder: string;
let workspace: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
  workspace = path.join(folder, "workspace");
  fs.mkdirSync(workspace);
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("after kill -9 of Stint, what its session left behind is found and ended", async () => {
  const script = [
    "setsid sh -c 'echo $$ > setsid.pid; exec sleep 1000' &",
    "env -i setsid sh -c 'echo $$ > stranger.pid; exec sleep 1000' &",
    "while [ ! -s setsid.pid ] || [ ! -s stranger.pid ]; do sleep 0.01; done",
    "echo > ready; sleep 1000",
  ].join("\n");
  const stint = startStint(script, "resolve");
  await untilFile(path.join(workspace, "ready"));
  await killHard(stint);
  const left = [recorded(), ...["setsid", "stranger"].map((name) => identify(readPid(name))!)];
  // Control: the death of Stint alone ended none of them.
  expect(left.map(isAlive)).toEqual([true, true, true]);

  expect(await endLeftovers({ identity: recorded(), marker: `STINT_SESSION=${folder}`, cwdWithin: workspace })).toEqual(
    [],
  );
  expect(left.map(isAlive)).toEqual([false, false, false]);
});

test("what a Stint that exits at once was supervising ends with it", async () => {
  const script = [
    "setsid sh -c 'echo $$ > setsid.pid; exec sleep 1000' &",
    "env -i setsid sh -c 'echo $$ > stranger.pid; exec sleep 1000' &",
    "while [ ! -s setsid.pid ] || [ ! -s stranger.pid ]; do sleep 0.01; done",
    'trap "" INT TERM; echo > ready; sleep 1000',
  ].join("\n");
  const stint = startStint(script, "resolve");
  await untilFile(path.join(workspace, "ready"));
  const all = [recorded(), ...["setsid", "stranger"].map((name) => identify(readPid(name))!)];
  expect(all.map(isAlive)).toEqual([true, true, true]);
  stint.kill("SIGINT");
  expect(await once(stint, "exit")).toEqual([130, null]);

  // A killed process needs a moment to disappear; without the kill this would never end.
  while (all.some(isAlive)) await new Promise(setImmediate);
});

test("a daemon of a room is known by the folders its environment names", async () => {
  const room = path.join(folder, "room");
  const daemons = {
    tmpdir: startDaemon({ TMPDIR: `${room}/tmp-1` }),
    home: startDaemon({ HOME: `${room}//home-1` }),
    outbox: startDaemon({ STINT_OUTBOX: room }),
    beside: startDaemon({ TMPDIR: `${room}-2/tmp`, HOME: `${room}/../home`, OTHER: `${room}/tmp`, OLD_HOME: room }),
  };
  await endLeftovers({ cwdWithin: room, environWithin: room });

  expect(Object.values(daemons).map(isAlive)).toEqual([false, false, false, true]);
  await endLeftovers({ identity: daemons.beside });
});

test("a room's folder is known by its real name as well as by the one it was given", async () => {
  fs.symlinkSync(folder, path.join(folder, "link"));
  const daemons = ["link/room/tmp", "room/tmp"].map((name) => startDaemon({ TMPDIR: path.join(folder, name) }));
  await endLeftovers({ environWithin: path.join(folder, "link", "room") });

  expect(daemons.map(isAlive)).toEqual([false, false]);
});

test("a child still held when Stint is killed ends by itself and has run nothing", async () => {
  const stint = startStint("echo > ran", "never");
  await untilFile(path.join(folder, "identity.json"));
  await killHard(stint);
  while (isAlive(recorded())) await new Promise(setImmediate);

  expect(fs.readdirSync(workspace)).toEqual([]);
});

test("a reused pid is not taken for the dead process", async () => {
  const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const identity = identify(stranger.pid!)!;
  const dead = { ...identity, startTime: `${Number(identity.startTime) - 1}` };

  expect(await endLeftovers({ identity: dead, marker: `STINT_SESSION=${folder}`, cwdWithin: workspace })).toEqual([]);
  expect(isAlive(identity)).toBe(true);
  // Honest twin: the true identity is ended.
  await endLeftovers({ identity });
  expect(isAlive(identity)).toBe(false);
});

test("a marker is compared as a whole entry", async () => {
  const environments = [{ ROOM_ID: "12" }, { MY_ROOM_ID: "1" }, { OTHER: "ROOM_ID=1" }, { ROOM_ID: "1" }];
  const children = environments.map((env) => spawn("/bin/sleep", ["1000"], { env, stdio: "ignore" }));
  const identities = children.map((child) => identify(child.pid!)!);
  // Until a child has become its program it still shows this process's environment.
  while (!identities.every(({ pid }) => fs.readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n")) {
    await new Promise(setImmediate);
  }

  await endLeftovers({ marker: "ROOM_ID=1" });
  expect(identities.map(isAlive)).toEqual([true, true, true, false]);
  for (const child of children) child.kill("SIGKILL");
});

test("the folder of a session is never the whole disk", async () => {
  await expect(endLeftovers({ environWithin: "/" })).rejects.toThrow("Internal error: expected a session's folder");
  await expect(endLeftovers({ cwdWithin: "/" })).rejects.toThrow(
    "Internal error: expected a session's folder, but was /",
  );
});

/** Stint in a process of its own: it records the child in a file, and then lets it go or never does. */
function startStint(script: string, record: "resolve" | "never"): ChildProcess {
  const options = {
    argv: ["sh", "-c", script],
    cwd: workspace,
    env: { PATH: process.env["PATH"], STINT_SESSION: folder },
    logFile: path.join(folder, "log"),
    outputBytesMax: 1000,
    wallMsMax: 1_000_000,
    marker: `STINT_SESSION=${folder}`,
    cwdWithin: workspace,
  };
  const source = `
    import fs from "node:fs";
    import { supervise } from "./src/process/supervise.ts";
    const started = async (identity) => {
      fs.writeFileSync(${JSON.stringify(folder)} + "/identity.tmp", JSON.stringify(identity));
      fs.renameSync(${JSON.stringify(folder)} + "/identity.tmp", ${JSON.stringify(folder)} + "/identity.json");
      if (${record === "never"}) await new Promise((resolve) => setTimeout(resolve, 1_000_000));
    };
    process.on("SIGINT", () => process.exit(130));
    await supervise({ ...${JSON.stringify(options)}, signal: new AbortController().signal, started });`;
  const outfile = path.join(folder, "stint.mjs");
  buildSync({
    stdin: { contents: source, resolveDir: path.join(import.meta.dirname, "..", ".."), loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  return spawn(process.execPath, [outfile], { stdio: "inherit" });
}

/** An orphan that stands in no folder of Stint's. */
function startDaemon(env: Record<string, string>): ProcessIdentity {
  const script = "cd /; setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' &";
  return identify(Number(execFileSync("/bin/sh", ["-c", script], { env: { PATH: process.env["PATH"], ...env } })))!;
}

async function killHard(stint: ChildProcess): Promise<void> {
  stint.kill("SIGKILL");
  await once(stint, "exit");
}

function recorded(): ProcessIdentity {
  return JSON.parse(fs.readFileSync(path.join(folder, "identity.json"), "utf8")) as ProcessIdentity;
}

function readPid(name: string): number {
  return Number(fs.readFileSync(path.join(workspace, `${name}.pid`), "utf8"));
}

async function untilFile(file: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!fs.existsSync(file)) return;
      watcher.close();
      resolve();
    };
    // The watcher is set before the first look, so that nothing is missed in between.
    const watcher = fs.watch(path.dirname(file), look);
    look();
  });
}
