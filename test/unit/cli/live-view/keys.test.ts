import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endKeys, readKeys, type Key } from "../../../../src/cli/live-view/keys.ts";
import { startPage, press, type Around, type Navigation } from "../../../../src/cli/live-view/navigation.ts";

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

const around: Around = { choices: ["a", "b", "c"], belowMax: 30, page: 10 };

function after(keys: readonly Key[], navigation: Navigation = startPage) {
  return keys.reduce((now, key) => press(now.navigation, key, around), { navigation } as ReturnType<typeof press>);
}

test("arrows choose a task and stop at the ends, Enter opens its log, Esc goes back and then chooses none", () => {
  expect(after(["down"]).navigation.selected).toBe("a");
  expect(after(["down", "down", "down", "down"]).navigation.selected).toBe("c");
  expect(after(["down", "down", "up", "up"]).navigation.selected).toBe("a");
  const log = after(["down", "down", "enter"]).navigation;
  expect(log).toEqual({ page: "log", selected: "b", below: 0 });
  expect(after(["escape"], log).navigation).toEqual({ page: "run", selected: "b", below: 0 });
  expect(after(["escape", "escape"], log).navigation.selected).toBe(null);
  expect(after(["log"]).navigation).toMatchObject({ page: "log", selected: "a" });
});

test("the log scrolls within its ends; q goes back from it, and leaves the view from the run", () => {
  const log = after(["enter"]).navigation;
  expect(after(["up", "up"], log).navigation.below).toBe(2);
  expect(after(["page-up", "page-up", "page-up", "page-up"], log).navigation.below).toBe(30);
  expect(after(["home", "end"], log).navigation.below).toBe(0);
  expect(after(["quit"], log)).toEqual({ navigation: { ...log, page: "run" } });
  expect(after(["quit"]).effect).toBe("leave");
});

test("? shows the keys and any key goes back, but Ctrl-C, Ctrl-Z and p are what they are everywhere", () => {
  const keys = after(["help"]).navigation;
  expect(keys.page).toBe("keys");
  expect(after(["other"], keys).navigation.page).toBe("run");
  for (const key of ["interrupt", "suspend", "pause"] as const) expect(after([key], keys).effect).toBe(key);
});
