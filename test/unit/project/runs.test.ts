import * as fc from "fast-check";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planOfRun } from "../../../src/engine/run-name.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { realFiles } from "../../../src/journal/file-port.ts";
import { pathsOf, runPaths, type Paths } from "../../../src/project/paths.ts";
import {
  findRuns,
  listRuns,
  nameOfRun,
  newRunId,
  numberForRun,
  readRun,
  runForPlan,
  runsLeftBehind,
  runsToResume,
  runToResume,
  timeForRun,
  unjournaledRepairs,
  type StartedRun,
} from "../../../src/project/runs.ts";
import { tempDir } from "../../rig/git.ts";
import { layNewRun } from "../../rig/project.ts";
import { spec, World } from "../../rig/world.ts";

function stateWith(runs: Readonly<Record<string, string | null>>): Paths {
  const root = tempDir();
  const paths = pathsOf(root, { HOME: root });
  mkdirSync(paths.runs, { recursive: true });
  for (const [id, journal] of Object.entries(runs)) {
    mkdirSync(join(paths.runs, id));
    if (journal !== null)
      copyFileSync(`test/fixtures/journals-2026-11-16/${journal}.jsonl`, runPaths(paths, id).journal);
  }
  return paths;
}

/** A run that has only what choosing between runs looks at. */
function run(id: string, about: Partial<RunState> = {}): StartedRun {
  const { state } = new World([spec("a")]);
  return { id, entries: [], state: Object.assign(state, { run: id }, about) };
}

const finished = { finished: { outcome: "completed" } } as unknown as Partial<RunState>;

test("the id of a run names its plan, whatever the plan is called", () => {
  const inRange = { min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,63}$/), fc.date(inRange), (plan, date) => {
      expect(planOfRun(newRunId(plan, date.toISOString(), "0a1b"))).toBe(plan);
    }),
  );
});

test("folders that are not named like a run are not listed; runs are, oldest first, of one plan or of all", () => {
  const [first, second] = ["20261116-100000-work-0000", "20261116-100001-other-0000"];
  const paths = stateWith({ [second]: null, "not-a-run": null, [first]: null });
  expect(listRuns(paths)).toEqual([first, second]);
  expect(listRuns(paths, "work")).toEqual([first]);
});

test("after a clock was set back, the next run is still the newest", () => {
  const paths = stateWith({ "20261116-100000-work-0000": null });
  expect(timeForRun(paths, "2026-11-16T10:00:01.000Z")).toBe("2026-11-16T10:00:01.000Z");
  expect(timeForRun(paths, "2026-11-16T10:00:00.500Z")).toBe("2026-11-16T10:00:01.000Z");
  expect(timeForRun(paths, "1970-01-01T00:00:00.000Z")).toBe("2026-11-16T10:00:01.000Z");
  expect(timeForRun(stateWith({}), "1970-01-01T00:00:00.000Z")).toBe("1970-01-01T00:00:00.000Z");
});

test("a run without an event is passed over, and a damaged one does not hide the others", () => {
  const whole = "20261116-100000-work-0000";
  const paths = stateWith({ [whole]: "push", "20261116-100001-work-0000": null, "20261116-100002-work-0000": "push" });
  writeFileSync(runPaths(paths, "20261116-100002-work-0000").journal, "no journal\n{}\n");
  const { runs, damaged, unread } = findRuns(paths);
  expect(runs.map(({ id }) => id)).toEqual([whole]);
  expect(damaged).toHaveLength(1);
  expect(unread).toBeUndefined();
  expect(readRun(paths, "20261116-100001-work-0000")).toMatchObject({ ok: true, value: { state: undefined } });
});

test("stint run resumes an unfinished run of the same content before a finished one, and the newest of those", () => {
  const runs = [run("1"), run("2"), run("3", finished), run("4", { planHash: "other" })];
  expect(runForPlan(runs, "h", "base")?.id).toBe("2");
  expect(runForPlan([run("1", finished), run("2", finished)], "h", "base")?.id).toBe("2");
  expect(runForPlan(runs, "unknown", "base")).toBeUndefined();
});

test("a run that waits on an old base with nothing integrated is left alone, for what was committed since may be what it waits for", () => {
  const waits = run("1", { parked: { reason: "question", why: "", until: null } as unknown as RunState["parked"] });
  expect(runForPlan([waits], "h", "base")).toBe(waits);
  expect(runForPlan([waits], "h", "another head")).toBeUndefined();
});

test("stint resume means the newest run with something left to do whose plan is still approved", async () => {
  const runs = [run("1"), run("2"), run("3", finished)];
  expect((await runToResume(runs, async ({ id }) => id === "1"))?.id).toBe("1");
  expect((await runToResume(runs, async () => true))?.id).toBe("2");
  expect((await runToResume(runs, async () => false))?.id).toBe("3");
});

test("with --all it means one run of each plan; runs of an earlier approval are left behind and named", async () => {
  const runs = [run("1"), run("2"), run("3", { plan: "q" }), run("4", { plan: "r", ...finished })];
  const ids = (some: readonly StartedRun[]) => some.map(({ id }) => id);
  expect(ids(await runsToResume(runs, async () => true))).toEqual(["2", "3"]);
  expect(ids(await runsLeftBehind(runs, async ({ id }) => id !== "3"))).toEqual(["3"]);
});

test("a cut that the journal does not mention is found by the bytes kept beside it, each once", () => {
  const dir = tempDir();
  const journal = join(dir, "journal.jsonl");
  for (const name of ["journal.jsonl.torn-2", "journal.jsonl.torn-1", "other.torn-3"])
    writeFileSync(join(dir, name), "torn!");
  const known = { type: "journal-repaired", bytes: 5, keptAt: "/elsewhere/journal.jsonl.torn-1" };
  expect(unjournaledRepairs(realFiles, journal, [known as never])).toEqual([
    { type: "journal-repaired", bytes: 5, keptAt: `${journal}.torn-2` },
  ]);
});

test("a run gets the next number of its plan; one that never began or cannot be read counts, other plans do not", () => {
  const paths = stateWith({ "20261116-100000-work-0000": null, "20261116-100001-other-0000": null });
  expect(numberForRun(paths, "new")).toBe(1);
  expect(numberForRun(paths, "work")).toBe(2);
  const fifth = layNewRun(paths, { plan: "work", number: 5 }, "2026-11-17T10:00:00Z");
  expect(numberForRun(paths, "work")).toBe(6);
  expect(nameOfRun(paths, fifth)).toBe("work#5");
  expect(nameOfRun(paths, "20261116-100000-work-0000")).toBe("20261116-100000-work-0000");
});
