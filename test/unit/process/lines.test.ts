import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { splitLines } from "../../../src/process/lines.ts";
import { isAlive } from "../../../src/process/identity.ts";
import type { ProcessIdentity } from "../../../src/engine/session.ts";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("lines end at newlines and nowhere else, and need none at the end", () => {
  const separators = "a\u2028b\u2029c\u0085d\ve\ff\rg";
  expect(heard([Buffer.from(`${separators}\r\n\n\nlast`)])).toEqual([separators, "last"]);
});

test("NUL and bytes that are no UTF-8 are heard as text", () => {
  expect(heard([Buffer.from([0x61, 0, 0x62, 10, 0xff, 0xc3, 10, 0xe2, 0x82])])).toEqual([
    "a\0b",
    "\uFFFD\uFFFD",
    "\uFFFD",
  ]);
});

test("however the bytes are cut, also within a character, the lines are the same", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 5 })), (text, cuts) => {
      const whole = Buffer.concat([Buffer.from("é\u2028"), text, Buffer.from("\n€ and "), text]);
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const length = cuts[turn] ?? 3;
        chunks.push(whole.subarray(at, at + length));
        at += length;
      }
      return heard(chunks).join("\n") === heard([whole]).join("\n");
    }),
  );
});

test("a line beyond the limit is dropped whole, one of just the limit is heard, and so is the next", () => {
  const lines = `${"x".repeat(11)}\n${"y".repeat(10)}\nz\n${"x".repeat(11)}`;
  expect(heard([Buffer.from(lines)], 10)).toEqual(["y".repeat(10), "z"]);
  expect(
    heard(
      Array.from(Buffer.from(lines), (byte) => Buffer.of(byte)),
      10,
    ),
  ).toEqual(["y".repeat(10), "z"]);
});

test("each line of standard output is heard, errors are only kept", async () => {
  const lines: string[] = [];
  const ended = await run("echo one; echo oops >&2; printf two", { hear: (line) => (lines.push(line), "more") });
  expect(lines).toEqual(["one", "two"]);
  expect(ended.tail).toMatch(/one\n(two)?oops\n(two)?/);
});

test("a last line without a newline is heard although somebody holds the pipe, and nothing is heard afterwards", async () => {
  const lines: string[] = [];
  let holder = 0;
  const ended = await run("printf last", {
    hear: (line) => (lines.push(line), "more"),
    started: async ({ pid }) => {
      holder = fs.openSync(`/proc/${pid}/fd/1`, "w");
    },
  });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "last" });
  expect(lines).toEqual(["last"]);
  expect(() => fs.writeSync(holder, " and more\n")).toThrow("EPIPE");
  fs.closeSync(holder);
  await new Promise(setImmediate);
  expect(lines).toEqual(["last"]);
});

test("a listener with a bug fails the session, and its processes are ended", async () => {
  const processes: ProcessIdentity[] = [];
  const bug = (): never => {
    throw new Error("Internal error: expected a line, but was another");
  };
  const started = async (identity: ProcessIdentity): Promise<void> => void processes.push(identity);
  await expect(run("echo x; exec sleep 1000", { hear: bug, started })).rejects.toThrow(
    "Internal error: expected a line",
  );
  await expect(run("printf x", { hear: bug, started })).rejects.toThrow("Internal error: expected a line");
  expect(processes.map(isAlive)).toEqual([false, false]);
});

test("a child that hangs after its last word is ended after the grace period, as final", async () => {
  expect(await run("echo end; exec sleep 1000", hangsAfter)).toMatchObject({ kind: "final", survivors: [] });
});

test("control: without a last word the same child runs into its wall time", async () => {
  const ended = await run("echo more; exec sleep 1000", { ...hangsAfter, wallMsMax: 300 });
  expect(ended).toMatchObject({ kind: "timeout" });
});

test("after the last word neither silence nor the wall time counts, only the grace period", async () => {
  const ended = await run("echo end; exec sleep 1000", {
    ...hangsAfter,
    finalGraceMs: 600,
    wallMsMax: 400,
    idleMsMax: 200,
  });
  expect(ended).toMatchObject({ kind: "final" });
});

test("a child that ends by itself after its last word keeps its exit code", async () => {
  expect(await run("echo end; exit 0", hangsAfter)).toMatchObject({ kind: "exited", code: 0 });
  expect(await run("echo end; exit 3", { ...hangsAfter, finalGraceMs: 20_000 })).toMatchObject({
    kind: "exited",
    code: 3,
  });
});

test("a child that ends after its last word is not waited for because its own child holds the pipe", async () => {
  const ended = await run("sleep 1000 & echo end; exit 0", { ...hangsAfter, finalGraceMs: 20_000 });
  expect(ended).toMatchObject({ kind: "exited", code: 0, survivors: [] });
});

test("an abort during the grace period is an abort", async () => {
  const stop = new AbortController();
  const hear = (): "final" => {
    stop.abort();
    return "final";
  };
  const ended = await run("echo end; exec sleep 1000", { hear, signal: stop.signal, stopLadderStepMs: 20 });
  expect(ended).toMatchObject({ kind: "aborted" });
});

const hangsAfter = {
  hear: (line: string) => (line === "end" ? "final" : "more"),
  finalGraceMs: 100,
  stopLadderStepMs: 20,
} satisfies Partial<SuperviseOptions>;

function heard(chunks: readonly Buffer[], bytesMax = 1_000_000): string[] {
  const lines: string[] = [];
  const splitter = splitLines(bytesMax, (line) => lines.push(line));
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return lines;
}

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
