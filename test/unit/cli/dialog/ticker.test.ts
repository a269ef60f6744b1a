import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { cliLimits } from "../../../../src/cli/limits.ts";
import { createTicker, showCommands } from "../../../../src/cli/dialog/ticker.ts";
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
  expect(screen).toBe(`first\n${wipe}second\n${wipe}draft: the planner…${wipe}third\n`);
});

afterEach(() => vi.useRealTimers());

test("Without a terminal, a line says now and then what still runs and what it printed last; nothing once it has ended.", () => {
  vi.useFakeTimers();
  const folder = mkdtempSync(join(tmpdir(), "stint-ticker-"));
  const logFile = join(folder, "check-1.log");
  writeFileSync(logFile, "1..3\nok 1 - a\nok 2 - b\n# a comment\n");
  const lines: string[] = [];
  const ticker = createTicker({ paint: plain, err: (line) => lines.push(line) });
  const over = showCommands(ticker, () => "01-a: ")({ name: "npm test", logFile });
  vi.advanceTimersByTime(cliLimits.beatMs - 1);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(cliLimits.beatMs);
  over();
  vi.advanceTimersByTime(10 * cliLimits.beatMs);
  expect(lines).toEqual([
    "01-a: npm test, 0:30, 2/3, last: # a comment",
    "01-a: npm test, 1:00, 2/3, last: # a comment",
  ]);
  rmSync(folder, { recursive: true });
});

test("In a terminal, the clock of a command ticks at the bottom, with what it printed last.", () => {
  vi.useFakeTimers();
  let screen = "";
  const terminal = {
    write: (text: string) => (screen = text),
    flush: () => undefined,
    size: () => ({ columns: 40, rows: 10 }),
  } as unknown as Terminal;
  createTicker({ terminal, paint: plain }).set("npm test", () => ({ line: "adds", mark: "45%" }));
  vi.advanceTimersByTime(3 * cliLimits.tickMs);
  expect(screen).toBe("\r\u{1b}[2Knpm test, 0:03, 45%, last: adds");
});
