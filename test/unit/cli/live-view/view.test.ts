import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import type { Terminal } from "../../../../src/cli/terminal.ts";
import type { Subject } from "../../../../src/cli/live-view/pages.ts";
import { openView } from "../../../../src/cli/live-view/view.ts";
import { noActivity } from "../../../../src/run/activity.ts";
import { cliLimits } from "../../../../src/cli/limits.ts";
import { apart, Stage } from "../../../rig/scene.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const restored = "\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l";

/** A terminal that only writes down what it gets. */
function fakeTerminal(more: Partial<Terminal> = {}) {
  const written: string[] = [];
  let press: (bytes: Buffer) => void = () => undefined;
  const none = () => () => undefined;
  const terminal: Terminal = {
    size: () => ({ columns: 80, rows: 24 }),
    write: (text) => void written.push(text),
    isBehind: () => false,
    flush: () => undefined,
    isUnicode: true,
    onKeys: (hear) => {
      press = hear;
      return () => void written.push("keys given back");
    },
    onResize: none,
    onExit: none,
    onContinue: none,
    interrupt: () => void written.push("interrupt"),
    suspend: () => void written.push("suspend"),
    isLeft: false,
    ...more,
  };
  return { terminal, written, press: (text: string) => press(Buffer.from(text)) };
}

function view(more: { readonly terminal?: Partial<Terminal>; readonly subject?: Partial<Subject> } = {}) {
  const stage = new Stage([apart("01-a"), apart("02-b")], { parallel: 2 });
  stage.start("01-a");
  vi.setSystemTime(stage.now);
  const fake = fakeTerminal(more.terminal);
  const left = vi.fn<(failure?: unknown) => void>();
  const commands: string[] = [];
  const subject: Subject = {
    state: () => stage.world.state,
    record: stage.record,
    activity: () => noActivity,
    driver: () => 1,
    isOwn: true,
    log: (task) => ({ task, title: "Do it", lines: ["printed"], readOn: () => undefined }),
    command: async (kind) => {
      commands.push(kind);
      return undefined;
    },
    ...more.subject,
  };
  const signal = new AbortController().signal;
  const opened = openView(subject, { terminal: fake.terminal, paint: plain, signal, left });
  return { ...fake, stage, opened, left, commands };
}

test("however much happens, at most four pictures a second are drawn, and of each only what changed", () => {
  const { written, opened, stage } = view();
  written.length = 0;
  for (let ms = 0; ms < 1_000; ms += 10) {
    stage.add({ type: "command-ignored", command: `c${ms}`, kind: "pause", why: "" });
    opened.happened();
    vi.advanceTimersByTime(10);
  }
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThanOrEqual(1_000 / cliLimits.viewRedrawMs);
  expect(written.every((text) => text.length < 300 && text.includes("running"))).toBe(true);
});

test("a lone Esc counts after a moment, and an arrow that comes in pieces is one arrow", () => {
  const { written, press } = view();
  press("\u{1b}");
  press("[B");
  expect(written.at(-1)).toContain("› 01-a #1");
  press("\u{1b}");
  vi.advanceTimersByTime(cliLimits.viewEscapeMs);
  expect(written.at(-1)).toContain("  01-a #1");
});

test("p commands the run, and what went wrong with that is shown in place of the keys", async () => {
  const { press, commands } = view();
  press("p");
  expect(commands).toEqual(["pause"]);
  const failing = view({ subject: { command: async () => Promise.reject(new Error("no folder\u{7}")) } });
  failing.press("p");
  await vi.advanceTimersByTimeAsync(cliLimits.viewRedrawMs);
  expect(failing.written.join("")).toContain("no folder\\u{7}");
  expect(failing.left).not.toHaveBeenCalled();
});

test("q, Ctrl-Z and a failure give the terminal back before anybody hears of it", () => {
  const quit = view();
  quit.left.mockImplementation(() => void quit.written.push("told"));
  quit.press("q");
  expect(quit.written.slice(-3)).toEqual(["keys given back", restored, "told"]);
  const suspended = view();
  suspended.press("\u{1a}");
  expect(suspended.written.slice(-2)).toEqual([restored, "suspend"]);
  let isBroken = false;
  const broken = new Error("a bug of the view");
  const failing = view({
    subject: {
      activity: () => {
        if (isBroken) throw broken;
        return noActivity;
      },
    },
  });
  isBroken = true;
  vi.advanceTimersByTime(2_000);
  expect(failing.written.at(-1)).toBe(restored);
  expect(failing.left.mock.calls).toEqual([[broken]]);
});

test("a keyboard that cannot be opened ends the view, not the command", () => {
  const broken = new Error("EIO");
  const failing = view({
    terminal: {
      onKeys: () => {
        throw broken;
      },
    },
  });
  expect(failing.left.mock.calls).toEqual([[broken]]);
  expect(failing.written.at(-1)).toBe(restored);
});

test("what goes wrong beside the run is shown below the header, neutralised", () => {
  const { written, opened } = view();
  opened.warn("stint: the disk is\u{1b}[2J full");
  vi.advanceTimersByTime(cliLimits.viewRedrawMs);
  expect(written.at(-1)).toContain("! stint: the disk is\\u{1b}[2J full");
});

test("the log of a task is a page; while it is scrolled up it stands still", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const readOn = vi.fn(() => undefined);
  const { written, press } = view({ subject: { log: (task) => ({ task, title: "Do it", lines, readOn }) } });
  press("l");
  expect(written.at(-1)).toMatch(/Log of 01-a {2}Do it[^]*line 99/);
  vi.advanceTimersByTime(2_000);
  press("\u{1b}[5~");
  expect(written.at(-1)).toContain("21 more below");
  const reads = readOn.mock.calls.length;
  expect(reads).toBeGreaterThan(1);
  vi.advanceTimersByTime(5_000);
  expect(readOn.mock.calls.length).toBe(reads);
  press("q");
  expect(written.at(-1)).toContain("Running 1");
});

test("the keys say truly what Ctrl-C does here, in lines that fit, and p is offered only where somebody hears it", () => {
  const own = view();
  own.press("?");
  expect(own.written.join("")).toContain(
    "Ctrl-C    stop the run cleanly, to be resumed; press it twice to quit at once",
  );
  expect(own.written.join("")).not.toContain("…");
  const elsewhere = view({ subject: { isOwn: false } });
  elsewhere.press("?");
  expect(elsewhere.written.join("")).toContain("Ctrl-C    the same as q");
  expect(own.written.join("")).toContain("p pause   ↑↓ select");
  expect(view({ subject: { isOwn: false, driver: () => null } }).written.join("")).not.toContain("p pause");
});

test("a terminal without Unicode gets a picture of ASCII, as wide as the other", () => {
  const { written, press } = view({ terminal: { isUnicode: false } });
  press("j");
  const text = written.join("");
  expect(text).toContain("> 01-a #1");
  expect(text).toContain("p pause   ^v select   Enter log   q close   ? keys");
  expect(text).toMatch(/ -{60,} {2}0 of 2 tasks/);
  expect(text).toMatch(/^[\0-\x7f]*$/);
});
