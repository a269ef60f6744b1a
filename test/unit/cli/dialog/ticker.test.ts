import { expect, test } from "vitest";
import { createTicker } from "../../../../src/cli/dialog/ticker.ts";
import { plain } from "../../../../src/cli/paint.ts";
import type { Terminal } from "../../../../src/cli/terminal.ts";

test("The line at the foot of a terminal gives way to every other line, and to a question.", () => {
  let screen = "";
  const terminal = {
    write: (text: string) => (screen += text),
    flush: () => undefined,
    size: () => ({ columns: 20, rows: 10 }),
  } as unknown as Terminal;
  const ticker = createTicker({ terminal, paint: plain });

  ticker.above(() => (screen += "first\n"));
  ticker.set("draft: the planner works");
  ticker.above(() => (screen += "second\n"));
  ticker.set(null);
  ticker.above(() => (screen += "third\n"));

  const wipe = "\r\u{1b}[2K";
  expect(screen).toBe(`first\n${wipe}second\n${wipe}draft: the planner ${wipe}third\n`);
});
