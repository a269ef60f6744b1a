import { expect, test } from "vitest";
import { noFaults, someFaults, wildHabits } from "../../sim/chances.ts";
import { come, driven, has, key, planFile, planText, signal, stillOwn, stage, type Stage } from "../../sim/stage.ts";
import type { Surroundings } from "../../sim/surroundings.ts";
import { settleWorkspaces } from "../../sim/workspaces.ts";

type Change = readonly [string, string];

function candidateOf({ repository, base, tree }: Stage, ...changes: readonly Change[]) {
  return repository.commit(base, new Map([...tree, ...changes]), "candidate");
}

function placing(staged: Stage, task: string, candidate: string, tip = staged.base) {
  const { base } = staged;
  const words = { attempt: 1, title: task, summary: "", checkCount: 1, typedChecks: [], at: "now" };
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
  await come(staged, repo.giveWorkspace(key, { base, signal, stillOwn }));
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
  await come(staged, staged.rooms.checkBase({ key, base, checks: [], logDir: "", signal, stillOwn }));
  const [dir = ""] = repository.workspaces.keys();
  const made = repository.workspaces.get(dir);
  await come(staged, staged.repo.giveWorkspace(key, { base, signal, stillOwn }));
  expect(repository.workspaces.get(dir)).toBe(made);
  staged.driver.kill();
  const next = staged.driverOf(world.spawn("driver"));
  await come(staged, next.repo.giveWorkspace(key, { base, signal, stillOwn }));
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
  for (let seed = 0; seed < 8; seed += 1) expect(await life(seed)).toEqual(await life(seed));
  for (let seed = 8; seed < 100; seed += 1) await life(seed);
  expect(Object.keys(wildHabits.executors).filter((kind) => !kinds.has(kind))).toEqual([]);
});
