import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findOrFill, type SetupCache } from "../../../src/workspace/setup-cache.ts";

let dir: string;
let cache: SetupCache;
const key = "install";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "stint-turns-"));
  cache = { dir, useOf: ["run"], keepFor: () => "run" } as unknown as SetupCache;
});

afterEach(() => rmSync(dir, { recursive: true }));

function turn(signal: AbortSignal) {
  return findOrFill({ cache, key }, { commit: "c", signal, shown: (_, work) => work() });
}

test("who is aborted does not wait for another lane's set-up; who is not gets its turn when that is over", async () => {
  const first = await turn(new AbortController().signal);
  await expect(turn(AbortSignal.abort())).rejects.toThrow("aborted");
  const second = turn(new AbortController().signal);
  first.done();
  expect((await second).found).toBeUndefined();
});
