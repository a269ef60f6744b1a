import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { looseFile } from "../../../src/git/durable-names.ts";
import { treeWithFile } from "../../../src/git/edit-tree.ts";
import { pruneLooseObjects } from "../../../src/git/prune.ts";
import { commitTree } from "../../../src/git/write-objects.ts";
import { deleteRefs, listRefs } from "../../../src/git/refs.ts";
import { ann, at, type Rig, rig, sh, write } from "../../rig/git.ts";

const before = new Date("2026-01-01T00:00:00Z");
const { signal } = new AbortController();

async function commit(r: Rig, text: string): Promise<{ sha: string; blob: string }> {
  const tree = await treeWithFile(r.control, r.base, { path: "a.txt", bytes: Buffer.from(text) });
  const sha = await commitTree(r.control, { tree, parent: r.base, message: text, identity: ann, at });
  return { sha, blob: sh(r.control.dir, "rev-parse", `${sha}:a.txt`) };
}

/** As if everything had been written long ago. */
function age(r: Rig): void {
  const { objectsDir } = r.control;
  for (const name of readdirSync(objectsDir, { recursive: true, encoding: "utf8" }))
    utimesSync(join(objectsDir, name), 0, 0);
}

test("what no ref and no journal names goes; what one names stays with all it needs", async () => {
  const r = await rig();
  const [named, kept, lost] = [await commit(r, "named"), await commit(r, "kept"), await commit(r, "lost")];
  sh(r.control.dir, "update-ref", "refs/stint/rescue/r/t/1", named.sha);
  age(r);
  const missing = "1".repeat(40);
  await pruneLooseObjects(r.control, { kept: new Set([kept.sha, missing]), before, signal });
  for (const { sha, blob } of [named, kept]) {
    expect(sh(r.control.dir, "rev-list", "--objects", "--quiet", sha)).toBe("");
    expect(existsSync(looseFile(r.control, blob))).toBe(true);
  }
  expect([lost.sha, lost.blob].map((oid) => existsSync(looseFile(r.control, oid)))).toEqual([false, false]);
});

test("private indexes that killed processes left go, unless they are young", async () => {
  const r = await rig();
  const [old, young] = ["0", "1"].map((digit) => `index-${digit.repeat(16)}.tmp`) as [string, string];
  const names = [old, `${old}.lock`, young];
  for (const name of names) writeFileSync(join(r.control.dir, name), "");
  for (const name of names.slice(0, 2)) utimesSync(join(r.control.dir, name), 0, 0);
  await pruneLooseObjects(r.control, { kept: new Set(), before, signal });
  expect(readdirSync(r.control.dir).filter((name) => name.startsWith("index-"))).toEqual([young]);
});

test("what was written lately stays", async () => {
  const r = await rig();
  const young = await commit(r, "young");
  await pruneLooseObjects(r.control, { kept: new Set(), before, signal });
  expect(existsSync(looseFile(r.control, young.sha))).toBe(true);
});

test("a saved file stays Stint's own, although the user's packs hold it too; git prune alone would drop it", async () => {
  for (const bites of [true, false]) {
    const r = await rig();
    const saved = await commit(r, "saved\n");
    sh(r.control.dir, "update-ref", "refs/stint/rescue/r/t/1", saved.sha);
    write(r.user, { "b.txt": "saved\n" });
    sh(r.user, "add", "-A");
    sh(r.user, "commit", "-q", "-m", "the same file");
    sh(r.user, "gc", "-q");
    age(r);
    if (bites) sh(r.control.dir, "prune", "--expire=2026-01-01");
    else await pruneLooseObjects(r.control, { kept: new Set(), before, signal });
    sh(r.user, "reset", "-q", "--hard", r.base);
    sh(r.user, "reflog", "expire", "--expire=now", "--all");
    sh(r.user, "gc", "-q", "--prune=now");
    const show = (): string => sh(r.control.dir, "show", "refs/stint/rescue/r/t/1:a.txt");
    if (bites) expect(show).toThrow();
    else expect(show()).toBe("saved");
  }
});

test("refs are taken away all or none, and only where they are what was seen", async () => {
  const r = await rig();
  const [one, two] = [await commit(r, "1"), await commit(r, "2")];
  const refs = ["refs/stint/rescue/r/t/1", "refs/stint/rescue/r/t/2"];
  for (const ref of refs) sh(r.control.dir, "update-ref", ref, one.sha);
  const seen = await listRefs(r.control, "refs/stint/rescue/r");
  expect([...seen]).toEqual(refs.map((ref) => [ref, one.sha]));
  sh(r.control.dir, "update-ref", "refs/stint/rescue/r/t/2", two.sha);
  await expect(deleteRefs(r.control, seen)).rejects.toThrow("refs/stint/rescue/r/t/2");
  expect((await listRefs(r.control, "refs/stint/rescue")).size).toBe(2);
  await deleteRefs(r.control, await listRefs(r.control, "refs/stint/rescue"));
  expect((await listRefs(r.control, "refs/stint/rescue")).size).toBe(0);
});
