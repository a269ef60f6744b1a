import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitLimits } from "../../../src/git/limits.ts";
import { listPaths, listTree, readBlobs } from "../../../src/git/objects.ts";
import { commitAll, rig, sh, write } from "../../rig/git.ts";

test("blobs are read by path, and what is no file is missing", async () => {
  const r = await rig({ "a\nb": "1", "d/c": "2\n" });
  const blobs = await readBlobs(r.control, r.base, ["a\nb", "d/c", "d", "no\npe", "./d/c", "../x"]);
  expect([...blobs].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ["a\nb", "1"],
    ["d/c", "2\n"],
  ]);
});

test("a tree is listed whole, or below some files and folders, whose names mean themselves", async () => {
  const r = await rig({ "a/b/c": "1", "a/d": "22", "ab/e": "3", ":(top)f": "4", "*": "5", "é\tg": "6" });
  const paths = async (...below: string[]) => (await listTree(r.control, r.base, { below })).map(({ path }) => path);
  expect(await paths()).toEqual(["*", ":(top)f", "a/b/c", "a/d", "ab/e", "é\tg"]);
  expect(await paths("a")).toEqual(["a/b/c", "a/d"]);
  expect(await paths("*", ":(top)f", "a/b", "é\tg", "nowhere")).toEqual(["*", ":(top)f", "a/b/c", "é\tg"]);
  const [entry] = await listTree(r.control, r.base, { sizes: true, below: ["a/d"] });
  expect(entry).toEqual({
    mode: "100644",
    type: "blob",
    oid: sh(r.user, "rev-parse", "HEAD:a/d"),
    path: "a/d",
    size: 2,
  });
});

test("a file whose name is no UTF-8 is listed by the name that it was read with", async () => {
  const r = await rig({ a: "1" });
  writeFileSync(Buffer.concat([Buffer.from(join(r.user, "x")), Buffer.of(255)]), "2");
  const commit = commitAll(r.user);
  const [name = ""] = [...(await listPaths(r.control, commit))].filter((path) => path.startsWith("x"));
  expect((await listTree(r.control, commit, { below: [name] })).map(({ path }) => path)).toContain(name);
});

test("more names than a command line may have narrow nothing", async () => {
  const r = await rig({ a: "1", b: "2" });
  const below = Array.from({ length: gitLimits.pathsNamedMax }, (_, at) => `n${at}`);
  expect(await listTree(r.control, r.base, { below })).toEqual([]);
  expect((await listTree(r.control, r.base, { below: [...below, "a"] })).map(({ path }) => path)).toEqual(["a", "b"]);
});

test("the paths of a commit are those of its tree, and one list serves all who ask; another commit has its own", async () => {
  const r = await rig({ "a/b": "1", "é\n": "2", c: "3" });
  const first = await listPaths(r.control, r.base);
  expect([...first]).toEqual((await listTree(r.control, r.base)).map(({ path }) => path));
  write(r.user, { d: "4" });
  const next = commitAll(r.user);
  expect([...(await listPaths(r.control, next))]).toEqual([...first, "d"].toSorted());
  expect(await listPaths(r.control, r.base)).toBe(first);
});

test("a list that git could not give is asked for again", async () => {
  const [r, other] = [await rig({ a: "1" }), await rig({ b: "2", c: "3" })];
  await expect(listPaths(r.control, other.base)).rejects.toThrow();
  sh(r.user, "fetch", "-q", other.user, "HEAD");
  expect([...(await listPaths(r.control, other.base))]).toEqual(["b", "c"]);
});
