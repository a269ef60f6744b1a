import { expect, test } from "vitest";
import { refuse, warn } from "../../../src/cli/io.ts";
import { recordedIo } from "../../rig/io.ts";

test("a refusal and a warning say who speaks, keep their lines, and neutralise what a terminal would obey", () => {
  const { io, out, err } = recordedIo();
  expect(refuse(io, 3, "no\u{1b}[2J\nsecond line")).toBe(3);
  warn(io, "odd\u{7}");
  expect(out).toEqual([]);
  expect(err).toEqual(["stint: no\\u{1b}[2J\nsecond line", "stint: warning: odd\\u{7}"]);
});
