import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { createBell } from "../../../src/base/bell.ts";
import { drive } from "../../../src/run/drive.ts";
import type { Run } from "../../../src/run/run.ts";
import { settings, spec, World } from "../../rig/world.ts";

type Look = (task: string, signal: AbortSignal) => Promise<void>;

/** Two tasks that persons have taken: all that is done for each is to look at its base and to make its workspace. */
function stage(look: Look, isPoisoned: () => boolean = () => false) {
  const world = new World([spec("a"), spec("b")], { only: [] });
  for (const task of ["a", "b"]) world.add({ type: "task-taken", task, command: task });
  const bell = createBell();
  const told: unknown[] = [];
  const append = (event: RunEvent) => {
    if (isPoisoned()) throw new Error("the disk is full");
    world.add(event);
    bell.ring();
  };
  const rooms = {
    checkBase: async ({ key, signal }: Parameters<Run["ports"]["rooms"]["checkBase"]>[0]) => {
      await look(key.task, signal);
      return [{ label: "x", state: "red", why: "", tail: "", durationMs: 1 }];
    },
  };
  const repo = { giveWorkspace: async () => undefined, workspacePath: () => "/w", removeWorkspace: () => undefined };
  const commands = { take: () => [], watch: () => () => undefined };
  const ports = { rooms, repo, commands, documents: { attemptDir: () => "/logs" } };
  const check = { kind: "run", run: "x", red: true, timeoutMs: 1, env: {}, cwd: ".", network: false };
  const plan = { name: "p", tasks: ["a", "b"].map((id) => ({ id, checks: [check] })), checks: [] };
  const run = {
    plan,
    rules: { checks: [] },
    ports,
    state: world.state,
    pid: 1,
    epoch: 1,
    append,
    stillOwn: () => {},
    isPoisoned,
    bell,
  };
  const options = { signal: new AbortController().signal, wait: false, tell: (failure: unknown) => told.push(failure) };
  const phases = () => ["a", "b"].map((id) => taskOf(world.state, id).phase);
  return { bell, told, append, phases, driven: drive(run as unknown as Run, options) };
}

/** Resolves once the bell has rung with this to be seen. */
async function until(bell: ReturnType<typeof createBell>, isSeen: () => boolean) {
  while (!isSeen()) await bell.after(bell.count());
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });
}

test("a step that fails is reported at once and thrown at the end; what else can be done is done first", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const broken = new Error("no room");
  const staged = stage((task) => (task === "a" ? Promise.reject(broken) : held));
  const end = expect(staged.driven).rejects.toBe(broken);
  await until(staged.bell, () => staged.told.length > 0);
  expect(staged.told).toEqual([broken]);
  release();
  await end;
  expect(staged.phases()).toEqual(["started", "taken"]);
});

test("where nothing else is under way, a failure is thrown only", async () => {
  const staged = stage((task) => (task === "a" ? Promise.resolve() : Promise.reject(new Error("no room"))));
  await expect(staged.driven).rejects.toThrow("no room");
  expect(staged.phases()).toEqual(["taken", "started"]);
});

test("where the journal takes nothing more, what is under way is ended at once", async () => {
  let isFull = false;
  const ended: string[] = [];
  const staged = stage(
    async (task, signal) => {
      if (task === "b") await aborted(signal).finally(() => ended.push(task));
      isFull = true;
    },
    () => isFull,
  );
  await expect(staged.driven).rejects.toThrow("the disk is full");
  expect(ended).toEqual(["b"]);
});

test("what failed is tried again when a person has paused the run and makes it go on", async () => {
  let looks = 0;
  const staged = stage(async (task, signal) => {
    if (task === "b" && looks < 2) await aborted(signal);
    if (task === "a" && (looks += 1) === 1) throw new Error("no room");
  });
  await until(staged.bell, () => staged.told.length > 0);
  staged.append({ type: "paused", command: "p" });
  await new Promise((resolve) => setImmediate(resolve));
  looks = 2;
  staged.append({ type: "resumed", why: "asked", pid: 1, settings: { ...settings, only: [] }, command: "r" });
  await staged.driven;
  expect(staged.phases()).toEqual(["taken", "taken"]);
});
