import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readProcessStat, isRunning } from "../../../src/process/table.ts";
import { endLeftovers, type Ended, supervise, type SuperviseOptions } from "../../../src/process/supervise.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => {
  for (const pid of Object.values(survivors())) process.kill(pid, "SIGKILL");
  fs.rmSync(folder, { recursive: true });
});

const escapes = {
  setsid: "setsid sh -c 'echo $$ > setsid.pid; exec sleep 1000' &",
  nohup: "nohup sh -c 'echo $$ > nohup.pid; exec sleep 1000' >/dev/null 2>&1 &",
  doubleFork: "( ( sh -c 'echo $$ > doubleFork.pid; exec sleep 1000' & ) )",
  stubborn: `sh -c 'trap "" INT TERM HUP; echo $$ > stubborn.pid; while :; do sleep 1000; done' &`,
  wanderer: `(file="$PWD/wanderer.pid"; cd / && exec setsid sh -c 'echo $$ > "$0"; exec sleep 1000' "$file") &`,
  stranger: "env -i setsid sh -c 'echo $$ > stranger.pid; exec sleep 1000' &",
};
const names = Object.keys(escapes);

/** Starts every escape, waits until each has written its pid, then continues with `then`. */
function escaping(then: string): string {
  const waits = names.map((name) => `while [ ! -s ${name}.pid ]; do sleep 0.01; done`);
  return [...Object.values(escapes), ...waits, "echo > ready", then].join("\n");
}

test("no process survives a normal exit", async () => {
  const ended = await run(escaping("exit 0"));

  expect(ended).toMatchObject({ kind: "exited", code: 0, survivors: [] });
  expect(started()).toEqual(names.toSorted());
  expect(survivors()).toEqual({});
});

test("no process survives an abort, also where INT and TERM are ignored", async () => {
  const stop = new AbortController();
  const running = run(escaping('trap "" INT TERM; while :; do sleep 1000; done'), {
    signal: stop.signal,
    stopLadderStepMs: 20,
  });
  await untilFile("ready");
  stop.abort();

  expect(await running).toMatchObject({ kind: "aborted", survivors: [] });
  expect(started()).toEqual(names.toSorted());
  expect(survivors()).toEqual({});
});

test("no process survives a timeout", async () => {
  const ended = await run(escaping("sleep 1000"), { wallMsMax: 4_000, stopLadderStepMs: 20 });

  expect(ended).toMatchObject({ kind: "timeout", survivors: [] });
  expect(started()).toEqual(names.toSorted());
  expect(survivors()).toEqual({});
});

test.each([
  [true, ["looker"]],
  [false, []],
] as const)("who looks into the folder of a session outlives it if it is confined: %s", async (confined, alive) => {
  fs.writeFileSync(path.join(folder, "looker.pid"), String(startOrphan(folder)));

  expect(await run("exit 0", { cwdWithin: folder, confined })).toMatchObject({ kind: "exited", code: 0 });

  expect(Object.keys(survivors())).toEqual(alive);
});

test("control: killing the process group alone misses the escapes", async () => {
  const child = spawn("sh", ["-c", escaping("sleep 1000")], { cwd: folder, detached: true, stdio: "ignore" });
  await untilFile("ready");
  process.kill(-child.pid!, "SIGKILL");
  await once(child, "exit");

  expect(Object.keys(survivors())).toEqual(expect.arrayContaining(["setsid", "stranger", "wanderer"]));
});

test("a polite child is asked by INT first and may end by itself", async () => {
  const stop = new AbortController();
  const running = run(`trap 'echo saved > saved; exit 0' INT; echo > ready; while :; do sleep 0.01; done`, {
    signal: stop.signal,
  });
  await untilFile("ready");
  stop.abort();

  expect(await running).toMatchObject({ kind: "aborted" });
  expect(fs.readFileSync(path.join(folder, "saved"), "utf8")).toBe("saved\n");
});

test("processes of a neighbour with another marker and folder are left alone", async () => {
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "supervise-neighbour-"));
  const neighbour = spawn("sleep", ["1000"], { cwd: elsewhere, env: { STINT_SESSION: "another" }, stdio: "ignore" });
  await run("exit 0");

  expect(isRunning(readProcessStat(neighbour.pid!)!)).toBe(true);
  neighbour.kill("SIGKILL");
  fs.rmdirSync(elsewhere);
});

test("Stint's own helpers may stand in the folder of a session that ends", async () => {
  const helpers = [
    spawn("sleep", ["1000"], { cwd: folder, stdio: "ignore" }),
    // Ends with its own child, which is a helper as well.
    spawn("sh", ["-c", "sleep 1000; exit"], { cwd: folder, detached: true, stdio: "ignore" }),
  ];
  // Control: an orphan in the same place is nobody's helper.
  const orphan = startOrphan(folder);
  await run("exit 0");
  expect(isStillRunning(orphan)).toBe(false);
  expect(helpers.map(({ pid }) => isStillRunning(pid!))).toEqual([true, true]);
  helpers[0]!.kill("SIGKILL");
  process.kill(-helpers[1]!.pid!, "SIGKILL");
});

test("a session that swaps its folder for a link to another ends nobody there", async () => {
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "supervise-neighbour-"));
  const workspace = path.join(folder, "workspace");
  fs.mkdirSync(workspace);
  const neighbour = startOrphan(elsewhere);
  const swap = `rmdir ${workspace} && ln -s ${elsewhere} ${workspace}`;
  expect(await run(swap, { cwd: workspace, cwdWithin: workspace })).toMatchObject({ kind: "exited", code: 0 });
  await endLeftovers({ cwdWithin: workspace });

  expect(isStillRunning(neighbour)).toBe(true);
  process.kill(neighbour, "SIGKILL");
  fs.rmdirSync(elsewhere);
});

test("nothing waits for the exit of Stint once its sessions have ended", async () => {
  const before = process.listenerCount("exit");
  const during: number[] = [];
  const started = async (): Promise<void> => void during.push(process.listenerCount("exit"));
  await Promise.all([run("exit 0", { started }), run("exit 0", { started, logFile: path.join(folder, "log2") })]);

  expect(during).toEqual([before + 1, before + 1]);
  expect(process.listenerCount("exit")).toBe(before);
});

test("an orphan that holds the pipe does not delay the finish, and its output until then is kept", async () => {
  const ended = await run("setsid sh -c 'echo $$ > setsid.pid; echo orphan; exec sleep 1000' & \n" + until("setsid"));

  expect(ended).toMatchObject({ kind: "exited", code: 0 });
  expect(survivors()).toEqual({});
});

test("control: `close` does not come while an orphan holds the pipe", async () => {
  const script = "setsid sh -c 'echo $$ > setsid.pid; exec sleep 1000' & \n" + until("setsid");
  const child = spawn("sh", ["-c", script], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  let closed = false;
  child.once("close", () => (closed = true));
  await once(child, "exit");
  await new Promise(setImmediate);
  expect(closed).toBe(false);

  process.kill(survivors()["setsid"]!, "SIGKILL");
  await once(child, "close");
});

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return supervise({
    argv: ["sh", "-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", STINT_SESSION: folder },
    marker: `STINT_SESSION=${folder}`,
    cwdWithin: folder,
    logFile: path.join(folder, "log"),
    outputBytesMax: 100_000,
    wallMsMax: 50_000,
    signal: new AbortController().signal,
    ...options,
  });
}

/** A process with nothing that ties it to this one. */
function startOrphan(cwd: string): number {
  const script = "setsid sleep 1000 >/dev/null 2>&1 & echo $!";
  return Number(execFileSync("sh", ["-c", script], { cwd, env: { PATH: process.env["PATH"] } }));
}

function isStillRunning(pid: number): boolean {
  const stat = readProcessStat(pid);
  return stat !== undefined && isRunning(stat);
}

function until(name: string): string {
  return `while [ ! -s ${name}.pid ]; do sleep 0.01; done`;
}

async function untilFile(name: string): Promise<void> {
  const file = path.join(folder, name);
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

function started(): string[] {
  return Object.keys(pids()).toSorted();
}

function pids(): Record<string, number> {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".pid"));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -4), Number(fs.readFileSync(path.join(folder, name), "utf8"))]),
  );
}

function survivors(): Record<string, number> {
  const alive = Object.entries(pids()).filter(([, pid]) => pid > 0 && isStillRunning(pid));
  return Object.fromEntries(alive);
}
