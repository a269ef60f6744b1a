import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Control } from "../../../src/git/control.ts";
import type { Checkout } from "../../../src/workspace/checkout.ts";
import { leavesTree, listUntracked, removeNewcomers } from "../../../src/workspace/untracked.ts";
import { sh, tempDir, write } from "../../rig/git.ts";

const control = { objectFormat: "sha1" } as Control;

test("everything but tracked files, their folders and .git is listed, ignored or not, in bytes", async () => {
  const checkout = tracked({ "a.txt": "a", "d/e/b.txt": "b", ".gitignore": "out\n" });
  write(checkout.dir, { "out/x": "x", "d/new": "n" });
  writeFileSync(Buffer.concat([Buffer.from(`${checkout.dir}/`), Buffer.from([0xff])]), "");
  expect([...(await listUntracked(control, checkout)).keys()].toSorted()).toEqual(["d/new", "out", "out/x", "\xff"]);
});

test("a link in the place of a tracked folder or file is not tracked", async () => {
  const checkout = tracked({ "a.txt": "a", "d/b.txt": "b" });
  rmSync(join(checkout.dir, "d"), { recursive: true });
  symlinkSync("/etc", join(checkout.dir, "d"));
  expect([...(await listUntracked(control, checkout)).keys()]).toEqual(["d"]);
});

test("a submodule's folder is tracked, and nothing in it is", async () => {
  const checkout = tracked({ "a.txt": "a" });
  sh(checkout.dir, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
  write(checkout.dir, { "sub/x": "x" });
  expect([...(await listUntracked(control, checkout)).keys()]).toEqual(["sub/x"]);
});

test("newcomers are removed; what was there before stays, and whether it is as it was is reported", async () => {
  const checkout = tracked({ "a.txt": "a" });
  write(checkout.dir, { "made/x": "x" });
  const before = await listUntracked(control, checkout);
  write(checkout.dir, { "made/y": "y", "new/z": "z" });
  expect(await removeNewcomers(control, checkout, before)).toBe(true);
  expect(["made/x", "made/y", "new", "a.txt"].map((path) => existsSync(join(checkout.dir, path)))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const { dir } = checkout;
  writeFileSync(join(dir, "made/x"), "y");
  utimesSync(join(dir, "made/x"), 0, 0);
  expect(await removeNewcomers(control, checkout, before)).toBe(false);
  rmSync(join(dir, "made"), { recursive: true });
  expect(await removeNewcomers(control, checkout, before)).toBe(false);
});

test("a link leaves the tree if where it points, or where it ends, is outside and could be changed", async () => {
  const outside = tempDir();
  const leaves = async (make: (dir: string) => void): Promise<boolean> => {
    const checkout = tracked({ "a.txt": "a" });
    make(checkout.dir);
    return leavesTree(checkout, await listUntracked(control, checkout));
  };
  expect(await leaves((dir) => symlinkSync("a.txt", join(dir, "in")))).toBe(false);
  expect(await leaves((dir) => symlinkSync(outside, join(dir, "out")))).toBe(true);
  expect(await leaves((dir) => symlinkSync(join(outside, "not", "yet"), join(dir, "dangling")))).toBe(true);
  expect(
    await leaves((dir) => {
      symlinkSync(dir, join(outside, "back"));
      symlinkSync(join(outside, "back", "a.txt"), join(dir, "round"));
    }),
  ).toBe(true);
});

/** Returns a folder in which exactly these files are tracked. */
function tracked(files: Record<string, string>): Checkout {
  const dir = join(tempDir(), "tree");
  mkdirSync(dir);
  sh(dir, "init", "-q");
  write(dir, files);
  sh(dir, "add", "-A");
  return { dir, index: join(dir, ".git/index") } as Checkout;
}
