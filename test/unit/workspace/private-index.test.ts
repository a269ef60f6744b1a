import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "../../rig/git.ts";

test("a change of the same size within the same second as the checkout is seen", async () => {
  const r = await rig({ "a.txt": "aaaa" });
  const checkout = await r.checkout();
  const { mtime } = statSync(join(checkout.dir, "a.txt"));
  writeFileSync(join(checkout.dir, "a.txt"), "bbbb");
  utimesSync(join(checkout.dir, "a.txt"), mtime, mtime);
  expect((await r.take(checkout)).changes.map((change) => change.path)).toEqual(["a.txt"]);
});
