import { expect, test } from "vitest";
import { openScreen } from "../../../../src/cli/live-view/repaint.ts";

function screen(columns = 10) {
  const written: string[] = [];
  const exits: (() => void)[] = [];
  const onExit = (restore: () => void) => {
    exits.push(restore);
    return () => void exits.splice(exits.indexOf(restore), 1);
  };
  const taking = { isBehind: false };
  const opened = openScreen({
    write: (text) => void written.push(text),
    isBehind: () => taking.isBehind,
    flush: () => void written.push("|"),
    size: () => ({ columns, rows: 5 }),
    onExit,
  });
  const last = () => written.splice(0).join("").replaceAll("\u{1b}", "^");
  return { opened, last, exits, taking };
}

test("only lines that changed are written, and nothing where none did", () => {
  const { opened, last } = screen();
  expect(last()).toBe("^[?1049h^[?25l^[?7l^[?2004h");
  opened.draw(["one", "two"]);
  expect(last()).toBe("^[?2026h^[2J^[1;1Hone^[K^[2;1Htwo^[K^[?2026l");
  opened.draw(["one", "2"]);
  expect(last()).toBe("^[?2026h^[2;1H2^[K^[?2026l");
  opened.draw(["one", "2"]);
  expect(last()).toBe("");
  opened.draw(["one"]);
  expect(last()).toBe("^[?2026h^[2;1H^[J^[?2026l");
  opened.forget();
  opened.draw(["one"]);
  expect(last()).toBe("^[?2026h^[2J^[1;1Hone^[K^[?2026l");
});

test("a line that fills the terminal is not followed by a code that would clear its last cell", () => {
  const { opened, last } = screen(4);
  last();
  opened.draw(["\u{1b}[1mfour\u{1b}[22m", "東京"]);
  expect(last()).toBe("^[?2026h^[2J^[1;1H^[1mfour^[22m^[2;1H東京^[?2026l");
});

test("the terminal is given back once, by whoever closes first: the view, or the end of the process", () => {
  const closed = screen();
  closed.last();
  closed.opened.close();
  expect(closed.last()).toBe("^[?2004l^[?7h^[?25h^[?1049l|");
  closed.opened.close();
  closed.opened.draw(["late"]);
  expect(closed.last()).toBe("");
  expect(closed.exits).toEqual([]);
  const died = screen();
  died.last();
  died.exits[0]!();
  expect(died.last()).toBe("^[?2004l^[?7h^[?25h^[?1049l");
});

test("a terminal that takes nothing is not written to; once it does again it gets what differs from what it has", () => {
  const { opened, last, taking } = screen();
  opened.draw(["one", "two"]);
  last();
  taking.isBehind = true;
  opened.draw(["1", "two"]);
  expect(last()).toBe("");
  taking.isBehind = false;
  opened.draw(["one", "2"]);
  expect(last()).toBe("^[?2026h^[2;1H2^[K^[?2026l");
});
