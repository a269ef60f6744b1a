import { expect, test } from "vitest";
import { canMatter, readsOf } from "../../../../src/checks/reads/reads.ts";
import { tempDir } from "../../../rig/git.ts";

const reads = { names: new Set(["src", "src/a.ts", "src/missing.ts", "link"]), listed: new Set(["tests", ""]) };
const [file, link, folder, none] = ["100644", "120000", "040000", "000000"] as const;

test.each([
  ["a file that was read changed", "src/a.ts", file, file, true],
  ["its right to be executed changed", "src/a.ts", file, "100755", true],
  ["a file that was missing came", "src/missing.ts", none, file, true],
  ["a file that was read went", "src/a.ts", file, none, true],
  ["a link that was followed changed", "link", link, link, true],
  ["a file came into a listed folder", "tests/new.ts", none, file, true],
  ["a folder came into a listed folder", "tests/deep", none, folder, true],
  ["a file of a listed folder became a link", "tests/a.ts", file, link, true],
  ["something came to the top", "new.ts", none, file, true],
  ["a file of a listed folder changed that was not read", "tests/a.ts", file, file, false],
  ["something in a folder that was only passed changed", "src", folder, folder, false],
  ["another file changed", "src/b.ts", file, file, false],
  ["another file came", "src/b.ts", none, file, false],
] as const)("%s: %s", (_, path, oldMode, newMode, matters) => {
  const change = { status: "M", path, oldMode, newMode, oldOid: "", newOid: "" } as const;
  expect(canMatter(reads, [change])).toBe(matters);
});

test("what is not whole says nothing", () => {
  expect(readsOf("", { at: "/w", start: "/w", tree: [tempDir()] })).toBeUndefined();
});
