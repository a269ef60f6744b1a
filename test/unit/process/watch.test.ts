import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("a child without output and without processor time is idle", async () => {
  expect(await run("exec sleep 1000", { idleMsMax: 200, stopLadderStepMs: 20 })).toMatchObject({ kind: "idle" });
});

test("a silent child that computes is not idle", async () => {
  const compute =
    "const used = () => { const { user, system } = process.cpuUsage(); return user + system; }; while (used() < 2_000_000);";
  const ended = await run("", { argv: [process.execPath, "-e", compute], idleMsMax: 1_000 });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "" });
});

test("a silent child that only polls is idle, and one that works half the time is not", async () => {
  const poll = (busyMs: number): string =>
    `setInterval(() => { const until = performance.now() + ${busyMs}; while (performance.now() < until); }, 100)`;
  const [polling, working] = await Promise.all(
    [2, 50].map((busyMs) =>
      run("", {
        argv: [process.execPath, "-e", poll(busyMs)],
        logFile: path.join(folder, `${busyMs}.log`),
        idleMsMax: 2_400,
        wallMsMax: 4_000,
        stopLadderStepMs: 20,
      }),
    ),
  );
  expect(polling).toMatchObject({ kind: "idle" });
  expect(working).toMatchObject({ kind: "timeout" });
});

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
