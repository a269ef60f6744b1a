import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

test("No two kinds of line have the same code.", async () => {
  const files = readdirSync("src").filter((name) => name.endsWith(".js"));
  const modules = await Promise.all(files.map((name) => import(`../src/${name}`)));
  const codes = modules.map(({ code }) => code).filter((code) => code !== undefined);
  assert.deepEqual(codes.toSorted(), [...new Set(codes)].toSorted());
});
