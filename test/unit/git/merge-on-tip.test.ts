import { expect, test } from "vitest";
import { mergeOnTip } from "../../../src/git/merge-on-tip.ts";
import { readBlobs } from "../../../src/git/objects.ts";
import { type Rig, rig, write } from "../../rig/git.ts";

async function candidate(of: Rig, files: Record<string, string>): Promise<{ commit: string; tree: string }> {
  const checkout = await of.checkout();
  write(checkout.dir, files);
  return of.take(checkout);
}

test("a candidate on its own base is placed as it is, on a moved tip it is merged, or the conflict is named", async () => {
  const r = await rig({ a: "1\n", b: "1\n" });
  const one = await candidate(r, { a: "2\n" });
  const two = await candidate(r, { b: "2\n" });
  const clash = await candidate(r, { a: "3\n" });
  expect(await mergeOnTip(r.control, { tip: r.base, base: r.base, candidate: one })).toEqual({
    ok: true,
    value: { tree: one.tree },
  });
  const merged = await mergeOnTip(r.control, { tip: one.commit, base: r.base, candidate: two });
  const tree = merged.ok ? merged.value.tree : "";
  const blobs = await readBlobs(r.control, tree, ["a", "b"]);
  expect([...blobs.values()].join("")).toBe("2\n2\n");
  const failed = await mergeOnTip(r.control, { tip: one.commit, base: r.base, candidate: clash });
  expect(!failed.ok && failed.failure).toEqual({
    reason: "conflict",
    message: "The change conflicts with tasks that were integrated meanwhile: a.",
    paths: ["a"],
  });
});
