import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What a Stint of its own, which does nothing but supervise one command, has to tell. */
interface Told {
  readonly peakBytes: number;
  readonly lines: readonly string[];
  readonly ended: { readonly kind: string; readonly tail: string; readonly droppedBytes: number };
}

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "supervise-flood-"));
  const contents = `
    import { redactor } from "./src/base/redact.ts";
    import { supervise } from "./src/process/supervise.ts";
    const [logFile, script] = process.argv.slice(2);
    let lines = [];
    const ended = await supervise({
      argv: ["sh", "-c", script],
      cwd: "/",
      env: { PATH: process.env.PATH },
      logFile,
      outputBytesMax: 20_000_000,
      wallMsMax: 1_000_000,
      redact: redactor(["ONE", "TWO", "THREE"].map((name) => ({ name, value: name + "-7Kq2x9Vz4Wm8" }))),
      hear: (line) => ((lines = [...lines.slice(-2), line.slice(0, 20)]), "more"),
      signal: new AbortController().signal,
    });
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    console.log(JSON.stringify({ peakBytes, lines, ended: { ...ended, tail: ended.tail.slice(-30) } }));`;
  buildSync({
    stdin: { contents, resolveDir: path.join(import.meta.dirname, "..", ".."), loader: "ts" },
    outfile: path.join(folder, "stint.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
  });
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

test("one line of 700 MB is dropped whole, the lines around it are heard, and Stint stays below 100 MB", () => {
  const { peakBytes, lines, ended } = told("echo first; head -c 700000000 /dev/zero; echo; echo ONE-7Kq2x9Vz4Wm8");
  expect(lines).toEqual(["first", "ONE-7Kq2x9Vz4Wm8"]);
  expect(ended).toMatchObject({
    kind: "exited",
    droppedBytes: 680_000_020,
    tail: expect.stringMatching(/\0\n\[secret ONE\]\n$/),
  });
  expect(peakBytes).toBeLessThan(100_000_000);
});

test("a flood of 1 GB of lines is heard to its end, and Stint stays below 100 MB", () => {
  const { peakBytes, lines, ended } = told(`yes ${"x".repeat(9_999)} | head -c 1000000000; echo end`);
  expect(lines.slice(-2)).toEqual(["x".repeat(20), "end"]);
  expect(ended).toMatchObject({ kind: "exited", droppedBytes: 980_000_004 });
  expect(fs.statSync(path.join(folder, "log")).size).toBeLessThan(20_000_100);
  expect(peakBytes).toBeLessThan(100_000_000);
});

test("control: holding the line, as readline does, takes more than 100 MB", () => {
  const holding = `let all = []; process.stdin.on("data", (chunk) => all.push(chunk)).on("end", () =>
    console.log(process.resourceUsage().maxRSS * 1024, all.length > 0));`;
  const script = `head -c 200000000 /dev/zero | "$0" -e '${holding}'`;
  expect(parseInt(execFileSync("sh", ["-c", script, process.execPath]).toString())).toBeGreaterThan(100_000_000);
});

function told(script: string): Told {
  const args = [path.join(folder, "stint.mjs"), path.join(folder, "log"), script];
  return JSON.parse(execFileSync(process.execPath, args).toString()) as Told;
}
