import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assertOid, assertRef, joinNul, splitNul, zeroLike } from "../../../src/git/names.ts";

const oid = "0123456789abcdef0123456789abcdef01234567";

test("only a whole object name of either format passes, because anything else could be an option or another revision", () => {
  for (const name of [oid, `${oid}${"f".repeat(24)}`]) expect(assertOid(name)).toBe(name);
  for (const name of [
    "",
    "HEAD",
    "--all",
    oid.slice(1),
    `${oid}f`,
    oid.toUpperCase(),
    `${oid}^`,
    `${oid}\n`,
    ` ${oid}`,
  ])
    expect(() => assertOid(name), JSON.stringify(name)).toThrow("expected an object name");
});

test("only a full ref name without separators passes", () => {
  for (const ref of ["refs/heads/main", "refs/stint/keep/r/base", "refs/heads/ünïcode"])
    expect(assertRef(ref)).toBe(ref);
  for (const ref of ["main", "heads/main", "refs/", "-refs/heads/x", "refs/heads/a b", "refs/heads/a\nb", "refs/a\0b"])
    expect(() => assertRef(ref), JSON.stringify(ref)).toThrow("expected a full ref name");
});

test("the name of nothing is as long as the other name", () => {
  expect([zeroLike(oid), zeroLike(oid.padEnd(64, "0"))]).toEqual(["0".repeat(40), "0".repeat(64)]);
});

test("what is joined for git is split into the same parts, and a missing last separator changes nothing", () => {
  const part = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(splitNul(Buffer.from(joinNul(parts))).map(String)).toEqual(parts);
    }),
  );
  expect(splitNul(Buffer.from("a\0b")).map(String)).toEqual(["a", "b"]);
  expect(splitNul(Buffer.from("a\xff\0", "latin1"))).toEqual([Buffer.from([0x61, 0xff])]);
});
