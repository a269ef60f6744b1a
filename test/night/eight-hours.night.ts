import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Move, Moves } from "../../src/agents/scripted/moves.ts";
import type { Running } from "../rig/cli.ts";
import { commitsOf, expectCode, pathsOf, verdictsOf } from "../rig/facts.ts";
import { newestJournal, untilFound, type JournalEvent } from "../rig/follow.ts";
import { makes } from "../rig/plan.ts";
import type { Rig } from "../rig/rig.ts";
import { createScriptedRig } from "../rig/scripted.ts";

const hours = (count: number) => count * 3_600_000;
const started = Date.now();
const at = (time: number) => new Date(started + time).toISOString();

/** What every session tells of its usage, so that the sum shows whether one of them was lost. */
const used = { usage: { input_tokens: 100, output_tokens: 10, usd: 0.25 } };
const half = (task: string) => ({ edit: `${task}.txt`, write: "half\n" });
const done = (task: string) => [used, { edit: `${task}.txt`, write: "ready\n" }];

/** One trouble each; whoever comes after it does the work. In the order of the plan, which is the order of the night. */
const troubles: Readonly<Record<string, readonly Move[]>> = {
  "01-ok": done("01-ok"),
  "02-limit-for-hours": [used, half("02-limit-for-hours"), { limit: { until: at(hours(4)) } }],
  "03-refused": [used, { refuse: "I will not do that." }],
  "04-crashed": [used, half("04-crashed"), { crash: "SIGKILL" }],
  "05-timeout": [used, { hang: "talking" }],
  "06-idle": [used, { hang: "silent" }],
  "07-context": [used, { context: "200000 of 200000 tokens" }],
  "08-limit-without-reset": [used, { limit: null }],
  "09-overloaded": [used, { overloaded: "529" }],
  "10-out-of-scope": [used, half("10-out-of-scope"), { edit: "elsewhere.txt", write: "ready\n" }],
  "11-red-check": [used, half("11-red-check"), { lie: "report" }],
  "12-nothing-done": [used, { lie: "events" }, { lie: "report" }],
  "13-flood": [used, { flood: { lines: 20_000 } }, half("13-flood")],
  "14-driver-killed": [used, half("14-driver-killed"), { hang: "talking" }],
  "15-limit-till-morning": [used, { limit: { until: at(hours(9)) } }],
};
const tasks = Object.keys(troubles);
const moves: Moves = Object.fromEntries(
  Object.entries(troubles).map(([task, trouble]) => [task, { 1: trouble, "*": done(task) }]),
);

/** The driver of the night, bundled below `dist` so that it finds the scripted agent there. */
const driver = join(import.meta.dirname, "..", "..", "dist", `night-${process.pid}`, "driver.js");

beforeAll(async () => {
  mkdirSync(dirname(driver), { recursive: true });
  const require =
    'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';
  await build({
    entryPoints: [join(import.meta.dirname, "driver.ts")],
    outfile: driver,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    banner: { js: require },
  });
});
afterAll(() => rmSync(dirname(driver), { recursive: true, force: true }));

async function createNight(): Promise<Rig> {
  const rig = await createScriptedRig({
    plan: { tasks: Object.fromEntries(tasks.map((task) => [task, makes(`${task}.txt`)])) },
    config: { run: { attempts: 2, task_timeout: "10s", idle_timeout: "4s" } },
    moves,
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  return rig;
}

function drive(rig: Rig, how: "begin" | "go-on"): Running {
  return rig.start([how], { program: driver });
}

test("Eight hours meet every outcome once and need nobody: all is committed but the one task that asks for another plan.", async () => {
  await using rig = await createNight();
  const checkout = rig.fingerprint();

  const evening = drive(rig, "begin");
  await evening.waitForEvent("agent-started", ({ task }) => task === "14-driver-killed");
  await noteOfUsage(rig, "14-driver-killed.1");
  await evening.kill("SIGKILL");
  expectCode(await drive(rig, "go-on").ended, 3);

  expect(outcomes(rig)).toEqual({
    "01-ok": ["ok"],
    "02-limit-for-hours": ["limit", "ok"],
    "03-refused": ["refused", "ok"],
    "04-crashed": ["crashed", "ok"],
    "05-timeout": ["timeout", "ok"],
    "06-idle": ["idle", "ok"],
    "07-context": ["context"],
    "08-limit-without-reset": ["limit", "ok"],
    "09-overloaded": ["overloaded", "ok"],
    "10-out-of-scope": ["ok", "ok"],
    "11-red-check": ["ok", "ok"],
    "12-nothing-done": ["ok", "ok"],
    "13-flood": ["ok", "ok"],
    "14-driver-killed": ["interrupted", "ok"],
    "15-limit-till-morning": ["limit", "ok"],
  });
  expect(tasks.map((task) => verdictsOf(rig, task)[0]?.reason)).toEqual([
    null,
    null,
    "refused",
    "crashed",
    "timeout",
    "idle",
    "context",
    null,
    null,
    "guard",
    "check",
    "no-change",
    "check",
    null,
    null,
  ]);

  // Nobody was needed: every wait had an end of its own, but for the one that the morning finds.
  const parked = rig.events("parked");
  expect(parked.map(({ reason }) => reason)).toEqual(["limit", "limit", "overloaded", "limit", "blocked"]);
  expect(parked.slice(0, -1).every(({ until }) => typeof until === "string")).toBe(true);
  expect(waitMs(parked[0]!)).toBeGreaterThan(hours(3));
  expect(parked.at(-1)).toMatchObject({ why: "07-context", until: null });
  expect(rig.events("replan-requested")).toMatchObject([{ task: "07-context" }]);
  expect(rig.events("task-blocked")).toMatchObject([{ task: "07-context", kind: "too-big" }]);

  // Everything else landed, once each, with nothing but its own file.
  const landed = tasks.filter((task) => task !== "07-context");
  expect(commitsOf(rig)).toEqual(landed);
  const commits = rig.git("rev-list", "--reverse", "main..stint/work").split("\n");
  for (const [index, task] of landed.entries()) {
    expect(pathsOf(rig, commits[index]!)).toEqual([`${task}.txt`, "plans/work/plan.md"]);
    expect(rig.git("show", `stint/work:${task}.txt`)).toBe("ready");
  }

  // Nothing was lost: half-done work is kept, every session's usage is counted, the checkout is as it was.
  const { run, cost, tasks: standings } = await rig.status();
  for (const task of ["02-limit-for-hours", "04-crashed", "13-flood", "14-driver-killed"]) {
    expect(rig.controlGit("show", `refs/stint/rescue/${run}/${task}/1:${task}.txt`)).toBe("half");
  }
  const sessions = standings.reduce((sum, { attempts }) => sum + attempts, 0);
  expect(sessions).toBe(28);
  expect(cost).toEqual({ usd: sessions * 0.25, input_tokens: sessions * 100, output_tokens: sessions * 10 });
  expect(rig.fingerprint()).toEqual(checkout);
  expect(rig.processes()).toEqual([]);

  const times = rig.journal().map((event) => Date.parse(String(event["at"])));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(hours(8));
});

/** Resolves when what the session told of its usage is on the disk. */
async function noteOfUsage(rig: Rig, attempt: string): Promise<void> {
  const folder = join(dirname(newestJournal(rig.gitDir) ?? ""), "attempts", attempt);
  const isThere = () => (existsSync(join(folder, "usage.json")) ? true : undefined);
  await untilFound(() => [folder], isThere, AbortSignal.timeout(30_000));
}

function outcomes(rig: Rig): Record<string, unknown[]> {
  const kinds = (task: string) =>
    rig.events("agent-finished", task).map((event) => (event["outcome"] as { kind: string }).kind);
  return Object.fromEntries(tasks.map((task) => [task, kinds(task)]));
}

function waitMs(parked: JournalEvent): number {
  return Date.parse(String(parked["until"])) - Date.parse(String(parked["at"]));
}
