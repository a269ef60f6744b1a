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
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

test("a machine on which nothing can be prepared is at fault itself", async () => {
  const environment = { kind: "spawn-failed", fault: "environment" };
  const env = { PATH: process.env["PATH"] ?? "" };
  vi.stubEnv("PATH", folder);
  expect(await run("exit 0", { env })).toMatchObject({
    ...environment,
    message: expect.stringContaining("spawn mkfifo ENOENT"),
  });
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  expect(await run("exit 0", { env })).toMatchObject({
    ...environment,
    message: expect.stringContaining(`cannot be prepared in ${folder}/gone: no such file or directory`),
  });
});

test("a lack of space or descriptors is reported with how to fix it, and no descriptor is lost", async () => {
  const open = fs.openSync;
  for (const [code, cure] of Object.entries({ ENOSPC: "Free some disk space.", EMFILE: "Raise the limit" })) {
    const opened: number[] = [];
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
      if (path.basename(String(file)) === "output") throw Object.assign(new Error(`${code}: no more`), { code });
      const fd = open(file, flags, mode);
      opened.push(fd);
      return fd;
    });
    const close = vi.spyOn(fs, "closeSync");
    expect(await run("exit 0", { stdin: "prompt" })).toMatchObject({
      kind: "spawn-failed",
      fault: "environment",
      message: expect.stringContaining(`: no more. ${cure}`),
    });
    expect(opened.length).toBeGreaterThan(1);
    expect(close.mock.calls.flat()).toEqual(expect.arrayContaining(opened));
    vi.restoreAllMocks();
  }
});

test("what fails to start while Stint is being stopped was stopped", async () => {
  const stop = new AbortController();
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  const running = run("exit 0", { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ kind: "aborted" });
});

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
