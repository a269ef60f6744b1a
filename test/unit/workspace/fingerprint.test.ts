import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseIndex, type IndexEntry } from "../../../src/git/index-file.ts";
import { expectedOf, fingerprints, pathIn, readRegularFile } from "../../../src/workspace/fingerprint.ts";
import { sh, tempDir, write } from "../../rig/git.ts";

const files = { "a.txt": "text\n", "d/run.sh": "#!/bin/sh\n", "d/ü": "", link: "" };

test.each(["sha1", "sha256"] as const)("untouched files are what the index of %s expects", async (format) => {
  const { dir, entries } = staged(`--object-format=${format}`);
  const found = await fingerprints(dir, entries, format);
  expect(entries.map((entry) => found.get(entry))).toEqual(entries.map(expectedOf));
});

test("another byte, mode or kind shows, and so does what cannot be read or would block a reader", async () => {
  const { dir, entries } = staged();
  expect(await found(dir, entries)).toEqual({ "a.txt": "as is", "d/run.sh": "as is", "d/ü": "as is", link: "as is" });
  writeFileSync(join(dir, "a.txt"), "test\n");
  chmodSync(join(dir, "d/run.sh"), 0o644);
  rmSync(join(dir, "d/ü"));
  execFileSync("mkfifo", [join(dir, "d/ü")]);
  rmSync(join(dir, "link"));
  writeFileSync(join(dir, "link"), "a.txt");
  expect(await found(dir, entries)).toMatchObject({
    "a.txt": "100644",
    "d/run.sh": "100644",
    "d/ü": "not-a-file",
    link: "100644",
  });
  rmSync(join(dir, "a.txt"));
  expect(await found(dir, entries)).toMatchObject({ "a.txt": "unreadable" });
});

test("the right files behind a linked folder do not count, because they could be others later", async () => {
  const { dir, entries } = staged();
  renameSync(join(dir, "d"), join(dir, "elsewhere"));
  symlinkSync("elsewhere", join(dir, "d"));
  expect(await found(dir, entries)).toEqual({
    "a.txt": "as is",
    "d/run.sh": "no-folder",
    "d/ü": "no-folder",
    link: "as is",
  });
});

test("a name that is not ASCII is given to the file system in its own bytes", () => {
  expect(pathIn("/w", "a b")).toBe("/w/a b");
  expect(pathIn("/w", "\xff")).toEqual(Buffer.from([0x2f, 0x77, 0x2f, 0xff]));
});

test("a regular file is read, and neither a link, a folder nor a pipe", async () => {
  const dir = tempDir();
  writeFileSync(join(dir, "file"), "text");
  truncateSync(join(dir, "file"), 2);
  mkdirSync(join(dir, "folder"));
  symlinkSync("file", join(dir, "link"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  expect(String(await readRegularFile(join(dir, "file")))).toBe("te");
  await expect(readRegularFile(join(dir, "link"))).rejects.toThrow("ELOOP");
  for (const name of ["folder", "pipe"])
    await expect(readRegularFile(join(dir, name))).rejects.toThrow("no longer a regular file");
});

function staged(...init: readonly string[]): { readonly dir: string; readonly entries: IndexEntry[] } {
  const dir = tempDir();
  sh(dir, "init", "-q", ...init);
  write(dir, files);
  chmodSync(join(dir, "d/run.sh"), 0o755);
  rmSync(join(dir, "link"));
  symlinkSync("a.txt", join(dir, "link"));
  sh(dir, "add", "-A");
  const format = init.length > 0 && init[0]?.endsWith("256") === true ? "sha256" : "sha1";
  return { dir, entries: parseIndex(readFileSync(join(dir, ".git/index")), format) };
}

/** Returns the mode, or why there is none, of each file that is not as it was. */
async function found(dir: string, entries: readonly IndexEntry[]): Promise<Record<string, string>> {
  const seen = [...(await fingerprints(dir, entries, "sha1"))].map(([entry, fingerprint]) => [
    Buffer.from(entry.rawPath, "latin1").toString("utf8"),
    fingerprint === expectedOf(entry) ? "as is" : fingerprint.split(" ")[0],
  ]);
  return Object.fromEntries(seen) as Record<string, string>;
}
