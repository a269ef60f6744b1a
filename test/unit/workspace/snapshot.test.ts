import { writeFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untrackedPaths, snapshot } from "../../../src/workspace/snapshot.ts";
import { around, rig, sh, write, ann, at } from "../../rig/git.ts";
import { execFileSync } from "node:child_process";

const paths = (changes: readonly { readonly path: string }[]): string[] => changes.map((change) => change.path);

test("work is snapshotted on its base, excludes are honoured, set-up's files are not the agent's", async () => {
  const r = await rig({ "a.txt": "a\n", ".gitignore": "dist/\n" });
  writeFileSync(join(r.user, ".git/info/exclude"), "*.secret\n");
  const again = await around(r.root, r.user);
  const checkout = await again.checkout();
  write(checkout.dir, { "made by setup": "s", "gen/x": "x" });
  const exclude = await untrackedPaths(again.control, checkout);
  expect(exclude).toEqual(["gen/x", "made by setup"]);
  write(checkout.dir, { "a.txt": "b\n", "dist/out": "o", "x.secret": "s", "gen/y": "y", "made by setup": "s2" });
  const taken = await again.take(checkout, exclude);
  expect(taken.problems).toEqual([]);
  expect(taken.changes.map((change) => `${change.status} ${change.path}`)).toEqual(["M a.txt", "A gen/y"]);
  expect(sh(again.control.dir, "rev-parse", `${taken.commit}^`)).toBe(again.base);
  expect(sh(again.control.dir, "for-each-ref", "--format=%(objectname)", "refs/stint/rescue")).toBe(taken.commit);
  expect((await again.take(checkout, exclude)).tree).toBe(taken.tree);
});

test("nothing changed is empty and makes no commit", async () => {
  const r = await rig();
  const checkout = await r.checkout();
  sh(checkout.dir, "commit", "-q", "--allow-empty", "-m", "noise");
  expect(await r.take(checkout)).toMatchObject({ empty: true, commit: r.base, changes: [], problems: [] });
});

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

test("a snapshot ends when it is aborted, leaves nothing, and can be taken again", async () => {
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
