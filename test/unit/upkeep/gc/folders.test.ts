import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bytesIn, isFolder, namesIn } from "../../../../src/upkeep/gc/folders.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stint-folders-"));
  for (const name of ["a", "b", "big"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "big", "file"), Buffer.alloc(400_000));
  writeFileSync(join(root, "file"), "");
  symlinkSync("big", join(root, "link"));
});

afterEach(() => rmSync(root, { recursive: true }));

test("a link to a folder, a file and nothing are no folders, and have no names and no size", () => {
  expect(["big", "link", "file", "gone"].filter((name) => isFolder(join(root, name)))).toEqual(["big"]);
  for (const name of ["link", "file", "gone"])
    expect([namesIn(join(root, name)), bytesIn(join(root, name))], name).toEqual([[], 0]);
  expect(namesIn(root)).toEqual(["a", "b", "big", "file", "link"]);
});

test("a size counts what is below, in names of any bytes, and nothing behind a link", () => {
  const odd = Buffer.concat([Buffer.from(`${join(root, "a")}/`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from("/deep")]), Buffer.alloc(100_000));
  expect(bytesIn(join(root, "a"))).toBeGreaterThanOrEqual(100_000);
  symlinkSync(join(root, "big"), join(root, "b", "link"));
  expect(bytesIn(join(root, "b"))).toBeLessThan(100_000);
});

test("a file with two names counts half for each", () => {
  const alone = bytesIn(join(root, "big"));
  linkSync(join(root, "big", "file"), join(root, "b", "file"));
  expect(bytesIn(join(root, "big"))).toBe(alone / 2);
  expect(bytesIn(join(root, "b"))).toBe(alone / 2);
});
