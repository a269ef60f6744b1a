import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { boundDisk, boundProcesses, defaultBounds } from "../../src/process/bounds.ts";
import { runSession } from "../../src/agents/driver-kit/session.ts";
import { type ProcessStat, readProcessTable } from "../../src/process/table.ts";
import { type Ended, supervise, type SuperviseOptions } from "../../src/process/supervise.ts";
import { noSandbox } from "../../src/sandbox/sandbox.ts";
import { evaluateCheck } from "../../src/checks/evaluate-check.ts";
import { sessionRequest } from "../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => {
  for (const pid of standingIn(folder)) process.kill(pid, "SIGKILL");
  fs.rmSync(folder, { recursive: true });
});

/** Doubles until so many have been started in all, and then stays; every one of them ends by itself after a while. */
const bomb = `
bomb() {
  echo x >> count
  if [ "$(wc -l < count)" -lt 120 ]; then bomb & bomb & fi
  sleep 30
}
bomb`;

test("a fork bomb is ended and leaves nothing", async () => {
  const ended = await run(bomb, { bounds: { processesMax: 20 } });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 20 processes", survivors: [] });
  expect(standingIn(folder)).toEqual([]);
});

test("control: the same bomb goes off where as many are allowed, and only the wall time ends it", async () => {
  const ended = await run(bomb, { bounds: { processesMax: 10_000 }, wallMsMax: 3_000 });
  expect(ended).toMatchObject({ kind: "timeout", survivors: [] });
  expect(fs.readFileSync(path.join(folder, "count"), "utf8").split("\n").length).toBeGreaterThan(20);
});

test("many processes one after the other are no bomb", async () => {
  const ended = await run("for i in $(seq 100); do /bin/true; done; exit 5", { bounds: { processesMax: 20 } });
  expect(ended).toMatchObject({ kind: "exited", code: 5 });
});

test("threads count as well", async () => {
  const ended = await run("", {
    argv: [process.execPath, "-e", "setTimeout(() => {}, 30_000)"],
    bounds: { threadsMax: 3 },
  });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 3 threads", survivors: [] });
});

test("memory of all processes together counts", async () => {
  const eat = "const eaten = Buffer.alloc(90_000_000, 1); setTimeout(() => eaten, 30_000)";
  const script = `"$0" -e "${eat}" & "$0" -e "${eat}" & wait`;
  const argv = ["sh", "-c", script, process.execPath];
  const ended = await run("", { argv, bounds: { memoryBytesMax: 150_000_000 } });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 150 MB of memory", survivors: [] });
});

test("memory that processes share counts once", () => {
  const mine = readProcessTable().find(({ pid }) => pid === process.pid) as ProcessStat;
  // As the table would show it if this process had forked: all resident, nearly nothing of its own.
  const crowd = Array.from({ length: 20 }, () => ({ ...mine, residentBytes: 50_000_000_000 }));
  const what = (memoryBytesMax: number) => {
    using bound = boundProcesses({ ...defaultBounds(), memoryBytesMax });
    return bound.exceeds(crowd);
  };
  expect(what(100_000_000_000)).toBeUndefined();
  expect(what(1_000_000)).toBe("more than 1 MB of memory");
});

test("sessions side by side share the machine: none is too large alone, and the largest has to yield", () => {
  const mine = readProcessTable().find(({ pid }) => pid === process.pid) as ProcessStat;
  const bounds = { ...defaultBounds(), threadsOfAllMax: 100 };
  using small = boundProcesses(bounds);
  using large = boundProcesses(bounds);
  const together = "more than 100 threads together with what ran beside it, and the most of all";
  expect(small.exceeds([{ ...mine, threads: 40 }])).toBeUndefined();
  expect(large.exceeds([{ ...mine, threads: 60 }])).toBeUndefined();
  expect(large.exceeds([{ ...mine, threads: 70 }])).toBe(together);
  expect(small.exceeds([{ ...mine, threads: 40 }])).toBeUndefined();
  large[Symbol.dispose]();
  expect(small.exceeds([{ ...mine, threads: 90 }])).toBeUndefined();
});

test("what is written into the session's folders counts", async () => {
  const ended = await run("head -c 60000000 /dev/urandom > big; exec sleep 30", {
    bounds: { diskBytesMax: 30_000_000 },
  });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 30 MB of disk", survivors: [] });
  // The control: where as much is allowed, nothing else stops it.
  const free = await run("head -c 60000000 /dev/urandom > all; exit 5", { bounds: { diskBytesMax: 90_000_000 } });
  expect(free).toMatchObject({ kind: "exited", code: 5 });
  expect(fs.statSync(path.join(folder, "all")).size).toBe(60_000_000);
});

test("a file that was deleted but is still open counts", async () => {
  const script = "exec 4> big; rm big; head -c 60000000 /dev/urandom >&4; exec sleep 30";
  const ended = await run(script, { bounds: { diskBytesMax: 30_000_000 } });
  expect(ended).toMatchObject({ kind: "exceeded", what: "more than 30 MB of disk" });
});

test("on a nearly full disk, who filled it is ended, and who wrote little goes on", async () => {
  const bounds = defaultBounds();
  const bound = (freeBefore: number, free: number, written: number) => boundDisk({ freeBefore, free, written }, bounds);
  expect(bound(6e9, 0.9e9, 5e9)).toBe("so much disk that less than 1 GB is left");
  expect(bound(1.4e9, 0.9e9, 0.5e9)).toBeUndefined();
  expect(bound(6e9, 1.1e9, 5e9)).toBeUndefined();
  // A disk that had little from the start is no free ticket: who takes most of that has filled it, too.
  expect(bound(0.9e9, 0.2e9, 0.7e9)).toBe("so much disk that less than 1 GB is left");
  expect(bound(0.9e9, 0, 0.4e9)).toBeUndefined();
  expect(bound(0.9e9, 0.4e9, 0.5e9)).toBeUndefined();
  expect(bound(0.05e9, 0, 0.05e9)).toBeUndefined();

  const { bavail, bsize } = fs.statfsSync(folder);
  const ended = await run("echo little > small; sleep 2; exit 5", { bounds: { diskFreeBytesMin: bavail * bsize * 2 } });
  expect(ended).toMatchObject({ kind: "exited", code: 5 });
});

test("files that were there before, sparse files and files elsewhere are not charged to the session", async () => {
  const before = path.join(folder, "before");
  fs.writeFileSync(before, Buffer.alloc(60_000_000, 1));
  // Beyond the ticks by which a file system's clock may be behind.
  await until(() => Date.now() - fs.statSync(before).ctimeMs > 1_100);
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "supervise-neighbour-"));
  const script = `truncate -s 10G sparse; head -c 60000000 /dev/urandom > ${elsewhere}/big; sleep 2; exit 5`;
  expect(await run(script, { bounds: { diskBytesMax: 30_000_000 } })).toMatchObject({ kind: "exited", code: 5 });
  fs.rmSync(elsewhere, { recursive: true });
});

test("a session that used too much has crashed, and says by what", async () => {
  const request = sessionRequest(folder, { wallMsMax: 30_000 });
  const outcome = await runSession(request, { argv: ["sh", "-c", greedy], conclude: () => ({ kind: "ok" }) });
  expect(outcome.outcome).toEqual({ kind: "crashed", detail: "it used more than 1000 processes and was stopped" });
});

test("a check that used too much is broken, because it did not answer", async () => {
  const room = { workspace: folder, home: folder, visible: [], network: true };
  const context = {
    tree: [folder] as const,
    within: folder,
    enclosure: noSandbox.enclose(room),
    env: { PATH: process.env["PATH"] ?? "" },
    logFile: path.join(folder, "log"),
  };
  const at = { file: "plan.md", line: 1, column: 1 };
  const check = {
    kind: "run",
    run: greedy,
    cwd: ".",
    env: {},
    timeoutMs: 30_000,
    network: true,
    red: true,
    at,
  } as const;
  const result = await evaluateCheck(check, { ...context, signal: new AbortController().signal });
  expect(result).toMatchObject({
    state: "broken",
    why: "used more than 1000 processes and was stopped. Make the command need less.",
  });
});

const greedy = "for i in $(seq 1010); do sleep 30 & done; wait";

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return supervise({
    argv: ["sh", "-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", STINT_SESSION: folder },
    marker: `STINT_SESSION=${folder}`,
    cwdWithin: folder,
    folders: [folder],
    logFile: path.join(folder, "log"),
    outputBytesMax: 100_000,
    wallMsMax: 50_000,
    stopLadderStepMs: 20,
    signal: new AbortController().signal,
    ...options,
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function standingIn(place: string): number[] {
  return readProcessTable()
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(place);
      } catch {
        return false;
      }
    });
}
