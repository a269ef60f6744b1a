import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { lookUp, type Tree } from "../../../src/sandbox/tree-lookup.ts";
import { canLayer, inside } from "../../rig/layers.ts";
import { tempDir, write } from "../../rig/git.ts";
import { diceOf } from "../../rounds/dice.ts";

function found(tree: Tree, path: string, follow = true): string {
  const result = lookUp(tree, path, { follow });
  return typeof result === "string" ? result : `${result.kind} ${result.path}`;
}

test("a path is looked up as a process in the folder would, and never outside it", () => {
  const dir = tempDir();
  write(dir, { "a/b.txt": "b", "c.txt": "c" });
  symlinkSync("a", join(dir, "link"));
  symlinkSync("../c.txt", join(dir, "a/up"));
  symlinkSync("../../etc/passwd", join(dir, "a/out"));
  symlinkSync("/etc", join(dir, "etc"));
  symlinkSync("nowhere", join(dir, "dangling"));
  symlinkSync("round", join(dir, "round"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  const cases: Record<string, string> = {
    "": "folder ",
    ".": "folder ",
    "a/b.txt": "file a/b.txt",
    "link/b.txt": "file a/b.txt",
    "link/up": "file c.txt",
    "link/../c.txt": "file c.txt",
    "a/../../x": "outside",
    "a/out": "outside",
    "etc/passwd": "outside",
    dangling: "absent",
    round: "loop",
    "c.txt/x": "absent",
    "c.txt/..": "absent",
    missing: "absent",
    pipe: "other pipe",
  };
  for (const [path, expected] of Object.entries(cases)) expect(found([dir], path), path).toBe(expected);
  expect(found([dir], "link", false)).toBe("link link");
  expect(found([dir], "dangling", false)).toBe("link dangling");
});

test.skipIf(!canLayer)("several folders are looked up as the kernel joins them", () => {
  for (const seed of Array.from({ length: 40 }, (_, at) => at)) {
    const dice = diceOf(seed);
    const path = () => Array.from({ length: 1 + dice.below(3) }, () => dice.pick(["a", "b", "c"])).join("/");
    const root = tempDir();
    const tree: Tree = [join(root, "top"), join(root, "middle"), join(root, "bottom")];
    for (const [at, dir] of tree.entries()) {
      mkdirSync(dir);
      for (let left = 4; left > 0; left--) put(join(dir, path()), dice.below(at === 2 ? 3 : 4));
    }
    const upper = join(root, "seen");
    mkdirSync(upper);
    const asked = Array.from({ length: 12 }, path);
    const script = asked
      .map((one) => `[ -d ${one} ] && echo folder || { [ -f ${one} ] && echo file || echo absent; }`)
      .join("\n");
    const seen = inside({ lower: tree, upper }, script).trim().split("\n");
    const kinds = asked.map((one) => found(tree, one).split(" ")[0]);
    expect(
      kinds.map((kind) => (kind === "loop" ? "absent" : kind)),
      `seed ${seed}: ${asked.join(" ")}`,
    ).toEqual(seen);
  }
});

/** A file, a folder, a link, or a mark of something removed, if its place is free. */
function put(path: string, what: number): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (what === 0) writeFileSync(path, "x", { flag: "wx" });
    else if (what === 1) mkdirSync(path, { recursive: true });
    else if (what === 2) symlinkSync("b", path);
    else execFileSync("mknod", [path, "c", "0", "0"], { stdio: "ignore" });
  } catch {
    // Something else is there.
  }
}
