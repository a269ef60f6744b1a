import { expect, test } from "vitest";
import { readBlobs } from "../../../src/git/objects.ts";
import { rig } from "../../rig/git.ts";

test("blobs are read by path, and what is no file is missing", async () => {
  const r = await rig({ "a\nb": "1", "d/c": "2\n" });
  const blobs = await readBlobs(r.control, r.base, ["a\nb", "d/c", "d", "no\npe", "./d/c", "../x"]);
  expect([...blobs].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ["a\nb", "1"],
    ["d/c", "2\n"],
  ]);
});
