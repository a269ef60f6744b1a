import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceLimits } from "../../../src/workspace/limits.ts";
import { findFurnished } from "../../../src/workspace/furnished.ts";
import { snapshot } from "../../../src/workspace/snapshot.ts";
import { ann, at, commitAll, rig, sh, tempDir, write } from "../../rig/git.ts";

const paths = (changes: readonly { readonly path: string }[]): string[] => changes.map((change) => change.path);

test("work is taken although our index beside the workspace is gone or damaged", async () => {
  const r = await rig({ ".gitattributes": "*.bin filter=lfs\n", "a.txt": "a\n", "b.txt": "b\n", "x.bin": "p" });
  const damages: ((index: string) => void)[] = [
    () => undefined,
    (index) => truncateSync(index, 0),
    (index) => writeFileSync(index, "garbage"),
    (index) => truncateSync(index, readFileSync(index).length - 30),
    (index) => rmSync(index),
    (index) => {
      rmSync(index);
      mkdirSync(join(index, "folder"), { recursive: true });
    },
    (index) => {
      rmSync(index);
      execFileSync("mkfifo", [index]);
    },
    (index) => {
      const bytes = readFileSync(index);
      writeFileSync(index, bytes.fill(1, 60, 70));
    },
  ];
  for (const damage of damages) {
    const checkout = await r.checkout();
    write(checkout.dir, { "a.txt": "work\n", "x.bin": "q" });
    damage(checkout.index);
    const taken = await r.take(checkout);
    expect(paths(taken.changes)).toEqual(["a.txt", "x.bin"]);
    expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([["filtered", "x.bin"]]);
    expect((await r.take(checkout)).tree).toBe(taken.tree);
  }
});

test("a list of set-up's files that cannot be read is empty, and what is no path in the tree is dropped", async () => {
  const dir = tempDir();
  const found = async (text: string | null): Promise<unknown> => {
    rmSync(join(dir, "set-up-made.json"), { force: true });
    if (text !== null) writeFileSync(join(dir, "set-up-made.json"), text);
    return (await findFurnished({ dir, commit: "0".repeat(40), branch: null, identity: ann }))?.madePaths;
  };
  expect(await found("[]")).toBeUndefined();
  symlinkSync("/nonexistent", join(dir, "tree"));
  expect(await found('["gen/x","b"]')).toEqual(["gen/x", "b"]);
  for (const text of [null, "", "[1", "{}", "null", '[1,"../x","/etc","a/../../b","a\\u0000b",""]'])
    expect(await found(text)).toEqual([]);
  rmSync(join(dir, "set-up-made.json"), { force: true });
  execFileSync("mkfifo", [join(dir, "set-up-made.json")]);
  const waited = await findFurnished({ dir, commit: "0".repeat(40), branch: null, identity: ann });
  expect(waited?.madePaths).toEqual([]);
});

test("a huge file is refused without being read; ignored or made by set-up it is left alone", async () => {
  const r = await rig({ "a.txt": "a\n", ".gitignore": "ignored/\n", "t.bin": "t" });
  write(r.user, { "ignored/tracked": "t" });
  sh(r.user, "add", "-f", "ignored/tracked");
  const base = commitAll(r.user);
  const checkout = await r.checkout(base);
  const huge = (path: string): void => {
    write(checkout.dir, { [path]: "" });
    truncateSync(join(checkout.dir, path), 1_000_000_000_000);
  };
  huge("ignored/x");
  huge("made");
  write(checkout.dir, { "a.txt": "work\n", small: "s" });
  truncateSync(join(checkout.dir, "small"), 1_000_000);
  const honest = await r.take(checkout, ["made"]);
  expect(honest.problems).toEqual([]);
  expect(paths(honest.changes)).toEqual(["a.txt", "small"]);
  huge("t.bin");
  huge("dir/ü *");
  huge("ignored/tracked");
  const taken = await r.take(checkout, ["made"]);
  const message = (path: string): string => `${path} is larger than 500 MB; it may not be part of a task.`;
  expect(taken.problems).toEqual(
    ["dir/ü *", "ignored/tracked", "t.bin"].map((path) => ({ kind: "too-large", path, message: message(path) })),
  );
  expect(paths(taken.changes)).toEqual(["a.txt", "small"]);
  expect(workspaceLimits.candidateFileBytesMax).toBe(500_000_000);
});

test("a file that is not in its declared encoding is a problem, and what else there is is kept", async () => {
  const r = await rig({ "a.txt": "a\n" });
  const checkout = await r.checkout();
  write(checkout.dir, { ".gitattributes": "*.u16 working-tree-encoding=UTF-16\n", "a.txt": "work\n" });
  writeFileSync(join(checkout.dir, "right.u16"), Buffer.from("\uFEFFhi", "utf16le"));
  expect((await r.take(checkout)).problems).toEqual([]);
  write(checkout.dir, { "one.u16": "no mark", "two.u16": "none either" });
  const taken = await r.take(checkout);
  expect(taken.problems.map((problem) => [problem.kind, problem.path])).toEqual([
    ["unreadable", "one.u16"],
    ["unreadable", "two.u16"],
  ]);
  expect(paths(taken.changes)).toEqual([".gitattributes", "a.txt", "right.u16"]);
});

test("a lock a dead process left on a rescue ref does not stop the next snapshot", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  write(checkout.dir, { "a.txt": "work\n" });
  const ref = "refs/stint/rescue/r/t/1";
  mkdirSync(join(r.control.dir, "refs/stint/rescue/r/t"), { recursive: true });
  writeFileSync(join(r.control.dir, `${ref}.lock`), "");
  expect(() => sh(r.control.dir, "update-ref", ref, r.base)).toThrow("File exists");
  const taken = await snapshot(r.control, checkout, { base: r.base, message: "m", identity: ann, ref, at });
  expect(sh(r.control.dir, "rev-parse", ref)).toBe(taken.commit);
});

test("a snapshot ends when it is told to, leaves nothing, and can be taken again", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  write(checkout.dir, { "a.txt": "work\n" });
  const options = { base: r.base, message: "m", identity: ann, ref: "refs/stint/rescue/r/t/1", at };
  const stop = AbortSignal.abort();
  await expect(snapshot(r.control, checkout, { ...options, signal: stop })).rejects.toThrow("abort");
  expect(sh(r.control.dir, "for-each-ref")).toBe("");
  expect(readdirSync(r.root).filter((name) => name.includes(".index."))).toEqual([]);
  const taken = await snapshot(r.control, checkout, { ...options, signal: new AbortController().signal });
  expect(paths(taken.changes)).toEqual(["a.txt"]);
});

test.skipIf(process.getuid?.() === 0)(
  "a workspace whose folders were locked is taken all the same (needs a user other than root)",
  async () => {
    const r = await rig();
    const checkout = await r.checkout();
    write(checkout.dir, { "a.txt": "work\n" });
    chmodSync(checkout.dir, 0o000);
    chmodSync(r.root, 0o500);
    const taken = await r.take(checkout);
    expect(paths(taken.changes)).toEqual(["a.txt"]);
    expect(taken.problems).toEqual([]);
  },
);
