import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checksumOf, parseIndex } from "../../../src/git/index-file.ts";
import { sh, tempDir, write } from "../../rig/git.ts";

const names = { "a.txt": "a", "deep/er/ü b": "x", ["long".repeat(40)]: "l", seven: "7", eightees: "8" };

test.each(["sha1", "sha256"] as const)("an index of %s is read as git lists it, whatever the names", (format) => {
  const user = staged(names, `--object-format=${format}`);
  sh(user, "update-index", "--chmod=+x", "a.txt");
  expect(parseIndex(readIndex(user), format).map(({ mode, oid, rawPath }) => line(mode, oid, rawPath))).toEqual(
    sh(user, "ls-files", "--stage", "-z").split("\0").filter(Boolean),
  );
});

test("a file marked in version 3 does not shift the ones after it", () => {
  const user = staged(names);
  sh(user, "update-index", "--skip-worktree", "deep/er/ü b");
  const bytes = readIndex(user);
  expect(bytes.readUInt32BE(4)).toBe(3);
  const paths = parseIndex(bytes, "sha1").map(({ rawPath }) => utf8(rawPath));
  expect(paths).toEqual(Object.keys(names).toSorted());
});

test("the place of an entry is that of its recorded times", () => {
  const user = staged({ a: "a" });
  const bytes = readIndex(user);
  const [entry] = parseIndex(bytes, "sha1");
  const [, seconds] = /ctime: (\d+):/.exec(sh(user, "ls-files", "--debug")) ?? [];
  expect(String(bytes.readUInt32BE(entry?.at))).toBe(seconds);
});

test("a damaged index, one of another version and no index at all are refused", () => {
  const user = staged({ a: "a" });
  const bytes = readIndex(user);
  const damaged = Buffer.from(bytes);
  damaged[20] = (damaged[20] ?? 0) ^ 1;
  expect(() => parseIndex(damaged, "sha1")).toThrow("it is damaged");
  const newer = Buffer.from(bytes);
  newer.writeUInt32BE(4, 4);
  checksumOf(newer, "sha1").copy(newer, newer.length - 20);
  expect(() => parseIndex(newer, "sha1")).toThrow("version 2 or 3, but was 4");
  expect(() => parseIndex(Buffer.from("DIRC"), "sha1")).toThrow("but was 0");
});

/** Returns a new repository with these files in its index. */
function staged(files: Record<string, string>, ...init: readonly string[]): string {
  const user = tempDir();
  sh(user, "init", "-q", ...init);
  write(user, files);
  sh(user, "add", "-A");
  return user;
}

function readIndex(user: string): Buffer {
  return readFileSync(join(user, ".git", "index"));
}

function line(mode: number, oid: string, rawPath: string): string {
  return `${mode.toString(8)} ${oid} 0\t${utf8(rawPath)}`;
}

function utf8(rawPath: string): string {
  return Buffer.from(rawPath, "latin1").toString("utf8");
}
