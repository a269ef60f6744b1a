import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as fc from "fast-check";
import { openOutputLog } from "../../../src/process/output.ts";
import { type Ended, supervise } from "../../../src/process/supervise.ts";

let folder: string;
let logFile: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "supervise-"));
  logFile = path.join(folder, "log");
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("output up to the cap is kept as it is, readable by the owner alone", async () => {
  const ended = await run("printf 0123456789", 10);
  expect(ended).toMatchObject({ droppedBytes: 0, tail: "0123456789" });
  expect(fs.readFileSync(logFile, "utf8")).toBe("0123456789");
  expect(fs.statSync(logFile).mode & 0o777).toBe(0o600);
});

test("beyond the cap the middle is dropped, and the log says how much", async () => {
  const ended = await run("printf 'head-%020d-tail' 0", 10);
  expect(ended).toMatchObject({ kind: "exited", code: 0, droppedBytes: 20 });
  expect(fs.readFileSync(logFile, "utf8")).toBe("head-\n[stint: 20 bytes of output dropped here]\n-tail");
});

test("the tail is text, whatever the bytes are", async () => {
  const ended = await run(String.raw`printf 'a\377b'; head -c 50000 /dev/zero | tr '\0' x; printf 'z\303'`, 100_000);
  expect(ended.tail).toHaveLength(16_000);
  expect(ended.tail.endsWith("xz\uFFFD")).toBe(true);
});

test("a log that cannot be opened is a failed start, not a crash", async () => {
  const ended = await supervise({ ...options("exit 0", 10), logFile: path.join(folder, "no", "log") });
  expect(ended.kind).toBe("spawn-failed");
});

test("however output is cut into chunks, head and tail are the same", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 40 }), (parts, cap) => {
      const log = openOutputLog(logFile, cap);
      for (const part of parts) log.write(Buffer.from(part));
      const all = Buffer.concat(parts);
      const { droppedBytes } = log.finish();
      const head = all.subarray(0, Math.floor(cap / 2));
      const notice = Buffer.from(`\n[stint: ${all.length - cap} bytes of output dropped here]\n`);
      const cut = Buffer.concat([head, notice, all.subarray(all.length - (cap - head.length))]);
      expect(droppedBytes).toBe(Math.max(0, all.length - cap));
      expect(fs.readFileSync(logFile).equals(all.length <= cap ? all : cut)).toBe(true);
    }),
  );
});

function options(script: string, outputBytesMax: number) {
  return {
    argv: ["sh", "-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    logFile,
    outputBytesMax,
    wallMsMax: 50_000,
    signal: new AbortController().signal,
  };
}

async function run(script: string, outputBytesMax: number): Promise<Ended> {
  return supervise(options(script, outputBytesMax));
}
