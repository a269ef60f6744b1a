import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { findSandbox } from "../../../src/sandbox/find.ts";
import { treeOf, type Furniture } from "../../../src/workspace/set-up.ts";
import { addableIn, pristineTrees, type Pristine, type Trees } from "../../../src/workspace/pristine.ts";
import { layerIn } from "../../../src/workspace/layered.ts";
import { canLayer, inside, layerTools as layers, listing } from "../../rig/layers.ts";
import { commitAll, rig, sh, tempDir, write, type Rig } from "../../rig/git.ts";
import { diceOf } from "../../rounds/dice.ts";

const signal = new AbortController().signal;

function treesOf(r: Rig, furniture: Partial<Furniture> = {}): Trees & { readonly dir: string } {
  const all = { userEnv: process.env, envNames: [], setup: undefined, sandbox: noSandbox, ...furniture };
  const dir = join(r.root, "trees");
  return { ...pristineTrees({ control: r.control, furniture: all, layers, dir }), dir };
}

async function made(trees: Trees, commit: string, without?: string): Promise<Pristine> {
  const held = await trees.hold({ commit, without, logDir: tempDir(), signal });
  if (!held.made.ok) throw new Error(held.made.failure.message);
  held.release();
  return held.made.value;
}

async function seenIn({ tree }: Pick<Pristine, "tree">, script: string): Promise<string> {
  const dir = tempDir();
  return inside(await layerIn(dir, tree), script);
}

function plainly(dir: string, script: string): string {
  return execFileSync("/bin/sh", ["-c", script], {
    cwd: dir,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });
}

/** A random commit on the user's branch: files and folders come, change, go, and take each other's place. */
function change(r: Rig, next: (below: number) => number): string {
  const name = () => ["a", "b", "c", "d"][next(4)] ?? "a";
  for (let left = 1 + next(6); left > 0; left--) {
    const names = Array.from({ length: 1 + next(3) }, name);
    const path = join(r.user, ...names);
    const what = next(6);
    const clear = 'for d; do [ -d "$d" ] && ! [ -L "$d" ] || rm -rf "$d"; done';
    const parents = names.slice(1).map((_, at) => join(r.user, ...names.slice(0, at + 1)));
    execFileSync("/bin/sh", ["-c", clear, "sh", ...parents]);
    execFileSync("rm", ["-rf", "--", path]);
    if (what === 0) continue;
    mkdirSync(dirname(path), { recursive: true });
    if (what === 1) execFileSync("ln", ["-s", name(), path]);
    else writeFileSync(path, `${next(5)}\n`, { mode: what === 2 ? 0o755 : 0o644 });
  }
  sh(r.user, "add", "-A");
  sh(r.user, "commit", "-q", "--allow-empty", "-m", "next");
  return sh(r.user, "rev-parse", "HEAD");
}

test.skipIf(!canLayer)(
  "what differs from an earlier commit, above that commit, is the same as a checkout of its own",
  async () => {
    for (const seed of [1, 2, 3]) {
      const r = await rig({ "a/b/c": "1\n", "a/d": "2\n", b: "3\n", "c/a": "4\n", "d/d/d": "5\n" });
      const trees = treesOf(r);
      await made(trees, r.base);
      const { below } = diceOf(seed);
      for (let left = 4; left > 0; left--) {
        const commit = change(r, below);
        const checkout = await r.checkout(commit);
        const tree = await made(trees, commit);
        expect(await seenIn(tree, listing), `seed ${seed}`).toBe(plainly(checkout.dir, listing));
        expect(await seenIn(tree, "git status --porcelain; git rev-parse HEAD"), `seed ${seed}`).toBe(`${commit}\n`);
      }
    }
  },
);

test.skipIf(!canLayer)("only what differs is written, and the first commit is checked out once", async () => {
  const r = await rig({ "a.txt": "a\n", "b/c.txt": "c\n" });
  const trees = treesOf(r);
  await made(trees, r.base);
  write(r.user, { "b/d.txt": "d\n" });
  const commit = commitAll(r.user);
  const tree = await made(trees, commit);
  expect(tree.tree).toEqual([treeOf(join(trees.dir, commit)), treeOf(join(trees.dir, r.base))]);
  expect(readdirSync(treeOf(join(trees.dir, commit))).toSorted()).toEqual([".git", "b"]);
  expect(await made(trees, commit)).toEqual(tree);
});

test.skipIf(!canLayer)(
  "attributes that decide how other files are written call for a checkout as a whole",
  async () => {
    const r = await rig({ "a.txt": "a\n", "b.txt": "b\n" });
    const trees = treesOf(r);
    await made(trees, r.base);
    write(r.user, { ".gitattributes": "b.txt text eol=crlf\n" });
    const tree = await made(trees, commitAll(r.user));
    expect(tree.tree).toHaveLength(1);
    expect(await seenIn(tree, "cat b.txt")).toBe("b\r\n");
  },
);

test.skipIf(!canLayer)(
  "what set-up makes is above the files, and what it does to tracked files is forgotten",
  async () => {
    const r = await rig({ "a.txt": "a\n", "b/c.txt": "c\n", "d.txt": "d\n", ".gitignore": "modules/\n" });
    const furniture = await confined(
      r,
      "mkdir modules b/new; echo m > modules/m; echo n > b/new/n; rm -r b/c.txt d.txt; mkdir d.txt; echo x > a.txt; echo o > own.txt",
    );
    const trees = treesOf(r, furniture);
    const tree = await made(trees, r.base);
    expect(await seenIn(tree, "cat a.txt b/c.txt d.txt modules/m b/new/n own.txt")).toBe("a\nc\nd\nm\nn\no\n");
    expect(await addableIn({ control: r.control, layers, dir: trees.dir }, tree)).toEqual(["b/new/n", "own.txt"]);
    expect(tree.tracked.tree).toHaveLength(1);
  },
);

test.skipIf(!canLayer)("a set-up that fails is a failure, and is tried again", async () => {
  const r = await rig();
  const trees = treesOf(r, await confined(r, "echo no luck; exit 7"));
  await expect(made(trees, r.base)).rejects.toThrow("set-up failed (exit 7): echo no luck; exit 7\nno luck");
  await expect(made(trees, r.base)).rejects.toThrow("no luck");
});

test.skipIf(!canLayer)("who waits for a tree is not stopped with the one who asked for it first", async () => {
  const r = await rig();
  const open = tempDir();
  const wait = `until [ -e ${open}/go ]; do sleep 0.01; done`;
  const furniture = await confined(r, wait, [{ path: open, writable: true }]);
  const trees = treesOf(r, furniture);
  const stop = new AbortController();
  const logDir = tempDir();
  const first = trees.hold({ commit: r.base, logDir, signal: stop.signal });
  const second = made(trees, r.base);
  while (!existsSync(join(logDir, "setup.log"))) await new Promise(setImmediate);
  stop.abort();
  await expect(first).rejects.toThrow("aborted");
  writeFileSync(join(open, "go"), "");
  expect((await second).tree).toHaveLength(2);
});

test.skipIf(!canLayer)(
  "what set-up made of commits that nobody uses is removed after a while, their files are not",
  async () => {
    const r = await rig();
    const trees = treesOf(r, await confined(r, "echo made > made.txt"));
    const commits = [r.base];
    for (let left = 13; left > 0; left--) {
      write(r.user, { "a.txt": `${left}\n` });
      commits.push(commitAll(r.user));
    }
    const held = await trees.hold({ commit: r.base, logDir: tempDir(), signal });
    for (const commit of commits.slice(1)) await made(trees, commit);
    const second = join(trees.dir, commits[1] ?? "", "made");
    while (existsSync(second)) await new Promise(setImmediate);
    expect(readFileSync(join(trees.dir, r.base, "made", "made.txt"), "utf8")).toBe("made\n");
    held.release();
    expect(await seenIn(await made(trees, commits[1] ?? ""), "cat made.txt a.txt")).toBe("made\n13\n");
    await trees.remove();
    expect(existsSync(trees.dir)).toBe(false);
  },
);

async function confined(
  r: Rig,
  setup: string,
  mounts: { path: string; writable: boolean }[] = [],
): Promise<Partial<Furniture>> {
  const wish = { mode: "bwrap", env: process.env, hidden: [], mounts, roomsBelow: join(r.root, "trees") } as const;
  const found = await findSandbox(wish);
  if (!found.ok) throw new Error(found.failure.message);
  return { setup, sandbox: found.value.sandbox };
}
