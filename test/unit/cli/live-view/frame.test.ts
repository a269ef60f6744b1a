import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { widthOf } from "../../../../src/cli/width.ts";
import { shown } from "../../../../src/cli/live-view/format.ts";
import { apart, coloured, says, Stage, stage } from "../../../rig/scene.ts";

test("80 by 24: a header, what runs with the agents' last words, what is next and why it waits", () => {
  const sessions = [says("02-vat", "shell npm test", 48_100), says("03-csv", "I look at the lines first.", 900)];
  expect(
    stage()
      .picture(80, 24, { sessions })
      .filter((line) => line !== ""),
  ).toEqual([
    " p p                                                               running 6:00",
    " ────────────────────────────────────────────────────────────────  0 of 4 tasks",
    " 2 of 3 running in parallel · 0.00 of 20.00 USD · 49.0k tokens",
    " Running 2",
    "   02-vat #1 working     Do 02-vat                        5:00 of 30m 48.1k tok",
    "     shell npm test",
    "   03-csv #1 working     Do 03-csv                        2:00 of 30m   900 tok",
    "     I look at the lines first.",
    " Next 2",
    "   01-models Do 01-models                    starts next",
    "   04-docs   Do 04-docs                      waits for 02-vat, 03-csv",
    " q leave",
  ]);
});

test("120 by 40: the same lines, with room for all of their words", () => {
  const lines = stage().picture(120, 40, { sessions: [says("02-vat", "x".repeat(100))] });
  expect(lines).toHaveLength(40);
  expect(lines).toContain(`     ${"x".repeat(100)}`);
});

test("40 by 10: the header and one line for each task, cut at the edge", () => {
  expect(stage().picture(40, 10, { sessions: [says("02-vat", "shell npm test")] })).toEqual([
    "p p                         running 6:00",
    "──────────────────────────  0 of 4 tasks",
    "2 of 3 running in parallel · 0.00 of 20…",
    "Running 2",
    "  02-vat #1 working     shell n…    5:00",
    "  03-csv #1 working                 2:00",
    "Next 2",
    "  01-models Do 01-models  starts next",
    "  04-docs   Do 04-docs    waits for 02-…",
    "q leave",
  ]);
});

test("text of others is neutralised, and what is wide is measured: columns stay aligned", () => {
  const hostile = "\u{1b}]52;c;aGk=\u{7}\u{1b}[31mred\r\u{202e}gnp";
  const wide = apart("02-vat", { title: "請求書 📄 für Müller" });
  const stage = new Stage([apart("01-models"), wide], { parallel: 2 });
  stage.start("01-models", "02-vat");
  const lines = stage.picture(80, 24, { sessions: [says("02-vat", hostile)] });
  expect(lines).toContain("     \\u{1b}]52;c;aGk=\\u{7}\\u{1b}[31mred\\r\\u{202e}gnp");
  const rows = lines.filter((line) => line.includes("working"));
  expect(rows.map((line) => widthOf(line.slice(0, line.indexOf(" of 30m"))))).toEqual([62, 62]);
});

test("a picture of ten thousand tasks looks at those that it shows and at few others", () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) =>
    apart(`t${at}`, at < 100 ? {} : { depends: [`t${at % 100}`] }),
  );
  const stage = new Stage(tasks, { parallel: 64 });
  stage.start(...Array.from({ length: 64 }, (_, at) => `t${at}`));
  const looks = vi.spyOn(stage.world.state.tasks as Map<string, unknown>, "get");
  const values = vi.spyOn(stage.world.state.tasks as Map<string, unknown>, "values");
  const lines = stage.picture(120, 40);
  expect(lines).toContain(" Running 31 of 64");
  expect(lines).toContain(" Next 1 of 9936");
  expect(looks.mock.calls.length).toBeLessThan(5_000);
  expect(values).not.toHaveBeenCalled();
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.constantFrom(
    "\u{1b}[2J",
    "\u{9b}31m",
    "a\u{301}".repeat(50),
    "📄".repeat(60),
    "한국어 텍스트",
    "🇩🇪🇫🇷",
    "❤️ 1️⃣",
    "\u{1100}\u{1161}",
  ),
);

/** The codes of our colours. */
const ours = new RegExp(`${String.fromCodePoint(0x1b)}\\[(?:1|2|22|3[1236]|39)m`, "g");

test("whatever the texts are: no line is wider than the terminal, none is too many, and the only codes are those of our colours", () => {
  const size = fc.record({ columns: fc.integer({ min: 1, max: 160 }), rows: fc.integer({ min: 1, max: 60 }) });
  const told = fc.array(fc.record({ title: anyText, line: anyText }), { minLength: 1, maxLength: 12 });
  const asked = fc.record({
    why: anyText,
    warning: fc.option(anyText),
    footer: fc.constantFrom("", "q leave   ? keys"),
  });
  fc.assert(
    fc.property(size, told, fc.nat(80), asked, (size, texts, steps, { why, warning, footer }) => {
      const ids = texts.map((_, at) => `t${at}`);
      const stage = new Stage(
        texts.map(({ title }, at) => apart(ids[at]!, { title })),
        { parallel: 4 },
      );
      stage.play(steps, new Set(ids.filter((_, at) => at % 2 === 0)));
      stage.add({ type: "task-blocked", task: ids.at(-1)!, attempt: 1, kind: "exhausted", why });
      const sessions = texts.map(({ line }, at) => says(ids[at]!, line, at * 12_345));
      const shownWarning = warning === null ? null : shown(warning);
      const lines = stage.picture(size.columns, size.rows, {
        size,
        sessions,
        paint: coloured,
        warning: shownWarning,
        footer,
        selected: ids[0]!,
      });
      const bare = lines.map((line) => line.replaceAll(ours, ""));
      expect(bare.length).toBeLessThanOrEqual(size.rows);
      expect(bare.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line) || widthOf(line) > size.columns)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
