import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { cliLimits } from "../../../../src/cli/limits.ts";
import { createTicker, showCommands } from "../../../../src/cli/dialog/ticker.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { bottomLine } from "../../../rig/io.ts";
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
  expect(screen).toBe(`first\n${wipe}second\n${wipe}draft: t…, 0:00${wipe}third\n`);
});

afterEach(() => vi.useRealTimers());

test("Without a terminal, a line says now and then what still runs and what it printed last; nothing once it has ended.", () => {
  vi.useFakeTimers();
  const folder = mkdtempSync(join(tmpdir(), "stint-ticker-"));
  const logFile = join(folder, "check-1.log");
  writeFileSync(logFile, "1..3\nok 1 - a\nok 2 - b\n# a comment\n");
  const lines: string[] = [];
  const ticker = createTicker({ paint: plain, err: (line) => lines.push(line) });
  const over = showCommands(ticker, () => "01-a")({ name: "npm test", logFile });
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

test("Of commands side by side the latest is shown, and after its end the one before it, with its own clock.", () => {
  vi.useFakeTimers();
  const { terminal, written } = bottomLine(40);
  const watch = showCommands(createTicker({ terminal, paint: plain }));
  const seen = () => {
    vi.advanceTimersByTime(cliLimits.tickMs);
    return written.at(-1);
  };
  const [first, second] = ["one", "two"].map((name) => watch({ name, logFile: "/nowhere" }));
  expect(seen()).toBe("two, 0:01");
  second!();
  expect(seen()).toBe("one, 0:02");
  first!();
  expect(seen()).toBe("");
});

test("In a terminal, steps that are short are seen while one follows the other; in a pipe they are no lines.", () => {
  vi.useFakeTimers();
  const { terminal, written } = bottomLine(40);
  const lines: string[] = [];
  const watches = [{ terminal }, { err: (line: string) => lines.push(line) }].map((to) =>
    showCommands(createTicker({ paint: plain, ...to })),
  );
  const seen = Array.from({ length: 100 }, (_, step) => {
    const ends = watches.map((watch) => watch({ name: `check ${step}`, logFile: "/nowhere" }));
    vi.advanceTimersByTime(0.6 * cliLimits.tickMs);
    const shown = written.at(-1);
    ends.forEach((end) => end());
    return shown;
  });
  expect(seen.slice(0, 4)).toEqual([undefined, "check 1, 0:00", "check 2, 0:00", "check 3, 0:00"]);
  expect(lines).toEqual([]);
});

test("In a terminal, the clock of a command ticks at the bottom, with what it printed last.", () => {
  vi.useFakeTimers();
  const { terminal, written } = bottomLine(40);
  createTicker({ terminal, paint: plain }).set("npm test", { last: () => ({ line: "adds", mark: "45%" }) });
  vi.advanceTimersByTime(3 * cliLimits.tickMs);
  expect(written.at(-1)).toBe("npm test, 0:03, 45%, last: adds");
});
