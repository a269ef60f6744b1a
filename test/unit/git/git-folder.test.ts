import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  alternatesFile,
  configFile,
  quoteValue,
  readOptional,
  writeGitFolder,
  writeThrowawayGitFolder,
} from "../../../src/git/git-folder.ts";
import { sh, tempDir } from "../../rig/git.ts";

const hostile = [
  'x"\n[core]\n\tfsmonitor = touch fired\n',
  "x ; not # a comment",
  "back\\slash\\",
  '"quoted"',
  " space ",
];

test.each(hostile)("git reads the value %j back as it is, and nothing else from it", (value) => {
  const file = join(tempDir(), "config");
  writeFileSync(file, `[user]\n\tname = ${quoteValue(value)}\n`);
  expect(sh("/", "config", "--file", file, "-z", "--list")).toBe(`user.name\n${value}\0`);
});

test("a repository that is written by hand is one to git, in either format", async () => {
  for (const format of ["sha1", "sha256"] as const) {
    const dir = join(tempDir(), "made.git");
    const config = configFile(format, { bare: "true", autocrlf: "input" });
    await writeGitFolder(dir, { files: { config, HEAD: "ref: refs/heads/none\n" }, folders: ["objects", "refs"] });
    expect(sh(dir, "rev-parse", "--is-bare-repository", "--show-object-format")).toBe(`true\n${format}`);
    expect(sh(dir, "config", "core.autocrlf")).toBe("input");
    expect(sh(dir, "config", "gc.auto")).toBe("0");
  }
});

test("objects are borrowed from a folder with a newline in its name, which git would otherwise read as two", async () => {
  const root = tempDir();
  const odd = join(root, "#odd\nname");
  sh(root, "init", "-q", "--bare", odd);
  writeFileSync(join(root, "file"), "text");
  const blob = sh(odd, "hash-object", "-w", join(root, "file"));
  const dir = join(root, "borrower.git");
  const files = {
    config: configFile("sha1", { bare: "true" }),
    HEAD: "ref: refs/heads/none\n",
    "objects/info/alternates": alternatesFile([join(odd, "objects")]),
  };
  await writeGitFolder(dir, { files, folders: ["refs"] });
  expect(sh(dir, "cat-file", "-t", blob)).toBe("blob");
});

test("a file that is right stays, one that is not is replaced, and null removes it", async () => {
  const dir = join(tempDir(), "made");
  await writeGitFolder(dir, { files: { same: "1", other: "1", gone: "1" }, folders: [] });
  const before = statSync(join(dir, "same")).ino;
  await writeGitFolder(dir, { files: { same: "1", other: "2", gone: null }, folders: [] });
  expect(statSync(join(dir, "same")).ino).toBe(before);
  expect(readFileSync(join(dir, "other"), "utf8")).toBe("2");
  expect(statSync(join(dir, "other")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(dir, "gone"))).toBe(false);
});

test("a throwaway folder is written only where none is", async () => {
  const dir = join(tempDir(), "made");
  await writeThrowawayGitFolder(dir, { files: { HEAD: "x", shallow: null }, folders: ["refs/tags"] });
  expect([existsSync(join(dir, "refs/tags")), existsSync(join(dir, "shallow"))]).toEqual([true, false]);
  await expect(writeThrowawayGitFolder(dir, { files: { HEAD: "y" }, folders: [] })).rejects.toThrow("EEXIST");
});

test("a file that does not exist reads as null, and one that cannot be read is an error", async () => {
  const dir = tempDir();
  writeFileSync(join(dir, "file"), "text");
  mkdirSync(join(dir, "folder"));
  expect(await readOptional(join(dir, "file"))).toBe("text");
  expect(await readOptional(join(dir, "none"))).toBeNull();
  expect(await readOptional(join(dir, "file/below"))).toBeNull();
  await expect(readOptional(join(dir, "folder"))).rejects.toThrow("EISDIR");
});
