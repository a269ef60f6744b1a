import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../../../src/agents/driver-kit/transcript.ts";
import { paintFor, plain } from "../../../../src/cli/paint.ts";
import { transcriptRenderer } from "../../../../src/cli/transcript/render.ts";
import { widthOf } from "../../../../src/cli/width.ts";

const wide = { width: Number.POSITIVE_INFINITY, paint: plain };

function render(entries: readonly TranscriptEntry[], look = wide): string[] {
  const renderer = transcriptRenderer(look, "/work/tree");
  return [...entries.flatMap((entry) => renderer.add(entry)), ...renderer.end()];
}

const says = (text: string): TranscriptEntry => ({ type: "says", text });
const piece = (text: string): TranscriptEntry => ({ type: "says", text, isPiece: true });
const runs = (detail: string, id = "1"): TranscriptEntry => ({ type: "calls", id, name: "Bash", verb: "$", detail });
const edits = (path: string, id = "1"): TranscriptEntry => ({
  type: "calls",
  id,
  name: "Edit",
  verb: "edit",
  detail: path,
});
const result = (text: string, more: { failed?: boolean; exitCode?: number; id?: string } = {}): TranscriptEntry => ({
  type: "result",
  id: "1",
  text,
  failed: false,
  ...more,
});
const diff = (path: string, lines: readonly string[] = []): TranscriptEntry => ({
  type: "diff",
  path,
  change: "modify",
  lines: () => lines,
});
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

test("what is said stands apart from what is done, and a result below its call", () => {
  expect(
    render([says("I look.\n\n"), runs("ls"), result("a.ts\n"), says("Now I\n\nedit."), edits("/work/tree/a.ts")]),
  ).toEqual(["I look.", "", "$ ls", "    a.ts", "", "Now I", "", "edit.", "", "edit a.ts"]);
});

test("a long result shows its beginning and its end; one that failed more of its end, and the exit code", () => {
  expect(render([runs("npm test"), result(numbers(128))])).toEqual([
    "$ npm test",
    ...["line 1", "line 2", "line 3", "line 4", "… 120 more lines"].map((line) => `    ${line}`),
    ...["line 125", "line 126", "line 127", "line 128"].map((line) => `    ${line}`),
  ]);
  const failed = render([runs("npm test"), result(numbers(128), { failed: true, exitCode: 3 })]);
  expect(failed).toHaveLength(1 + 4 + 1 + 16 + 1);
  expect(failed.at(-1)).toBe("    exit 3");
  expect(render([runs("x"), result(numbers(9))])).toHaveLength(10);
  expect(render([runs("x"), result("", { failed: true })])).toEqual(["$ x", "    failed"]);
  expect(render([runs("true"), result(" \n", { exitCode: 0 })])).toEqual(["$ true"]);
});

test("of calls at once, each result names its call again, unless that was the last line", () => {
  const lines = render([
    runs("first", "1"),
    runs("second", "2"),
    result("one", { id: "1" }),
    result("two", { id: "2" }),
    result("three", { id: "unknown" }),
  ]);
  expect(lines).toEqual(["$ first", "$ second", "$ first", "    one", "$ second", "    two", "    three"]);
});

test("an edit is one heading and its diff, coloured in a terminal; a long diff is folded", () => {
  const lines = ["@@ -1,2 +1,2 @@", " same", "-old", "+new"];
  expect(render([edits("/work/tree/a.ts"), diff("/work/tree/a.ts", lines), diff("/work/tree/b.ts")])).toEqual([
    "edit a.ts",
    ...lines.map((line) => `    ${line}`),
    "edit b.ts",
  ]);
  const paint = paintFor({ isTTY: true }, { env: {}, argv: [] });
  expect(render([diff("a.ts", lines)], { ...wide, paint })).toEqual([
    "\u{1b}[1medit a.ts\u{1b}[22m",
    "\u{1b}[36m    @@ -1,2 +1,2 @@\u{1b}[39m",
    "\u{1b}[2m     same\u{1b}[22m",
    "\u{1b}[31m    -old\u{1b}[39m",
    "\u{1b}[32m    +new\u{1b}[39m",
  ]);
  expect(
    render([
      diff(
        "a.ts",
        Array.from({ length: 100 }, () => "+x"),
      ),
    ]).at(-1),
  ).toBe("    … 60 more lines");
});

test("pieces become lines as soon as they are whole, and the last one at the next deed or the end", () => {
  const renderer = transcriptRenderer(wide, "");
  expect(renderer.add(piece("Step"))).toEqual([]);
  expect(renderer.add(piece(" 1.\n\nThen"))).toEqual(["Step 1."]);
  expect(renderer.add(piece(" more"))).toEqual([]);
  expect(renderer.add({ type: "usage", usage: { inputTokens: 1, outputTokens: 1, usd: 0 } })).toEqual([]);
  expect(renderer.add(runs("ls"))).toEqual(["", "Then more", "", "$ ls"]);
  expect(renderer.add(piece("End"))).toEqual([]);
  expect(renderer.end()).toEqual(["", "End"]);
});

test("a line in pieces that never ends is not kept in memory", () => {
  const renderer = transcriptRenderer(wide, "");
  const shown = Array.from({ length: 100 }, () => renderer.add(piece("x".repeat(500)))).flat();
  expect(shown.join("").length).toBeGreaterThan(45_000);
});

test("thoughts are folded to a few lines, in pieces or whole", () => {
  const thinks = (text: string): TranscriptEntry => ({ type: "thinks", text, isPiece: true });
  const folded = ["thinking: line 1", "line 2", "line 3", "… 5 more lines"];
  expect(render([{ type: "thinks", text: numbers(8) }])).toEqual(folded);
  expect(
    render(
      numbers(8)
        .split(/(?<=[ \n])/)
        .map(thinks),
    ),
  ).toEqual(folded);
});

test("retries, notes, failures and stray lines are one line each", () => {
  expect(
    render([
      { type: "notice", tone: "retry", delayMs: 5_000, text: "overloaded" },
      { type: "notice", tone: "retry", delayMs: null, text: "Reconnecting... 1/3" },
      { type: "notice", tone: "note", text: "not permitted: Bash" },
      { type: "notice", tone: "error", text: "Invalid API key" },
      { type: "notice", tone: "aside", text: "warning: old" },
    ]),
  ).toEqual([
    "! retries in 5 s: overloaded",
    "! retries: Reconnecting... 1/3",
    "! not permitted: Bash",
    "! Invalid API key",
    "| warning: old",
  ]);
});

test("an error that the agent has just said is not shown twice", () => {
  const error: TranscriptEntry = { type: "notice", tone: "error", text: "Not logged in" };
  expect(render([says("Not logged in\n"), error])).toEqual(["Not logged in"]);
  expect(render([says("Not logged in"), runs("ls"), error])).toContain("! Not logged in");
});

test("nothing of an agent's reaches the terminal as a code, and an overwritten line is as it ends", () => {
  const evil = "\u{1b}[2J\u{1b}]0;title\u{7}10%\r100% done\u{202e}\tx";
  const entries: TranscriptEntry[] = [
    says(evil),
    { type: "thinks", text: evil },
    runs(evil),
    result(evil),
    diff(evil, [`+${evil}`]),
    { type: "notice", tone: "error", text: evil },
  ];
  const text = render(entries).join("\n");
  expect(text).not.toMatch(/[^\n -~…]/u);
  expect(text).toContain(String.raw`100% done\u{202e}    x`);
  expect(text).not.toContain("title");
  expect(render([says("\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://x\u{7}link")])).toEqual(["red link"]);
});

test("in a terminal no line is wider than it: what is said is wrapped, all else is cut", () => {
  const entries = [
    says("word ".repeat(50)),
    runs(`echo ${"x".repeat(200)}`),
    result("y".repeat(9_000)),
    diff("p/".repeat(60), ["+日本".repeat(30)]),
  ];
  for (const width of [80, 40, 7, 1, -3]) {
    const lines = render(entries, { width, paint: plain });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(Math.max(width, 6));
  }
  const lines = render(entries, { width: 40, paint: plain });
  expect(
    lines
      .filter((line) => line.startsWith("word"))
      .join(" ")
      .match(/word/g),
  ).toHaveLength(50);
  expect(lines.filter((line) => line.endsWith("…"))).toHaveLength(4);
});

test("without a terminal what is said is whole; a line of output that is a whole file is cut", () => {
  expect(render([says("word ".repeat(5_000))])[0]).toHaveLength(25_000);
  expect(render([result("y".repeat(9_000))])[0]!.length).toBeLessThan(1_100);
});

test("a command of several lines is one line", () => {
  expect(render([runs("cat > a <<E\none\ntwo\nE\n")])).toEqual(["$ cat > a <<E … 3 more lines"]);
});
