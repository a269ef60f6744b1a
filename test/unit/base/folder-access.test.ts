import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accessFlaw, whyNoTemporaryFiles } from "../../../src/base/folder-access.ts";
import { findSandbox } from "../../../src/sandbox/find.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "folder-access-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("a folder for temporary files that does not exist is named with what to do; one that can be used is not", () => {
  vi.stubEnv("TMPDIR", folder);
  expect(whyNoTemporaryFiles()).toBeUndefined();
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  expect(whyNoTemporaryFiles()).toBe(
    `${folder}/gone, the folder for temporary files, is not writable (no such file or directory). Create it, or set TMPDIR to another folder.`,
  );
});

test("something that exists but cannot be written to is not to be created", () => {
  writeFileSync(join(folder, "file"), "", { mode: 0o600 });
  expect(accessFlaw(join(folder, "file", "below"))).toMatchObject({ cure: "Create it." });
  expect(accessFlaw(join(folder, "file"))).toMatchObject({ cure: "Fix its permissions." });
});

test("no sandbox is looked for without a folder for temporary files", async () => {
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  const found = await findSandbox({ mode: "auto", env: process.env, hidden: [], mounts: [] });
  expect(found).toMatchObject({ failure: { reason: "no-tmp", message: whyNoTemporaryFiles() } });
});
