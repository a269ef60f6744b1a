import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readHistory } from "../../../src/approval/forecast.ts";
import { pathsOf } from "../../../src/project/paths.ts";
import { approvalLimits } from "../../../src/approval/limits.ts";

const recorded = "test/fixtures/journals-2026-11-16";

/** The state of a repository in which these journals were written, oldest first. */
function stateWith(names: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), "stint-history-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const paths = pathsOf(root, { HOME: root });
  mkdirSync(paths.runs, { recursive: true });
  const journals = names.map((name, at) => {
    const dir = join(paths.runs, `20261116-1000${String(at).padStart(2, "0")}-work-0000`);
    mkdirSync(dir);
    copyFileSync(join(recorded, name), join(dir, "journal.jsonl"));
    return join(dir, "journal.jsonl");
  });
  return { paths, journals };
}

test("where nothing was run there is no history", () => {
  expect(readHistory(stateWith([]).paths)).toEqual({ runs: 0, sessions: [], tasks: [] });
});

test("sessions of agents and of judges are reported with what they cost, and tasks that landed with what they took", () => {
  const { sessions, tasks, runs } = readHistory(stateWith(["judge.jsonl"]).paths);
  const told = { inputTokens: 0, outputTokens: 0, unpricedTokens: 0 };
  expect(runs).toBe(1);
  expect(sessions).toEqual([
    { role: "executor", model: null, spent: { ...told, usd: 0 } },
    // A third one was ended by its driver's death.
    ...Array.from({ length: 2 }, () => ({ role: "judge", model: null, spent: { ...told, usd: 0.25 } })),
  ]);
  expect(tasks).toEqual([{ estimateMs: 900_000, tookMs: expect.any(Number) as number }]);
  expect(tasks[0]!.tookMs).toBeGreaterThan(0);
});

test("a session that a person or a limit cut short tells nothing, nor does a task done by hand", () => {
  const byHand = readHistory(stateWith(["by-hand.jsonl"]).paths);
  expect([byHand.sessions.length, byHand.tasks.length]).toEqual([1, 1]);
});

test("a damaged journal and one without a line are passed over; the others are read", () => {
  const { paths, journals } = stateWith(["push.jsonl", "question.jsonl", "scope.jsonl"]);
  appendFileSync(journals[0]!, "no journal\n{}\n");
  writeFileSync(journals[1]!, "");
  expect(readHistory(paths)).toEqual(readHistory(stateWith(["scope.jsonl"]).paths));
});

test("only the newest runs count", () => {
  const many = ["judge.jsonl", ...Array.from({ length: approvalLimits.historyRunsMax }, () => "push.jsonl")];
  const { sessions } = readHistory(stateWith(many).paths);
  expect(sessions.filter(({ role }) => role === "judge")).toEqual([]);
  expect(sessions).toHaveLength(2 * approvalLimits.historyRunsMax);
});
