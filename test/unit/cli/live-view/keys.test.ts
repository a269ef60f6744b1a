import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endKeys, readKeys, type Key } from "../../../../src/cli/live-view/keys.ts";

const keysOf = (text: string) => readKeys("", Buffer.from(text, "latin1"));

test.each<[string, readonly Key[]]>([
  ["p", ["pause"]],
  ["\u{1b}[A\u{1b}[B", ["up", "down"]],
  ["\u{1b}OA", ["up"]],
  ["\u{1b}[5~\u{1b}[6~", ["page-up", "page-down"]],
  ["\r", ["enter"]],
  ["\u{3}", ["interrupt"]],
  ["\u{1a}", ["suspend"]],
  ["\u{1b}[200~quit\r\u{1b}[201~p", ["other", "pause"]],
  ["\u{1b}[200~qp\u{3}", ["other", "interrupt"]],
  ["\u{1b}[Mqpqp", ["other", "pause"]],
  ["\u{1b}[<0;10;20M", ["other"]],
  ["\u{1b}[1;5A?", ["other", "help"]],
  ["x", ["other"]],
  ["\u{1b}\u{1b}[A", ["escape", "up"]],
])("%j is %j", (text, keys) => {
  expect(keysOf(text)).toEqual({ keys, pending: "" });
});

test("an escape that nothing follows is Esc; one that is cut waits for its end", () => {
  expect(keysOf("\u{1b}")).toEqual({ keys: [], pending: "\u{1b}" });
  expect(endKeys("\u{1b}")).toEqual(["escape"]);
  expect(keysOf("q\u{1b}[")).toEqual({ keys: ["quit"], pending: "\u{1b}[" });
  expect(endKeys("\u{1b}[")).toEqual([]);
});

test("keys are the same however their bytes are cut, and nothing is held for ever", () => {
  const parts = fc.constantFrom(
    "\u{1b}[A",
    "\u{1b}OB",
    "\u{1b}[6~",
    "q",
    "p",
    "\u{1b}[1;5C",
    "é",
    "\u{1b}x",
    "\u{1b}[200~qp\r\u{1b}[201~",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), fc.array(fc.nat(60)), (words, cuts) => {
      const bytes = Buffer.from(words.join(""), "latin1");
      let [pending, from] = ["", 0];
      const keys: Key[] = [];
      for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        const read = readKeys(pending, bytes.subarray(from, Math.max(from, cut)));
        pending = read.pending;
        from = Math.max(from, cut);
        keys.push(...read.keys);
      }
      expect({ keys, pending }).toEqual(readKeys("", bytes));
    }),
  );
  expect(keysOf(`\u{1b}[${"1".repeat(100)}`).pending.length).toBeLessThan(40);
  expect(keysOf(`\u{1b}[200~${"q".repeat(100)}`)).toEqual({ keys: [], pending: "\u{1b}[200~qqqqq" });
});
