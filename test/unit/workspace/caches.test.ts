import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addFiles, fits } from "../../../src/workspace/cache-line.ts";
import { type Caches, type HeldCaches, keptCaches } from "../../../src/workspace/caches.ts";
import { workspaceLimits } from "../../../src/workspace/limits.ts";
import { tempDir, write } from "../../rig/git.ts";
import { canMount, diskAt } from "../../rig/small-disk.ts";

const [entry, base] = [".cache/tool/entry", "b".repeat(40)];

function world() {
  const root = tempDir();
  const dir = join(root, "caches");
  const caches = keptCaches({ dir, base });
  let count = 0;
  const homeWith = (files: Record<string, string>) => {
    const home = join(root, `home-${++count}`);
    write(home, files);
    return home;
  };
  const leave = async (commit: string, files: Record<string, string>, state = "green") =>
    await caches.keep({ commit, home: homeWith(files), state });
  return { root, dir, caches, homeWith, leave };
}

/** What a room sees of a file, the uppermost folder first. */
function read({ lower }: Pick<HeldCaches, "lower">, path = entry): string | undefined {
  const found = lower.map((folder) => join(folder, path)).find((file) => existsSync(file));
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

async function seen(caches: Caches, whose: "base" | "landed" = "landed"): Promise<string | undefined> {
  const held = await caches.forCheck("c", whose);
  try {
    return read(held);
  } finally {
    held.release();
  }
}

test("what the base left counts at once, red or green; what a candidate left counts once it has landed, if green", async () => {
  const { caches, leave } = world();
  await leave(base, { [entry]: "of the base" }, "red");
  expect(await seen(caches)).toBe("of the base");
  await leave("c1", { [entry]: "of c1" });
  await leave("c2", { [entry]: "of c2" }, "red");
  expect(await seen(caches)).toBe("of the base");
  caches.landed("c2");
  expect(await seen(caches)).toBe("of the base");
  caches.landed("c1");
  expect(await seen(caches)).toBe("of c1");
  expect(await seen(caches, "base")).toBe("of the base");
});

test("what a check of a landed commit leaves later counts, too", async () => {
  const { caches, leave } = world();
  caches.landed("c1");
  await leave("c1", { [entry]: "late" });
  expect(await seen(caches)).toBe("late");
});

test("a room says whether landed work filled what it has", async () => {
  const { caches, leave } = world();
  const haveLanded = async (whose: "base" | "landed") => {
    const held = await caches.forCheck("c", whose);
    held.release();
    return held.haveLanded;
  };
  await leave(base, { [entry]: "of the base" });
  expect(await haveLanded("landed")).toBe(false);
  await leave("c1", { [entry]: "of c1" });
  caches.landed("c1");
  expect([await haveLanded("landed"), await haveLanded("base")]).toEqual([true, false]);
});

test("a set-up has the caches of the base alone, and the base's own set-up has none", async () => {
  const { caches, leave } = world();
  await leave(base, { [entry]: "of the base" });
  await leave("c1", { [entry]: "of c1" });
  caches.landed("c1");
  const forSetup = async (commit: string) => {
    const held = await caches.forSetup(commit);
    held.release();
    return [read(held), held.haveLanded];
  };
  expect(await forSetup("c2")).toEqual(["of the base", false]);
  expect(await forSetup(base)).toEqual([undefined, false]);
});

test("who holds a generation keeps what it had; it goes when nobody has it any more", async () => {
  const { dir, caches, leave } = world();
  await leave("c1", { [entry]: "first", ".cache/same": "same" });
  caches.landed("c1");
  const held = await caches.forCheck("c", "landed");
  await leave("c2", { [entry]: "second" });
  caches.landed("c2");
  expect(await seen(caches)).toBe("second");
  expect(read(held)).toBe("first");
  const later = await caches.forCheck("c", "landed");
  expect(read(later, ".cache/same")).toBe("same");
  later.release();
  held.release();
  while (existsSync(held.lower[0])) await new Promise(setImmediate);
  expect(readdirSync(dir).toSorted()).toEqual(["empty", "landed-2"]);
});

test("of commits that never land, only the last few have their caches kept aside", async () => {
  const { dir, caches, leave } = world();
  const count = workspaceLimits.pendingCachesMax + 3;
  for (let at = 1; at <= count; at++) await leave(`c${at}`, { [entry]: `${at}` });
  await caches.settled();
  expect(readdirSync(dir).filter((name) => name.startsWith("left-"))).toHaveLength(workspaceLimits.pendingCachesMax);
  caches.landed("c1");
  expect(await seen(caches)).toBeUndefined();
  caches.landed(`c${count}`);
  expect(await seen(caches), "the control").toBe(`${count}`);
});

test("what would grow beyond the limits is not added", async () => {
  const [from, to] = [tempDir(), tempDir()];
  write(from, { [entry]: "four" });
  const { keptCachesBytesMax: bytes, keptCachesFilesMax: files } = workspaceLimits;
  expect(await addFiles(from, to, { bytes: bytes - 3, files: 0 })).toBeUndefined();
  expect(await addFiles(from, tempDir(), { bytes: bytes - 4, files: 0 })).toEqual({ bytes, files: 1 });
  // A file that takes another's place adds nothing to their number.
  expect(await addFiles(from, to, { bytes: 4, files })).toEqual({ bytes: 4, files });
  expect([fits({ bytes, files }), fits({ bytes, files: files + 1 })]).toEqual([true, false]);
});

test("a HOME without a cache leaves nothing, and a run that ends leaves no folder", async () => {
  const { dir, caches, leave } = world();
  await leave(base, { ".npmrc": "registry=x\n", ".config/tool": "x" });
  await caches.settled();
  expect(existsSync(dir)).toBe(false);
  await leave(base, { [entry]: "x" });
  await caches.remove();
  expect(existsSync(dir)).toBe(false);
});

test.skipIf(!canMount)("on a full disk nothing is kept, what there was stays, and later more is kept", async () => {
  const { root, caches, homeWith, leave } = world();
  await leave("c1", { [entry]: "first" });
  caches.landed("c1");
  expect(await seen(caches)).toBe("first");
  using disk = diskAt(root);
  const home = homeWith({ [entry]: "second" });
  disk.fillInodes();
  await caches.keep({ commit: "c2", home, state: "green" });
  caches.landed("c2");
  expect(await seen(caches)).toBe("first");
  disk.cure();
  await leave("c3", { [entry]: "third" });
  caches.landed("c3");
  expect(await seen(caches)).toBe("third");
});
