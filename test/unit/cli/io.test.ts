import { expect, test } from "vitest";
import { printLine, refuse, warn } from "../../../src/cli/io.ts";
import { recordedIo } from "../../rig/io.ts";

test("a refusal and a warning say who speaks, keep their lines, and neutralise what a terminal would obey", () => {
  const { io, out, err } = recordedIo();
  expect(refuse(io, 3, "no\u{1b}[2J\nsecond line")).toBe(3);
  warn(io, "odd\u{7}");
  expect(out).toEqual([]);
  expect(err).toEqual(["stint: no\\u{1b}[2J\nsecond line", "stint: warning: odd\\u{7}"]);
});

test("a line is broken for a terminal, and stays whole in a pipe", () => {
  const { io, out } = recordedIo();
  printLine({ ...io, columns: 20 }, "one two three four five");
  printLine(io, "one two three four five");
  expect(out).toEqual(["one two three four", "  five", "one two three four five"]);
});
