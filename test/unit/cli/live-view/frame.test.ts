import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { viewModel } from "../../../../src/cli/live-view/model.ts";
import { widthOf } from "../../../../src/cli/width.ts";
import { shown } from "../../../../src/cli/live-view/format.ts";
import { apart, coloured, says, Stage } from "../../../rig/scene.ts";

const four = ["01-models", "02-vat", "03-csv"].map((id) => apart(id));
const plan = [...four, apart("04-docs", { depends: ["02-vat", "03-csv"] })];

function stage(): Stage {
  const stage = new Stage(plan, { parallel: 3, budgetUsd: 20 });
  stage.start("02-vat", "03-csv");
  return stage;
}

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

test("while there is room, next are also those that wait for one that waits", () => {
  const chain = new Stage(
    [apart("01-a"), apart("02-b", { depends: ["01-a"] }), apart("03-c", { depends: ["02-b", "01-a"] })],
    { parallel: 1 },
  );
  chain.start("01-a");
  const lines = chain.picture(80, 24);
  const heading = lines.indexOf(" Next 2");
  expect(lines.slice(heading + 1, heading + 3)).toEqual([
    expect.stringMatching(/^ {3}02-b +Do 02-b +waits for 01-a$/),
    expect.stringMatching(/^ {3}03-c +Do 03-c +waits for 0\d-., 0\d-.$/),
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

test("what has landed is listed newest first with its commit, and what proves nothing is marked", () => {
  const stage = new Stage([...four, apart("05-old")], { parallel: 4 });
  stage.add({ type: "attempt-started", task: "05-old", attempt: 1, base: "base", role: "executor" });
  stage.add({ type: "baseline", task: "05-old", attempt: 1, state: "green", why: "", checks: [] });
  stage.play(40, new Set(["02-vat", "03-csv"]));
  const lines = stage.picture(80, 24);
  const heading = lines.findIndex((line) => line.startsWith(" Finished"));
  expect(lines.slice(heading, heading + 3)).toEqual([
    " Finished 2",
    expect.stringMatching(/^ ✓ 01-models +Do 01-models +\d+:00 p-01-models-$/),
    expect.stringMatching(/^ = 05-old +Do 05-old +1:00 nothing proven$/),
  ]);
});

test("what waits for a person says why and what to type", () => {
  const stage = new Stage(plan, { parallel: 3 });
  stage.start("02-vat");
  const why = "Which rate holds in 2027?";
  stage.add({ type: "task-blocked", task: "02-vat", attempt: 1, kind: "exhausted", why });
  const question = { question: "May it touch src/a.ts?", options: ["grant", "refuse"], files: ["src/a.ts"] };
  stage.start("03-csv");
  stage.add({ type: "question", task: "03-csv", attempt: 1, id: "q1", about: "scope", ...question });
  const lines = stage.picture(80, 24);
  const heading = lines.findIndex((line) => line.startsWith(" Needs you"));
  expect(lines.slice(heading, heading + 5)).toEqual([
    " Needs you 2",
    " ? 03-csv    asks        May it touch src/a.ts?",
    "     stint answer q1 grant  or  stint answer q1 refuse",
    " ! 02-vat    blocked     Which rate holds in 2027?",
    "     stint requeue 02-vat  or  stint take 02-vat",
  ]);
});

test("a run that waits says until when and why; a paused one and one that nobody drives say what to type", () => {
  const parked = stage();
  const until = new Date(parked.now + 45 * 60_000).toISOString();
  parked.add({ type: "parked", reason: "limit", why: "the service says so", until });
  const clock = new Date(until).toTimeString().slice(0, 5);
  const notes = (stage: Stage, more = {}) => viewModel(stage.snapshot(more)).notes;
  expect(notes(parked)).toEqual([`Waiting until ${clock} (44:00 left): usage limit. the service says so`]);
  const paused = stage();
  paused.add({ type: "paused", command: "c" });
  expect(notes(paused)).toEqual(["Paused by a person. Resume it with p or `stint resume r`."]);
  expect(notes(paused, { hasKeys: false })).toEqual(["Paused by a person. Resume it with `stint resume r`."]);
  expect(paused.picture(80, 24).join("\n")).toContain("interrupted (does not count); restarts when the run resumes");
  expect(notes(stage(), { driver: null })).toEqual(["Not running (interrupted). Resume it: `stint resume r`"]);
  expect(notes(stage(), { isStopping: true })).toEqual([
    "Stopping agents, which does not count as an attempt; everything can be resumed. Ctrl-C again quits at once.",
  ]);
  expect(notes(stage())).toEqual([]);
});

test("a run at its cap names the command that raises it, whether somebody drives it or not; below it nothing is said", () => {
  const notes = (stage: Stage, more = {}) => viewModel(stage.snapshot(more)).notes;
  const spent = (usd: number) => {
    const stage = new Stage(plan, { parallel: 3, budgetUsd: 20 });
    stage.start("02-vat");
    const usage = { inputTokens: 1, outputTokens: 1, usd, unpricedTokens: 0 };
    const end = { outcome: { kind: "ok" }, report: null, reportProblem: null } as const;
    stage.add({ type: "agent-finished", task: "02-vat", attempt: 1, ...end, usage });
    return stage;
  };
  const raise = "`stint resume r --budget-usd 50.00`";
  expect(notes(spent(19))).toEqual([]);
  expect(notes(spent(25))).toEqual([
    `No more agents are started: 25.00 of 20.00 USD are spent. Raise the cap: ${raise}`,
  ]);
  const parked = spent(25);
  parked.add({ type: "parked", reason: "budget", why: "25.00 of 20.00 USD are spent", until: null });
  expect(notes(parked, { driver: null }).join()).toMatch(
    /^Not running \(budget reached: 25\.00 of 20\.00 USD are spent\)\. .* or `stint resume r --budget-usd 50\.00` \(any amount above 25\.00\)\.$/,
  );
});

test("once no task is left, the final tip has a row", () => {
  const stage = new Stage([apart("01-a")], { parallel: 1 });
  stage.play(8);
  expect(stage.picture(80, 24).join("\n")).toMatch(/final tip verifying .*\n +all checks of the plan/);
});

test("text of others is neutralised, and what is wide is measured: columns stand below each other", () => {
  const hostile = "\u{1b}]52;c;aGk=\u{7}\u{1b}[31mred\r\u{202e}gnp";
  const wide = apart("02-vat", { title: "請求書 📄 für Müller" });
  const stage = new Stage([apart("01-models"), wide], { parallel: 2 });
  stage.start("01-models", "02-vat");
  const lines = stage.picture(80, 24, { sessions: [says("02-vat", hostile)] });
  expect(lines).toContain("     \\u{1b}]52;c;aGk=\\u{7}\\u{1b}[31mred\\r\\u{202e}gnp");
  const rows = lines.filter((line) => line.includes("working"));
  expect(rows.map((line) => widthOf(line.slice(0, line.indexOf(" of 30m"))))).toEqual([62, 62]);
});

test("64 lanes on 24 rows: as many as fit, around the one that is chosen", () => {
  const ids = Array.from({ length: 64 }, (_, at) => `t${String(at).padStart(2, "0")}`);
  const stage = new Stage(
    ids.map((id) => apart(id)),
    { parallel: 64 },
  );
  stage.start(...ids);
  const lines = stage.picture(80, 24, { selected: "t40" });
  expect(lines).toContain(" Running 18 of 64");
  expect(lines.some((line) => line.startsWith(" › t40 #1"))).toBe(true);
  expect(stage.picture(80, 24).some((line) => line.includes("t40"))).toBe(false);
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

test("whatever is told: no line is wider than the terminal, none is too many, and the only codes are those of our colours", () => {
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

test("an attempt of days and an estimate of hours keep all of their digits", () => {
  const long = new Stage([apart("01-a", { estimateMs: 150 * 60_000 })]);
  long.start("01-a");
  const rows = (ms: number) => long.picture(80, 24, { now: long.now + ms }).find((line) => line.includes("01-a #1"));
  expect(rows(0)).toMatch(/ 2:00 of 150m *$/);
  expect(rows(43_440_000)).toMatch(/ 12h06m of 150m *$/);
  expect(rows(360_180_000)).toMatch(/ 100h05m of 150m *$/);
});
