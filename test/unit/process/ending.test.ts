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

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
