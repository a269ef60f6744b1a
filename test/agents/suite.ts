import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { describe, expect, test, type TestContext, vi } from "vitest";
import type { Ended, Running } from "../rig/cli.ts";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { processesOf } from "../rig/processes.ts";
import { makes } from "../rig/plan.ts";
import { nodeFolder, programFolder, type Release } from "./installed.ts";
import { type Expected, oldestOutcomes, outcomes, type Table, type Trouble, usages } from "./outcomes.ts";
import { pixel } from "./pixel.ts";
import type { Route } from "./routes.ts";
import type { Answer, Move } from "./server/script.ts";
import { setStage, type Stage, type StageOptions } from "./stage.ts";

type Sandbox = StageOptions["sandbox"];

/** Everything that is verified of an agent, with the real program. Side by side, because much of it is waiting. */
export function describeAgent(route: Route): void {
  const missing = programFolder(route.agent) === undefined;
  describe.skipIf(missing).each<Sandbox>(["bwrap", "none"])(
    `${route.name}, sandbox %s`,
    { concurrent: true },
    (sandbox) => {
      const plot = (test: TestContext): Plot => ({ test, route, sandbox, release: "newest" });
      test("An edit and a shell command become a verified commit on the branch.", (test) =>
        workIsIntegrated(plot(test)));
      // What they share is the home, whoever speaks to the program: the native drivers stand for all.
      if (sandbox === "bwrap" && !route.name.endsWith("over ACP")) {
        test("Two sessions at once, in the agent's one home, both land.", (test) => twoWorkAtOnce(plot(test)));
      }
      const table = outcomes[route.name];
      for (const trouble of troublesIn(table, sandbox)) {
        test(`The service's trouble is told apart: ${trouble}.`, (test) => troubleIsTyped(plot(test), trouble, table));
      }
      test("An agent that hangs after its last word is ended, and the checks decide.", (test) =>
        lingererIsEnded(plot(test)));
      test("Ctrl-C while a tool runs leaves no process.", (test) => nothingSurvivesStop(plot(test)));
      test("A picture named by the task reaches the model.", (test) => pictureArrives(plot(test)));
    },
  );
}

/** What an older release may do differently: its tools and its words. Where the newest is silent, nothing is asked of an older one. */
export function describeOldest(route: Route): void {
  const missing = programFolder(route.agent, "oldest") === undefined;
  describe.skipIf(missing)(`${route.name}, the oldest release`, { concurrent: true }, () => {
    const plot = (test: TestContext): Plot => ({ test, route, sandbox: "bwrap", release: "oldest" });
    test("An edit and a shell command become a verified commit on the branch.", (test) => workIsIntegrated(plot(test)));
    const table = { ...outcomes[route.name], ...oldestOutcomes[route.name] };
    for (const trouble of troublesIn(table, "bwrap").filter((name) => table[name]?.kind !== "idle")) {
      test(`The service's trouble is told apart: ${trouble}.`, (test) => troubleIsTyped(plot(test), trouble, table));
    }
  });
}

/** Most programs begin as a script for the Node that a user has. */
export function describeUnderNode(node: string, routes: readonly Route[]): void {
  describe.skipIf(nodeFolder(node) === undefined)(`under Node ${node}`, { concurrent: true }, () => {
    test("this is the Node that programs find", () => {
      const found = spawnSync("node", ["--version"], { env: { PATH: nodeFolder(node) }, encoding: "utf8" });
      expect(found.stdout).toBe(`v${node}\n`);
    });
    for (const route of routes) {
      test.skipIf(programFolder(route.agent) === undefined)(`work of ${route.name} becomes a verified commit`, (test) =>
        workIsIntegrated({ test, route, sandbox: "bwrap", release: "newest", node }),
      );
    }
  });
}

interface Plot {
  readonly test: TestContext;
  readonly route: Route;
  readonly sandbox: Sandbox;
  readonly release: Release;
  readonly node?: string;
}

/** A sandbox does not change what an agent says of its service: without one, a refusal and a silence stand for all. */
function troublesIn(table: Table, sandbox: Sandbox): Trouble[] {
  return sandbox === "bwrap" ? (Object.keys(table) as Trouble[]) : ["401", "silence"];
}

async function workIsIntegrated({ test, route, ...plot }: Plot): Promise<void> {
  const { sandbox } = plot;
  const stage = await setStage(route, { test, ...plot, moves: [] });
  stage.server.play(honestMoves(stage));

  expectCode(await stage.run(), 0);

  const { rig, server } = stage;
  const seen = sandbox === "bwrap" ? "hidden" : "in sight";
  expect(rig.events("agent-finished")).toMatchObject([
    {
      outcome: { kind: "ok" },
      report: { status: "done", summary: "Written by the scripted model.", notes: `The user's repo is ${seen}.` },
      usage: usages[route.name],
    },
  ]);
  expect(rig.events("verdict")).toMatchObject([{ result: "passed", guards: [] }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  const asked = server.requests.filter(({ tools }) => tools.length > 0);
  expect(asked.map(({ model, results, images }) => ({ model, results, images }))).toEqual(
    [0, 1, 2].map((results) => ({ model: modelId(route), results, images: 0 })),
  );
  expect(asked[0]?.text).toContain("Make the checks pass.");
  expect(stage.processes()).toEqual([]);
}

/** The first file says whose work it is; neither session ends before the other has begun. */
async function twoWorkAtOnce({ test, route, sandbox }: Plot): Promise<void> {
  const tasks = { "02-b": makes("02-b.txt") };
  const moves: readonly Move[] = [{ shell: 'sleep 3; echo ready > "$STINT_TASK.txt"' }, { say: "The task is done." }];
  const task = makes("01-a.txt");
  const stage = await setStage(route, { test, sandbox, moves, task, tasks, run: { parallel: 2 } });

  expectCode(await stage.run(), 0);

  const types = stage.rig.journal().map(({ type }) => type);
  expect(types.lastIndexOf("agent-started")).toBeLessThan(types.indexOf("agent-finished"));
  expect(commitsOf(stage.rig).toSorted()).toEqual(["01-a", "02-b"]);
  expect(stage.processes()).toEqual([]);
}

async function troubleIsTyped(
  { test, route, sandbox, release }: Plot,
  trouble: Trouble,
  { [trouble]: expected }: Table,
): Promise<void> {
  if (expected === undefined) throw new Error(`Internal error: expected an outcome of ${trouble}, but there is none`);
  const { model, ...service } = troubles[trouble];
  const stage = await setStage(route, {
    test,
    sandbox,
    release,
    ...service,
    run: { idle_timeout: "4s" },
    ...(model === undefined ? {} : { model: route.model.replace(modelId(route), model) }),
  });
  const before = Date.now();

  const end = await stage.run();

  const [finished] = stage.rig.events("agent-finished");
  expect(finished?.["outcome"], `${end.stdout}${end.stderr}`).toEqual(outcomeOf(expected, { stage, before }));
  expectCode(end, exitCodes[expected.kind]);
  expect(stage.rig.events("task-integrated")).toEqual([]);
  // No answer but a stalled one: nothing was tried again behind our back, and no other model was fallen back to.
  expect(stage.server.requests.filter(({ tools, answer }) => tools.length > 0 && isWholeAnswer(answer))).toEqual([]);
  expect(stage.processes()).toEqual([]);
}

async function lingererIsEnded({ test, route, sandbox }: Plot): Promise<void> {
  const seconds = uniqueSeconds();
  const stage = await setStage(route, {
    test,
    sandbox,
    moves: [],
    entry: (entry) => ({ ...entry, command: ["sh", "-c", `sleep ${seconds} & "$0" "$@"; wait`, ...entry.command] }),
  });
  stage.server.play(honestMoves(stage));

  const run = stage.start();
  await processStarts(run, `sleep ${seconds} `);

  expectCode(await run.ended, 0);
  expect(stage.rig.events("agent-finished")).toMatchObject([{ outcome: { kind: "ok" }, report: { status: "done" } }]);
  expect(commitsOf(stage.rig)).toEqual(["01-a"]);
  expect(processesOf(seconds)).toEqual([]);
  expect(stage.processes()).toEqual([]);
}

async function nothingSurvivesStop({ test, route, sandbox }: Plot): Promise<void> {
  const seconds = uniqueSeconds();
  const stage = await setStage(route, { test, sandbox, moves: [{ shell: `sh -c 'sleep ${seconds}'` }] });

  const run = stage.start();
  await processStarts(run, `sleep ${seconds} `);

  expectCode(await run.kill("SIGINT"), 130);
  expect(stage.rig.events("agent-finished")).toMatchObject([
    { outcome: { kind: "interrupted", detail: "stopped by Stint" } },
  ]);
  expect(stage.rig.events("stopped")).toHaveLength(1);
  expect(processesOf(seconds)).toEqual([]);
  expect(stage.processes()).toEqual([]);
}

async function pictureArrives({ test, route, sandbox }: Plot): Promise<void> {
  const stage = await setStage(route, {
    test,
    sandbox,
    moves: [],
    task: { source_docs: ["shot.png"] },
    files: { "shot.png": pixel },
  });
  stage.server.play(honestMoves(stage));

  expectCode(await stage.run(), 0);
  const [first] = stage.server.requests.filter(({ tools }) => tools.length > 0);
  expect(first).toMatchObject({ images: 1 });
  expect(commitsOf(stage.rig)).toEqual(["01-a"]);
}

/** Does the task with the agent's own tools; the report also tells what the shell could see of the machine. */
function honestMoves({ rig }: Stage): readonly Move[] {
  const report = { status: "done", summary: "Written by the scripted model.", notes: "The user's repo is $seen." };
  const text = JSON.stringify(report).replaceAll('"', '\\"');
  return [
    { edit: "a.txt", text: "ready\n" },
    {
      shell: `test -e ${rig.repo}/README.md && seen='in sight' || seen=hidden; echo "${text}" > "$STINT_OUTBOX/report.json"`,
    },
    { say: "The task is done." },
  ];
}

type TroubleSpec = Pick<StageOptions, "moves" | "model" | "subscriber" | "hasKey" | "url">;

const troubles: Readonly<Record<Trouble, TroubleSpec>> = {
  "401": { moves: [{ refuse: 401 }] },
  "429 with a reset": { moves: [{ refuse: 429, resetSeconds: 3600 }], subscriber: true },
  "429 without a reset": { moves: [{ refuse: 429 }] },
  "500": { moves: [{ refuse: 500 }] },
  "529": { moves: [{ refuse: 529 }] },
  "no key": { moves: [{ refuse: 401 }], hasKey: false },
  "no connection": { moves: [], url: "http://127.0.0.1:9" },
  "unknown model": { moves: [{ say: "Never said." }], model: "missing-model" },
  silence: { moves: [{ stall: "I begin a long answer and do not end it" }] },
};

const exitCodes: Readonly<Record<Expected["kind"], number>> = {
  limit: 75,
  overloaded: 75,
  auth: 3,
  misconfigured: 3,
  crashed: 3,
  idle: 3,
};

function isWholeAnswer(answer: Answer): boolean {
  return answer.kind === "speech" && !answer.stalls;
}

function outcomeOf(expected: Expected, { stage, before }: { readonly stage: Stage; readonly before: number }): unknown {
  const { kind } = expected;
  if (kind !== "limit") return { kind, detail: expected.detail.replaceAll("{host}", stage.host) };
  return { kind, until: expected.until === "reset" ? expect.toSatisfy((time: string) => isReset(time, before)) : null };
}

/** The service named a time one hour after it was asked, in whole seconds; agents may print it in whole minutes. */
function isReset(time: string, before: number): boolean {
  const earliest = before + 3_600_000 - 60_000;
  const latest = Date.now() + 3_600_000 + 60_000 + 1_000;
  return Date.parse(time) >= earliest && Date.parse(time) <= latest;
}

/** As the service knows it; a role may put a provider before it. */
function modelId({ model }: Route): string {
  return model.split("/").at(-1) ?? "";
}

/** Years that no other test asks for, so that the process is known by its arguments. */
function uniqueSeconds(): string {
  return String(randomInt(100_000_000, 1_000_000_000));
}

/** Waits for a process with this very command line, but no longer than Stint runs. */
async function processStarts(run: Running, command: string): Promise<void> {
  const [, token = ""] = command.split(" ");
  let ended: Ended | undefined;
  void run.ended.then((end) => (ended = end));
  await vi.waitUntil(
    () => {
      if (ended !== undefined) throw new Error(`stint run ended too early: ${JSON.stringify(ended)}`);
      return processesOf(token).some((found) => found.command === command);
    },
    { timeout: 90_000, interval: 50 },
  );
}
