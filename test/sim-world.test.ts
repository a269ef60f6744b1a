import { expect, test } from "vitest";
import type { RunEvent } from "../src/engine/events.ts";
import { evolve } from "../src/engine/evolve.ts";
import { noSpending } from "../src/engine/spending.ts";
import { createBell } from "../src/host/bell.ts";
import { drive } from "../src/host/drive.ts";
import type { ClockPort, SessionPort } from "../src/host/ports.ts";
import type { Run } from "../src/host/run.ts";
import type { RunCheck, Task } from "../src/plan/types.ts";
import { defaultPrompts } from "../src/prompts/overrides.ts";
import { diceOf } from "./rounds/dice.ts";
import { spec, World as Engine } from "./rig/world.ts";
import { Agents, sessionPort } from "./sim/agents.ts";
import { honestHabits, noFaults, wildHabits, someFaults, type Habits } from "./sim/chances.ts";
import { SimProcess } from "./sim/process.ts";
import { repoPort } from "./sim/repo-port.ts";
import { Repository } from "./sim/repository.ts";
import { roomPort, Rooms } from "./sim/rooms.ts";
import type { Surroundings } from "./sim/surroundings.ts";
import { Timeline } from "./sim/timeline.ts";
import { settleWorkspaces } from "./sim/workspaces.ts";

const at = { line: 1, column: 1 };
const key = { task: "a", attempt: 1 };
const signal = new AbortController().signal;
const noText = { goal: "", prerequisites: [], decisions: [], edgeCases: [], taskLines: [] };
const planFile = "plans/p/plan.md";
const planText = "---\ntitle: P\n---\n\n## Tasks\n\n- [ ] [a](tasks/a.md) A\n- [ ] [b](tasks/b.md) B\n";

function has(path: string, text: string): RunCheck {
  return { kind: "run", run: `has ${path} ${text}`, timeoutMs: 1, env: {}, cwd: ".", network: false, red: true, at };
}

function taskOf(id: string): Task {
  const files = { create: [`${id}.txt`], modify: ["shared.txt"], delete: [], touch: [] };
  const checks = [has(`${id}.txt`, "ready"), has("shared.txt", `by-${id}`)];
  const nothing = { depends: [], tools: [], skills: [], sourceDocs: [], sections: {}, text: "", estimateMs: undefined };
  const words = { file: `plans/p/tasks/${id}.md`, title: id, complexity: "medium", role: "executor" } as const;
  return { id, files, checks, ...nothing, ...words, at: () => at };
}

/** A world with a plan of two tasks that meet in one file, and drivers of its run. */
function stage(
  options: Partial<Pick<Surroundings, "faults">> & { seed?: number; executors?: Habits["executors"] } = {},
) {
  const timeline = new Timeline();
  const repository = new Repository();
  let pids = 100;
  const spawn = (name: string, pid = (pids += 1)) => {
    const identity = { pid, startTime: String((pids += 1)), bootId: "boot" };
    return new SimProcess(timeline, { reached: () => {} }, { name, identity });
  };
  const plan = { name: "p", dir: "plans/p", title: "P", tasks: [taskOf("a"), taskOf("b")], checks: [], ...noText };
  const rules = {
    protect: [],
    forbid: [],
    checks: [],
    push: "task",
    remote: "origin",
    maxChangedLines: 1000,
    prose: "",
  };
  const folder = (name: string) => `/stint/${name}`;
  const world = {
    timeline,
    repository,
    dice: diceOf(options.seed ?? 1),
    agents: new Agents(),
    rooms: new Rooms(),
    layout: { state: "/stint", approvals: folder("a"), locks: folder("l"), runs: folder("runs"), scratch: "/scratch" },
    scenario: { plan, rules },
    faults: options.faults ?? noFaults,
    habits: { ...honestHabits, executors: options.executors ?? honestHabits.executors },
    spawn,
  } as unknown as Surroundings & { readonly spawn: typeof spawn };
  const tree = new Map([
    ["shared.txt", "base\n"],
    [planFile, planText],
  ]);
  const base = repository.commit(null, tree, "base");
  repository.refs.set("refs/stint/runs/r", base);
  const specs = plan.tasks.map(({ id, files }) => ({ ...spec(id), files }));
  const { state } = new Engine(specs, { parallel: 2, push: "task" });
  Object.assign(state, { base, tip: base });
  const driverOf = (driver: SimProcess) => ({
    repo: repoPort(world, driver, state),
    rooms: roomPort(world, driver, state),
    sessions: sessionPort(world, driver, state),
  });
  const driver = spawn("driver");
  return { world, repository, timeline, base, tree, state, driver, driverOf, ...driverOf(driver) };
}

type Stage = ReturnType<typeof stage>;

/** Lets time go on until something has come. */
async function come<T>({ timeline }: Pick<Stage, "timeline">, awaited: Promise<T>): Promise<T> {
  let isOver = false;
  const over = awaited.finally(() => (isOver = true));
  over.catch(() => {});
  do await new Promise((resolve) => setImmediate(resolve));
  while (!isOver && (await timeline.step()));
  return over;
}

/** Lets everything happen that is ahead. */
async function rest({ timeline }: Pick<Stage, "timeline">) {
  while (await timeline.step());
}

const request = {
  key,
  role: "executor",
  prompt: "",
  inbox: new Map(),
  signal,
  started: () => {},
  used: () => {},
} as const;
type Change = readonly [string, string];

function candidateOf({ repository, base, tree }: Stage, ...changes: readonly Change[]) {
  return repository.commit(base, new Map([...tree, ...changes]), "candidate");
}

function placing(staged: Stage, task: string, candidate: string, tip = staged.base) {
  const { base } = staged;
  const words = { attempt: 1, title: task, summary: "", checkCount: 1, at: "now" };
  return come(staged, staged.repo.place({ task, base, tip, candidate, ...words }));
}

async function placed(staged: Stage, task: string, candidate: string, tip = staged.base) {
  const result = await placing(staged, task, candidate, tip);
  if (result.kind !== "placed") throw new Error(`expected it placed, but was ${result.kind}`);
  return result.placement;
}

test("what is placed has both changes and its own box ticked; two changes of one file conflict", async () => {
  const staged = stage();
  const first = await placed(staged, "a", candidateOf(staged, ["a.txt", "ready\n"], ["shared.txt", "by-a\n"]));
  const second = await placed(staged, "b", candidateOf(staged, ["b.txt", "ready\n"]), first.commit);
  const tree = staged.repository.treeOf(second.commit);
  expect([...tree.keys()].toSorted()).toEqual(["a.txt", "b.txt", planFile, "shared.txt"]);
  expect(tree.get(planFile)).toBe(planText.replaceAll("[ ]", "[x]"));
  expect(second.changes.map(({ status, path }) => `${status} ${path}`)).toEqual(["A b.txt", `M ${planFile}`]);
  const quarrel = await placing(staged, "b", candidateOf(staged, ["shared.txt", "by-b\n"]), first.commit);
  expect(quarrel).toEqual({ kind: "conflict", paths: ["shared.txt"] });
  const same = await placing(staged, "b", candidateOf(staged, ["shared.txt", "by-a\n"]), first.commit);
  expect(same.kind).toBe("placed");
});

test("a task without a line is not ticked", async () => {
  const staged = stage();
  const result = await placing(staged, "c", candidateOf(staged, ["c.txt", "x"]));
  expect(result).toEqual({ kind: "unticked", why: 'plan.md has no line for the task "c" under "## Tasks"' });
});

test("a workspace is saved under its rescue ref before it goes; without a change, and without a folder, that is said", async () => {
  const staged = stage();
  const { repo, repository, base } = staged;
  const removed: string[] = [];
  repository.observer = { removed: (dir) => removed.push(dir), moved: () => {} };
  expect(await come(staged, repo.collect(key, { base, signal }))).toEqual({ kind: "missing" });
  await come(staged, repo.giveWorkspace(key, { base, signal }));
  expect(await come(staged, repo.collect(key, { base, signal }))).toEqual({ kind: "empty" });
  const [dir = ""] = repository.workspaces.keys();
  repository.write(dir, ["a.txt", "work\n"], null);
  const collected = await come(staged, repo.collect(key, { base, signal }));
  expect(collected).toMatchObject({ kind: "candidate", paths: ["a.txt"] });
  const rescued = repository.refs.get(repo.rescueRef(key)) ?? "";
  expect(repository.treeOf(rescued).get("a.txt")).toBe("work\n");
  expect(repository.commits.get(rescued)?.parent).toBe(base);
  repo.removeWorkspace(key);
  await come(staged, settleWorkspaces(staged.world, staged.driver));
  expect(removed).toEqual([dir]);
});

test("a workspace that a dead driver made is made anew", async () => {
  const staged = stage();
  const { base, repository, world } = staged;
  await come(staged, staged.rooms.checkBase({ key, base, checks: [], logDir: "", signal }));
  const [dir = ""] = repository.workspaces.keys();
  const made = repository.workspaces.get(dir);
  await come(staged, staged.repo.giveWorkspace(key, { base, signal }));
  expect(repository.workspaces.get(dir)).toBe(made);
  staged.driver.kill();
  const next = staged.driverOf(world.spawn("driver"));
  await come(staged, next.repo.giveWorkspace(key, { base, signal }));
  expect(repository.workspaces.get(dir)).not.toBe(made);
});

test("only who knows the tip can move it", async () => {
  const staged = stage();
  const { repo, base } = staged;
  const commit = candidateOf(staged, ["a.txt", "x"]);
  expect(await come(staged, repo.swapTip(commit, "elsewhere"))).toEqual({ actual: base });
  expect(await come(staged, repo.swapTip(commit, base))).toBe("moved");
  expect(await come(staged, repo.swapTip(commit, base))).toEqual({ actual: commit });
  expect(await come(staged, repo.contains(commit, base))).toBe(true);
  expect(await come(staged, repo.contains(base, commit))).toBe(false);
});

test("the user's branch moves forward only, and the commit is kept either way", async () => {
  const staged = stage();
  const { repo, repository, base } = staged;
  const commit = candidateOf(staged, ["a.txt", "x"]);
  expect(await come(staged, repo.publish(commit))).toEqual({ deferred: null });
  expect(repository.branches.get("stint/p")).toBe(commit);
  const theirs = repository.commit(base, new Map(), "of the user");
  repository.branches.set("stint/p", theirs);
  const next = repository.commit(commit, new Map(), "next");
  const { deferred } = await come(staged, repo.publish(next));
  expect(deferred).toMatch(/^Branch stint\/p has diverged/);
  expect(repository.branches.get("stint/p")).toBe(theirs);
  expect(repository.refs.get("refs/stint/keep/r/tip")).toBe(next);
});

test("git that fails may have done its work", async () => {
  const told = new Set<string>();
  for (let seed = 0; seed < 20; seed += 1) {
    const staged = stage({ seed, faults: { ...noFaults, git: 1 } });
    const { repo, repository, base } = staged;
    const commit = candidateOf(staged, ["a.txt", "x"]);
    await expect(come(staged, repo.swapTip(commit, base))).rejects.toThrow("swap the tip failed");
    told.add(repository.refs.get("refs/stint/runs/r") === commit ? "moved" : "not moved");
  }
  expect([...told].toSorted()).toEqual(["moved", "not moved"]);
});

test("rooms say what is so, and a shaky machine never says green of what is red", async () => {
  const checks = [has("shared.txt", "base"), has("a.txt", "ready")];
  const said = async (faults: Surroundings["faults"]) => {
    const staged = stage({ faults });
    const evidence = await come(staged, staged.rooms.check({ commit: staged.base, checks, logDir: "", signal }));
    expect(staged.world.rooms.all.every(({ process }) => !process.isAlive)).toBe(true);
    return evidence.map(({ state, cause }) => cause ?? state);
  };
  expect(await said(noFaults)).toEqual(["green", "red"]);
  expect(await said({ ...noFaults, flaky: 1 })).toEqual(["red", "red"]);
  expect(await said({ ...noFaults, setup: 1 })).toEqual(["set-up", "set-up"]);
});

test("a room that outlives its driver is ended by the next one's sweep", async () => {
  const staged = stage({ faults: { ...noFaults, orphan: 1 } });
  const { rooms, base, world, driver } = staged;
  const checks = Array.from({ length: 50 }, () => has("a.txt", "ready"));
  void rooms.check({ commit: base, checks, logDir: "", signal });
  while (world.rooms.all.length === 0) await staged.timeline.step();
  driver.kill();
  expect(world.rooms.leftovers()).toHaveLength(1);
  await come(staged, staged.driverOf(world.spawn("driver")).rooms.sweep());
  expect(world.rooms.leftovers()).toEqual([]);
});

async function given(options: Parameters<typeof stage>[0] = {}) {
  const staged = stage(options);
  await come(staged, staged.repo.giveWorkspace(key, { base: staged.base, signal }));
  return staged;
}

/** Begins a session and lets time go on until its agent works. */
async function begun(staged: Stage, more: Partial<Parameters<SessionPort["run"]>[0]> = {}) {
  const session = staged.sessions.run({ ...request, ...more });
  session.catch(() => {});
  while (staged.world.agents.living().length === 0) await staged.timeline.step();
  return { session, agent: staged.world.agents.all[0]! };
}

test("an honest agent makes its task's checks green, and its account never shrinks", async () => {
  const staged = await given();
  const told = [noSpending];
  const { session } = await begun(staged, { used: (spending) => told.push(spending) });
  const end = await come(staged, session);
  expect(end.outcome).toEqual({ kind: "ok" });
  expect(end.usage).toEqual(told.at(-1));
  const tokens = told.map(({ inputTokens }) => inputTokens);
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  const [workspace] = staged.repository.workspaces.values();
  expect(workspace?.files.get("a.txt")).toBe("ready\n");
  expect(workspace?.files.get("shared.txt")).toBe("base\nby-a\n");
});

test("an agent whose start cannot be recorded dies before it does anything", async () => {
  const staged = await given();
  const full = new Error("the disk is full");
  const started = () => {
    throw full;
  };
  await expect(come(staged, staged.sessions.run({ ...request, started }))).rejects.toBe(full);
  await rest(staged);
  expect(staged.world.agents.all.map(({ process, isHeld }) => [process.isAlive, isHeld])).toEqual([[false, true]]);
  const [workspace] = staged.repository.workspaces.values();
  expect(workspace?.touchedBy).toBeNull();
});

test("an aborted session ends as interrupted and leaves nobody behind", async () => {
  const staged = await given({ executors: { hangs: 1 } });
  const stop = new AbortController();
  const { session, agent } = await begun(staged, { signal: stop.signal });
  stop.abort();
  expect((await come(staged, session)).outcome.kind).toBe("interrupted");
  expect(agent.process.isAlive).toBe(false);
});

test("an orphan goes on writing; the next driver ends the very process that is recorded, and no other with its pid", async () => {
  const staged = await given({ faults: { ...noFaults, orphan: 1 }, executors: { hangs: 1 } });
  const { world, driver, repository } = staged;
  const { agent } = await begun(staged);
  driver.kill();
  while (repository.workspaces.values().next().value?.touchedBy !== agent.process) await staged.timeline.step();
  expect(agent.process.isAlive).toBe(true);
  const { identity } = agent.process;
  const namesake = world.spawn("somebody else", identity.pid);
  const { sessions } = staged.driverOf(world.spawn("driver"));
  const recorded = { role: "executor", identity: namesake.identity, marker: agent.marker } as const;
  expect(await come(staged, sessions.end({ task: "b", attempt: 1 }, recorded))).toEqual(noSpending);
  expect(agent.process.isAlive).toBe(true);
  const used = await come(staged, sessions.end(key, { ...recorded, identity }));
  expect([agent.process.isAlive, namesake.isAlive]).toEqual([false, true]);
  expect(used).toEqual(agent.used);
});

test("without orphans an agent dies with its driver", async () => {
  const staged = await given({ executors: { hangs: 1 } });
  const { agent } = await begun(staged);
  staged.driver.kill();
  expect(agent.process.isAlive).toBe(false);
});

test("a power loss may take what agents wrote, and nothing else", async () => {
  const lost = new Set<string | undefined>();
  for (let seed = 0; seed < 30; seed += 1) {
    const staged = await given({ seed });
    const { repository, base, repo, world } = staged;
    const [[dir, workspace] = ["", undefined]] = repository.workspaces;
    repository.write(dir, ["shared.txt", "work\n"], null);
    await come(staged, repo.collect(key, { base, signal }));
    const refs = new Map(repository.refs);
    repository.powerLoss(world.dice);
    lost.add(workspace?.files.get("shared.txt"));
    expect(workspace?.files.get(planFile)).toBe(planText);
    expect(repository.refs).toEqual(refs);
  }
  expect([...lost].toSorted()).toEqual(["", "base\n", "work\n"]);
});

/** Drives the whole run without a journal. */
async function driven(staged: Stage): Promise<Run["state"]> {
  const { world, state, driver, timeline, repo, rooms, sessions } = staged;
  const bell = createBell();
  const clock: ClockPort = {
    now: () => new Date(timeline.wall()).toISOString(),
    elapsed: () => timeline.elapsed(),
    after: (ms, wake) => driver.after(ms, wake),
    waitUntil: (time) => driver.call("wait", { ms: Date.parse(time) - timeline.wall() }, () => {}),
  };
  const append = (event: RunEvent) => {
    evolve(state, event);
    bell.ring();
  };
  const documents = { attemptDir: () => "/d", write: () => {} };
  const commands = { take: () => [], watch: () => () => {} };
  const ports = { clock, repo, rooms, sessions, documents, commands };
  const texts = { documents: new Map(), prompts: defaultPrompts, setup: "", ...world.scenario };
  const own = { live: new Map(), pid: 1, epoch: 1, append, isPoisoned: () => false, bell };
  const run = { ...texts, ports, state, ...own } as unknown as Run;
  return come(staged, drive(run, { signal, wait: true }));
}

test("the shipped driver brings a run of honest agents to its end over these ports", async () => {
  const staged = stage();
  const state = await driven(staged);
  expect(state.finished).toBe("done");
  const tree = staged.repository.treeOf(staged.repository.branches.get("stint/p") ?? "");
  expect(tree.get("shared.txt")).toMatch(/^base\n(by-a\nby-b|by-b\nby-a)\n$/);
  expect(tree.get(planFile)).toBe(planText.replaceAll("[ ]", "[x]"));
  expect(staged.repository.remote.get("stint/p")).toBe(state.tip);
});

test("runs of anybody on a shaky machine are the same for the same seed, and every kind of agent comes", async () => {
  const kinds = new Set<string>();
  const life = async (seed: number) => {
    const staged = stage({ seed, faults: someFaults, executors: wildHabits.executors });
    const end = await driven(staged).then(
      ({ finished, parked, tip }) => [finished, parked, tip],
      (error: unknown) => String(error),
    );
    staged.world.agents.all.forEach(({ script }) => kinds.add(script.habit));
    return [end, staged.timeline.elapsed(), staged.repository.commits.size];
  };
  for (let seed = 0; seed < 60; seed += 1) expect(await life(seed)).toEqual(await life(seed));
  expect(Object.keys(wildHabits.executors).filter((kind) => !kinds.has(kind))).toEqual([]);
});
