import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../../src/report/model.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { settings, spec, usage, World } from "../../rig/world.ts";
import { lengthOf, overlapOf, without } from "../../../src/report/times.ts";

const folder = "test/fixtures/journals-2026-11-16";

function entriesOf(file: string): Entry[] {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

test("An hour in which nobody drove the run is no work of the session that died, and is shown as a wait.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  const process = { pid: 1, startTime: "", bootId: "" };
  world.add({ type: "agent-started", task: "a", attempt: 1, process, marker: "" });
  world.add({ type: "command-ignored", command: "c", kind: "pause", why: "too late" });
  const died = world.events.length;
  world.add({ type: "resumed", why: "driver-started", pid: 2, settings });
  const outcome = { kind: "interrupted", detail: "Stint ended" } as const;
  const ended = { task: "a", attempt: 1, outcome, report: null, reportProblem: null, usage };
  world.add({ type: "agent-finished", ...ended });
  const entries = journaled(world.events).map((entry, at) =>
    at < died ? entry : { ...entry, epoch: 2, at: new Date(Date.parse(entry.at) + 3_600_000).toISOString() },
  );

  const { waits, time, tasks, journal } = reportOf(entries, factsOf(entries));

  const [from, to] = [3_000, 3_604_000];
  expect(waits).toEqual([{ kind: "undriven", why: "the run's process died; not running", from, to }]);
  expect(time).toMatchObject({ wallMs: 3_605_000, waitedMs: to - from, agentMs: 2_000 });
  expect(tasks[0]?.attempts).toMatchObject([{ outcome: "ended", why: "interrupted: Stint ended", sessionMs: 2_000 }]);
  expect(journal).toEqual({ events: 6, takeovers: 1, repairs: [], ignoredCommands: ["pause: too late"] });
});

test("A clock that was set back in the middle makes no time negative.", () => {
  const entries = entriesOf("by-hand.jsonl").map((entry, at) =>
    at < 20 ? entry : { ...entry, at: new Date(Date.parse(entry.at) - 3_600_000).toISOString() },
  );
  const { time, tasks } = reportOf(entries, factsOf(entries));
  expect(time.wallMs).toBeGreaterThan(0);
  const times = tasks.flatMap(({ attempts }) =>
    attempts.flatMap(({ spans }) => spans.map(({ from, to }) => to - from)),
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
});

test("a part is cut where others cover it; what is covered whole keeps its place with no length", () => {
  const part = (from: number, to: number) => ({ from, to });
  expect(without(part(0, 100), [part(10, 20), part(15, 30), part(90, 200)])).toEqual([part(0, 10), part(30, 90)]);
  expect(without(part(0, 100), [part(100, 200)])).toEqual([part(0, 100)]);
  expect(lengthOf(without(part(10, 20), [part(0, 100)]))).toBe(0);
});

test("overlap is measured while anything happens; parts that only touch do not overlap", () => {
  const parts = [
    { from: 0, to: 10 },
    { from: 5, to: 10 },
    { from: 10, to: 20 },
    { from: 100, to: 100 },
  ];
  expect(overlapOf(parts)).toEqual({ average: 25 / 20, most: 2 });
  expect(overlapOf([])).toEqual({ average: 0, most: 0 });
});
