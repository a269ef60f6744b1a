import { expect, test } from "vitest";
import { openScreen } from "../src/cli/view/screen.ts";

function screen(columns = 10) {
  const written: string[] = [];
  const exits: (() => void)[] = [];
  const onExit = (restore: () => void) => {
    exits.push(restore);
    return () => void exits.splice(exits.indexOf(restore), 1);
  };
  const terminal = { isBehind: false };
  const opened = openScreen({
    write: (text) => void written.push(text),
    isBehind: () => terminal.isBehind,
    size: () => ({ columns, rows: 5 }),
    onExit,
  });
  const last = () => written.splice(0).join("").replaceAll("\u{1b}", "^");
  return { opened, last, exits, terminal };
}

test("only lines that changed are written, and nothing where none did", () => {
  const { opened, last } = screen();
  expect(last()).toBe("^[?1049h^[?25l^[?7l");
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

test("a terminal that nobody reads gets no more pictures; once it is read again, it gets what changed meanwhile", () => {
  const { opened, last, terminal } = screen();
  opened.draw(["one", "two"]);
  last();
  terminal.isBehind = true;
  for (let count = 0; count < 1000; count += 1) opened.draw(["one", String(count)]);
  expect(last()).toBe("");
  terminal.isBehind = false;
  opened.draw(["one", "3"]);
  expect(last()).toBe("^[?2026h^[2;1H3^[K^[?2026l");
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
  expect(closed.last()).toBe("^[?7h^[?25h^[?1049l");
  closed.opened.close();
  closed.opened.draw(["late"]);
  expect(closed.last()).toBe("");
  expect(closed.exits).toEqual([]);
  const died = screen();
  died.last();
  died.exits[0]!();
  expect(died.last()).toBe("^[?7h^[?25h^[?1049l");
});
