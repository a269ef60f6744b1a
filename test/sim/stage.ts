import type { RunEvent } from "../../src/engine/events.ts";
import { evolve } from "../../src/engine/evolve.ts";
import { createBell } from "../../src/base/bell.ts";
import { drive } from "../../src/run/drive.ts";
import type { ClockPort } from "../../src/project/machine.ts";
import type { Run } from "../../src/run/run.ts";
import type { RunCheck, Task } from "../../src/plan/types.ts";
import { defaultPrompts } from "../../src/prompts/overrides.ts";
import { spec, World as Engine } from "../rig/world.ts";
import { diceOf } from "../rounds/dice.ts";
import { Agents, sessionPort } from "./agents.ts";
import { honestHabits, noFaults, type Habits } from "./chances.ts";
import { plannerPort, Revisions } from "./planner.ts";
import { SimProcess } from "./process.ts";
import { repoPort } from "./repo-port.ts";
import { Repository } from "./repository.ts";
import { roomPort, Rooms } from "./rooms.ts";
import type { Surroundings } from "./surroundings.ts";
import { Timeline } from "./timeline.ts";

const at = { line: 1, column: 1 };
export const key = { task: "a", attempt: 1 };
export const signal = new AbortController().signal;
export const stillOwn = () => {};
const noText = { goal: "", prerequisites: [], decisions: [], edgeCases: [], taskLines: [] };
export const planFile = "plans/p/plan.md";
export const planText = "---\ntitle: P\n---\n\n## Tasks\n\n- [ ] [a](tasks/a.md) A\n- [ ] [b](tasks/b.md) B\n";

export function has(path: string, text: string): RunCheck {
  return { kind: "run", run: `has ${path} ${text}`, timeoutMs: 1, env: {}, cwd: ".", network: false, red: true, at };
}

function taskOf(id: string): Task {
  const files = { create: [`${id}.txt`], modify: ["shared.txt"], delete: [], touch: [] };
  const checks = [has(`${id}.txt`, "ready"), has("shared.txt", `by-${id}`)];
  const nothing = { depends: [], skills: [], sourceDocs: [], sections: {}, text: "", estimateMs: undefined };
  const words = { file: `plans/p/tasks/${id}.md`, title: id, complexity: "medium", role: "executor" } as const;
  return { id, files, checks, ...nothing, ...words, line: (ofText) => ofText, at: () => at };
}

/** A world with a plan of two tasks that meet in one file, and drivers of its run. */
export function stage(
  options: Partial<Pick<Surroundings, "faults">> & { seed?: number; executors?: Habits["executors"] } = {},
) {
  const timeline = new Timeline();
  const repository = new Repository();
  let pids = 100;
  const spawn = (name: string, pid = (pids += 1)) => {
    const identity = { pid, startTime: String((pids += 1)), bootId: "boot" };
    return new SimProcess(timeline, { reached: () => {} }, { name, identity });
  };
  const plan = {
    name: "p",
    dir: "plans/p",
    file: "plans/p/plan.md",
    title: "P",
    tasks: [taskOf("a"), taskOf("b")],
    checks: [],
    ...noText,
  };
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
    revisions: new Revisions(),
    paths: { state: "/stint", approvals: folder("a"), locks: folder("l"), runs: folder("runs"), scratch: "/scratch" },
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
  const specs = plan.tasks.map(({ id, files }) => spec(id, [], files));
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

export type Stage = ReturnType<typeof stage>;

/** Lets time go on until something has come. */
export async function come<T>({ timeline }: Pick<Stage, "timeline">, awaited: Promise<T>): Promise<T> {
  const pending = new Set([awaited]);
  const over = awaited.finally(() => pending.clear());
  over.catch(() => {});
  do await new Promise((resolve) => setImmediate(resolve));
  while (pending.size > 0 && (await timeline.step()));
  return over;
}

/** Lets everything happen that is ahead. */
export async function rest({ timeline }: Pick<Stage, "timeline">) {
  while (await timeline.step());
}

/** Drives the whole run without a journal. */
export async function driven(staged: Stage): Promise<Run["state"]> {
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
  const documents = { runDir: "/d", attemptDir: () => "/d", write: () => {} };
  const commands = { take: () => [], watch: () => () => {} };
  const ports = { clock, repo, rooms, sessions, planner: plannerPort(world, driver, state), documents, commands };
  const texts = { documents: new Map(), prompts: defaultPrompts, setup: "", ...world.scenario };
  const own = { live: new Map(), pid: 1, epoch: 1, append, stillOwn, isPoisoned: () => false, bell };
  const run = { ...texts, ports, state, ...own } as unknown as Run;
  return come(staged, drive(run, { signal, wait: true }));
}
