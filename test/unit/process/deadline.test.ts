import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

test("a limit longer than a timer can hold does not end the child at once", async () => {
  expect(await run("exit 5", { wallMsMax: 10_000_000_000 })).toMatchObject({ kind: "exited", code: 5 });
});

test("a jump of the wall clock ends no child", async () => {
  const ended = await run("sleep 0.3; exit 6", {
    wallMsMax: 40_000,
    idleMsMax: 20_000,
    started: async () => {
      const real = Date.now();
      vi.spyOn(Date, "now").mockImplementation(() => real + 86_400_000);
    },
  });
  expect(ended).toMatchObject({ kind: "exited", code: 6 });
});

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
