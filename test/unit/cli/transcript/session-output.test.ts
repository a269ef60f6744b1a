import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepSessionNote } from "../../../../src/agents/session-note.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { marked, openSessionOutput, type OutputStyle } from "../../../../src/cli/transcript/session-output.ts";
import { processLimits } from "../../../../src/process/limits.ts";

let dir = "";
let log = "";
let printed: string[] = [];
const look = { width: 80, paint: plain, isUnicode: true };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "stint-output-"));
  log = join(dir, "output.log");
  printed = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

function open(more: Partial<OutputStyle> = {}) {
  return openSessionOutput(dir, { print: (line) => void printed.push(line), look, ...more });
}

const said = (text: string) =>
  `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } })}\n`;

function byClaude(): void {
  keepSessionNote(dir, { agent: "mine", driver: "claude", model: null, workspace: "/work/tree" });
}

test("the output is read as it grows, from before the file is there to a last line without an end", () => {
  byClaude();
  const output = open();
  output.readOn();
  const [first, second] = [said("One."), said("Two.")];
  writeFileSync(log, first.slice(0, 20));
  output.readOn();
  expect(printed).toEqual([]);
  appendFileSync(log, first.slice(20) + second.trimEnd());
  output.readOn();
  expect(printed).toEqual(["One."]);
  output.readOn();
  output.end();
  expect(printed).toEqual(["One.", "", "Two."]);
});

test("the output of a session without a note is shown as it was printed", () => {
  writeFileSync(log, `plain\n${said("One.")}`);
  open().end();
  expect(printed).toEqual(["plain", '{"type":"assistant","message":{"content":[{"type":"text","text":"One."}]}}']);
});

test("the stream as it is has every line, codes included, and none of ours", () => {
  byClaude();
  const text = `\u{1b}[31mred\n${said("One.")}`;
  writeFileSync(log, text);
  open({ look: undefined, tailBytes: 10 }).end();
  open({ look: undefined }).end();
  expect(printed).toEqual(text.trimEnd().split("\n"));
});

test("a reader who wants the end gets whole lines of it, and sees that some are left out", () => {
  byClaude();
  writeFileSync(log, Array.from({ length: 100 }, (_, at) => said(`${at}.`)).join(""));
  open({ tailBytes: 200 }).end();
  expect(printed).toEqual(["… earlier output is left out", "98.", "", "99."]);
});

test("while a session runs, only the half of its log that is no ring is read; the rest follows at the end, bounded in memory", () => {
  byClaude();
  const line = said("x".repeat(999_000));
  const perHalf = Math.floor(processLimits.agentOutputBytesMax / 2 / line.length);
  writeFileSync(log, "");
  for (let at = 0; at < perHalf + 3; at += 1) appendFileSync(log, line);
  let count = 0;
  const output = open({
    look: { ...look, width: Number.POSITIVE_INFINITY },
    print: (text) => void (count += Number(text.startsWith("x"))),
  });
  output.readOn();
  output.readOn();
  expect(count).toBe(perHalf);
  output.end();
  expect(count).toBe(perHalf + 3);
});

test.each([
  ["a folder", () => mkdirSync(log)],
  ["a pipe", () => void execFileSync("mkfifo", [log])],
  ["a link", () => symlinkSync("/etc/hostname", log)],
])("%s in the place of a log is not read, and no reason to fail", (_, plant) => {
  plant();
  const output = open();
  output.readOn();
  output.end();
  expect(printed).toEqual([]);
});

test("a log that became shorter is no reason to fail", () => {
  writeFileSync(log, "one\ntwo\n");
  const output = open();
  output.readOn();
  truncateSync(log, 2);
  output.readOn();
  output.end();
  expect(printed).toEqual(["one", "two"]);
});

test("each line gets its mark, within the width; empty lines only a margin", () => {
  const style = { print: (line: string) => void printed.push(line), look };
  for (const mark of ["01-a | ", "  "]) {
    const { print, look: narrower } = marked(style, mark);
    print("text");
    print("");
    expect(narrower?.width).toBe(80 - mark.length);
  }
  expect(printed).toEqual(["01-a | text", "  text", ""]);
  marked({ ...style, look: undefined }, "01-a | ").print("raw");
  expect(printed.at(-1)).toBe("raw");
});
