import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noSpending } from "../../../src/engine/spending.ts";
import { noActivity, openActivityBoard, readActivity } from "../../../src/run/activity.ts";
import { pathsOf, runPaths } from "../../../src/project/paths.ts";
import { ofPlan, type LiveSessions } from "../../../src/agents/live-spending.ts";
import { runLimits } from "../../../src/run/limits.ts";
import { redactor } from "../../../src/base/redact.ts";
import { apart, Stage } from "../../rig/scene.ts";

const key = { task: "01-a", attempt: 1 };
const secret = "hunter2-and-more-characters";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-activity-"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function board() {
  const paths = runPaths(pathsOf(folder, { HOME: folder }), "r");
  mkdirSync(paths.attempt(key), { recursive: true });
  const stage = new Stage([apart("01-a"), apart("02-b")], { parallel: 2 });
  stage.start("01-a");
  const live: LiveSessions = new Map([["01-a", { spending: noSpending, stop: () => undefined }]]);
  const redact = redactor([{ name: "TOKEN", value: secret }]);
  const opened = openActivityBoard({ state: stage.world.state, live, paths, redact });
  const file = join(paths.dir, "activity.json");
  const pass = () => vi.advanceTimersByTime(runLimits.activityNoteMs);
  return { opened, stage, live, paths, file, pass, line: () => opened.now().sessions[0]?.line };
}

test("the last line that says something is kept: of a text, of a tool, of what was written over itself", () => {
  const { opened, line } = board();
  opened.hear(key, { type: "text", text: "I look at it.\n\n" });
  expect(line()).toBe("I look at it.");
  opened.hear(key, { type: "tool", name: "Bash", detail: "npm test\nsecond line" });
  expect(line()).toBe("Bash npm test");
  opened.hear(key, { type: "file", path: "src/a.ts", change: "modify" });
  expect(line()).toBe("changed src/a.ts");
  opened.hear(key, { type: "usage", usage: { inputTokens: 1, outputTokens: 1, usd: 0 } });
  expect(line()).toBe("changed src/a.ts");
  opened.hear(key, { type: "text", text: "10 %\r20 %\r" });
  expect(line()).toBe("20 %");
  opened.hear(key, { type: "text", text: "x".repeat(100_000) });
  expect(line()!.length).toBeLessThanOrEqual(runLimits.activityLineCharsMax + 1);
  opened.close();
});

test("a secret is struck out, also where an agent tells it in two pieces; without one the pieces are one line", () => {
  const { opened, line } = board();
  opened.hear(key, { type: "text", text: `the key is ${secret.slice(0, 9)}` });
  opened.hear(key, { type: "text", text: `${secret.slice(9)}, as I said` });
  expect(line()).toBe("the key is [secret TOKEN], as I said");
  opened.hear(key, { type: "tool", name: "Bash", detail: `echo ${secret}` });
  expect(line()).toBe("Bash echo [secret TOKEN]");
  opened.hear(key, { type: "text", text: "the key is " });
  opened.hear(key, { type: "text", text: "not told" });
  expect(line()).toBe("the key is not told");
  opened.close();
});

test("an agent that tells nothing is known by what it prints, but not by what programs say to each other", () => {
  const { opened, paths, pass, line } = board();
  const log = join(paths.attempt(key), "output.log");
  writeFileSync(log, `${"early\n".repeat(5_000)}\u{1b}[32mtests pass\u{1b}[0m\n\n{"type":"usage"}\n`);
  pass();
  expect(line()).toBe("tests pass");
  opened.hear(key, { type: "text", text: "Told." });
  pass();
  expect(line()).toBe("Told.");
  opened.close();
});

test("another process reads what was noted, if the driver wrote it; the note is private, and gone at the end", () => {
  const { opened, live, paths, file, pass } = board();
  pass();
  live.set("01-a", { spending: { ...noSpending, inputTokens: 7, usd: 0.5 }, stop: () => undefined });
  opened.hear(key, { type: "text", text: "At work." });
  pass();
  const noted = { task: "01-a", line: "At work.", inputTokens: 7, outputTokens: 0, usd: 0.5, unpricedTokens: 0 };
  expect(readActivity(paths, process.pid)).toEqual({ sessions: [noted], commands: [] });
  expect(readActivity(paths, 1)).toEqual(noActivity);
  expect(readActivity(paths, null)).toEqual(noActivity);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = statSync(file).ino;
  pass();
  expect(statSync(file).ino).toBe(before);
  live.clear();
  pass();
  expect(readActivity(paths, process.pid)).toEqual(noActivity);
  expect(readdirSync(paths.dir).toSorted()).toEqual(["activity.json", "attempts"]);
  opened.close();
  expect(existsSync(file)).toBe(false);
});

test("a command shows its task, its start and the end of its output, until it has ended; one of the plan has no task", () => {
  const { opened, paths, pass } = board();
  const logFile = join(paths.attempt(key), "check-1.log");
  const over = opened.watch({ name: "npm test", logFile });
  const checks = opened.watch({
    name: "npm run lint",
    logFile: join(paths.dir, "attempts", "final.0", "a", "check-1.log"),
  });
  writeFileSync(logFile, "[1/3] a\n[2/3] b\r\u{1b}[1mlast words\u{1b}[0m\n");
  pass();
  const since = expect.any(Number) as number;
  const both = [
    { task: "01-a", name: "npm test", since, line: "last words", mark: "2/3" },
    { task: null, name: "npm run lint", since, line: "", mark: null },
  ];
  expect(opened.now().commands).toEqual(both);
  expect(readActivity(paths, process.pid).commands).toEqual(both);
  over();
  checks();
  expect(opened.now().commands).toEqual([]);
  opened.close();
});

test("a planner that revises the plan is heard like any session: by its words, else by what it prints", () => {
  const { opened, live, paths, pass, stage } = board();
  stage.add({ type: "replan-started", revision: 1, tasks: ["01-a"] });
  live.clear();
  live.set(ofPlan, { spending: noSpending, stop: () => undefined });
  const logFile = join(paths.dir, "planner.log");
  writeFileSync(logFile, "reading the code\n");
  opened.planner.begins("draft", logFile);
  pass();
  expect(opened.now().sessions).toMatchObject([{ task: null, line: "draft: reading the code" }]);
  opened.planner.hear({ type: "text", text: `two tasks, ${secret}` });
  expect(opened.now().sessions).toMatchObject([{ line: "draft: two tasks, [secret TOKEN]" }]);
  opened.planner.begins("critique", join(paths.dir, "none.log"));
  pass();
  expect(opened.now().sessions).toMatchObject([{ line: "critique" }]);
  opened.close();
});

test("a note that is damaged, foreign or huge is no note", () => {
  const { opened, paths, file } = board();
  const good = `{"v":1,"pid":1,"sessions":[],"commands":[]}`;
  for (const text of ["", "{", "[]", `{"v":2,"pid":1,"sessions":[]}`, good.padEnd(runLimits.activityBytesMax + 1)]) {
    writeFileSync(file, text);
    expect(readActivity(paths, 1)).toEqual(noActivity);
  }
  const line = { task: "01-a", line: "x", input_tokens: 1, output_tokens: 1, usd: 0, unpriced_tokens: 0 };
  writeFileSync(file, JSON.stringify({ v: 1, pid: 1, sessions: [line], commands: [] }));
  expect(readActivity(paths, 1)).toMatchObject({ sessions: [{ task: "01-a", line: "x" }] });
  opened.close();
});

test("a pipe in the paths of an output or of a note holds up neither the driver nor who looks on", () => {
  const { opened, paths, file, pass, line } = board();
  execFileSync("mkfifo", [join(paths.attempt(key), "output.log"), file]);
  expect(readActivity(paths, process.pid)).toEqual(noActivity);
  pass();
  expect(line()).toBe("");
  expect(readActivity(paths, process.pid)).toMatchObject({ sessions: [{ task: "01-a", line: "" }] });
  opened.close();
});

test("where nothing can be written, nothing happens: the lines are still known to the driver itself", () => {
  const { opened, paths, pass, line } = board();
  rmSync(paths.dir, { recursive: true });
  writeFileSync(paths.dir, "no folder");
  chmodSync(paths.dir, 0o400);
  opened.hear(key, { type: "text", text: "At work." });
  pass();
  expect(line()).toBe("At work.");
  expect(readFileSync(paths.dir, "utf8")).toBe("no folder");
  opened.close();
});
