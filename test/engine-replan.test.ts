import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Action } from "../src/engine/action.ts";
import { judgeCommand, type ApprovedRevision, type Command, type Request } from "../src/engine/commands.ts";
import { decide } from "../src/engine/decide.ts";
import type { EventType, Revision, RunEvent, RunSettings, TaskSpec } from "../src/engine/events.ts";
import { fold } from "../src/engine/evolve.ts";
import { exitCode } from "../src/engine/exit-code.ts";
import { isObsolete } from "../src/engine/obsolete.ts";
import { isPlanOf, planHashNow } from "../src/engine/revise.ts";
import { noSpending } from "../src/engine/spending.ts";
import { isOver, taskOf, type RunState } from "../src/engine/state.ts";
import { summarise } from "../src/engine/summary.ts";
import type { TaskChange } from "../src/plan/diff.ts";
import { honest, spec, World } from "./rig/world.ts";

const own = (id: string, depends: readonly string[] = []): TaskSpec => ({
  ...spec(id, depends),
  files: { create: [`${id}.txt`], modify: [], delete: [], touch: [] },
});
const crash = { kind: "crashed", detail: "exit 1" } as const;
const usage = { inputTokens: 100, outputTokens: 10, usd: 0.25, unpricedTokens: 0 };

/** Tasks a and c fail for good, all others are done; the planner says what it is told to. */
function failing(ids: readonly string[], propose: (revision: number, state: RunState) => RunEvent) {
  const fine = honest((task) => (ids.includes(task) ? crash : { kind: "ok" }));
  return (action: Action, state: RunState): RunEvent => {
    if (action.type === "adopt") return { type: "plan-revised", ...state.replanning.accepted! };
    if (action.type !== "replan") return fine(action, state);
    if (state.replanning.open === null) {
      return { type: "replan-started", revision: action.revision, tasks: action.asking.map(({ task }) => task) };
    }
    return propose(action.revision, state);
  };
}

function revisionOf(revision: number, tasks: readonly TaskSpec[], changes: readonly TaskChange[]): Revision {
  return { revision, commit: `commit-${revision}`, planHash: `hash-${revision}`, tasks, changes };
}

function proposed(revision: Revision): RunEvent {
  return { type: "replan-proposed", ...revision, usage };
}

const gone = (id: string): TaskChange => ({ id, change: "removed" });
const added = (id: string): TaskChange => ({ id, change: "added" });
const changed = (id: string): TaskChange => ({ id, change: "changed" });

function blockedWorld(replan: RunSettings["replan"], more: Partial<RunSettings> = {}): World {
  return new World([own("a"), own("b"), own("c", ["a"])], { replan, replanMax: 2, attempts: 1, ...more });
}

function typesOf(world: World, ...types: readonly EventType[]): string[] {
  return world.events.map(({ type }) => type).filter((type) => types.includes(type));
}

/** Instead of a: d, which c waits for now. */
const instead = (revision: number) =>
  proposed(revisionOf(revision, [own("b"), own("d"), own("c", ["d"])], [added("d"), changed("c"), gone("a")]));

test("with `auto` a task that gave up is planned anew, and the run comes to its end without a person", () => {
  const world = blockedWorld("auto");
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
  expect([...world.state.tasks.keys()]).toEqual(["b", "d", "c"]);
  expect(typesOf(world, "replan-started", "replan-proposed", "revision-accepted", "plan-revised")).toEqual([
    "replan-started",
    "replan-proposed",
    "revision-accepted",
    "plan-revised",
  ]);
  expect(world.events.find(({ type }) => type === "revision-accepted")).toMatchObject({ by: null, revision: 1 });
  expect(world.state.usageByRole.get("planner")).toEqual(usage);
  expect(world.state.counts).toEqual({ integrated: 3, satisfied: 0, blocked: 0 });
});

test("both hashes are those of the run afterwards: the one it was started with, and the one that holds", () => {
  const world = blockedWorld("auto");
  world.go(failing(["a"], instead));
  expect([world.state.planHash, planHashNow(world.state)]).toEqual(["h", "hash-1"]);
  expect(["h", "hash-1", "hash-2"].map((hash) => isPlanOf(world.state, hash))).toEqual([true, true, false]);
});

test("with `never` nobody is asked, and the run waits as before", () => {
  const world = blockedWorld("never");
  world.go(failing(["a"], instead));
  expect(world.state.parked).toMatchObject({ reason: "blocked", why: "a" });
  expect(typesOf(world, "replan-started")).toEqual([]);
});

test("a journal that knows nothing of re-planning folds as before", () => {
  const world = blockedWorld("never");
  world.go(failing(["a"], instead));
  const [first, ...rest] = world.events;
  if (first?.type !== "run-started") throw new Error("expected run-started");
  const { replan: _, replanMax: __, ...settings } = first.settings;
  expect(fold([{ ...first, settings }, ...rest])).toEqual({
    ...world.state,
    settings: { ...world.state.settings, replan: "never", replanMax: 0 },
  });
});

test("with `ask` the proposal is a question, the run waits for it, and other tasks go on beside it", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  expect(world.state.parked).toMatchObject({ reason: "question", why: "replan-1" });
  expect(exitCode(world.state)).toBe(3);
  expect(taskOf(world.state, "b").phase).toBe("integrated");
  const [question] = summarise(world.state, false).questions;
  expect(question).toMatchObject({ id: "replan-1", task: null, about: "replan", options: ["refuse"] });
  expect(question?.question).toContain("`stint approve p`");
});

const judge = { epoch: 1, pid: 1 };
const command = (request: Request): Command => ({ ...request, v: 1, id: "cmd", run: "r", epoch: 1 });

function approved(world: World, revision: Revision): ApprovedRevision {
  return { ...revision, revises: planHashNow(world.state), by: "kim" };
}

function revise({ commit, planHash }: Revision): Command {
  return command({ kind: "revise", commit, planHash });
}

test("a refused proposal leaves the task blocked, says why, and is not asked for again", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  const dropped = judgeCommand(world.state, command({ kind: "answer", question: "replan-1", answer: "refuse" }), judge);
  expect(dropped).toEqual({ type: "revision-dropped", revision: 1, why: "a person refused it", command: "cmd" });
  world.add(dropped);
  world.go(failing(["a"], instead));
  expect(world.state.parked).toMatchObject({ reason: "blocked" });
  expect(world.state.questions.size).toBe(0);
  expect(typesOf(world, "replan-started")).toHaveLength(1);
  expect(summarise(world.state, false).tasks[0]?.reason).toContain("(revision 1): a person refused it");
});

test("`accept` is no answer: only an approval that the host has read makes a plan hold", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  const { proposal } = world.state.replanning;
  const yes = judgeCommand(world.state, command({ kind: "answer", question: "replan-1", answer: "accept" }), judge);
  expect(yes).toMatchObject({
    type: "command-ignored",
    why: expect.stringContaining("accepted by `stint approve p` alone"),
  });
  const unapproved = judgeCommand(world.state, revise(proposal!), judge);
  expect(unapproved).toMatchObject({ type: "command-ignored" });
  const other = { ...approved(world, proposal!), planHash: "other" };
  expect(judgeCommand(world.state, revise(proposal!), { ...judge, approvedRevision: other }).type).toBe(
    "command-ignored",
  );
  const accepted = judgeCommand(world.state, revise(proposal!), {
    ...judge,
    approvedRevision: approved(world, proposal!),
  });
  expect(accepted).toMatchObject({ type: "revision-accepted", revision: 1, by: "kim", command: "cmd" });
  world.add(accepted);
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
});

test("a person's own revision needs no question, gets the next number, and not what the run may ask for", () => {
  const world = blockedWorld("never");
  world.go(failing(["a"], instead));
  const mine = revisionOf(0, [own("b"), own("c")], [changed("c"), gone("a")]);
  const stale = { ...approved(world, mine), revises: "another" };
  expect(judgeCommand(world.state, revise(mine), { ...judge, approvedRevision: stale })).toMatchObject({
    why: "it revises a plan that does not hold any more",
  });
  world.add(judgeCommand(world.state, revise(mine), { ...judge, approvedRevision: approved(world, mine) }));
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
  expect(world.state.replanning).toMatchObject({ asked: 0, latest: 1, inForce: { revision: 1 } });
});

test.each([
  [
    "changes what has landed",
    [own("a"), own("b"), own("c", ["a"])],
    [changed("b")],
    "b would be changed, but its work has landed",
  ],
  ["removes what has landed", [own("a"), own("c", ["a"])], [gone("b")], "b would be removed, but its work has landed"],
  ["adds what is there", [own("a"), own("b"), own("c", ["a"])], [added("a")], "a cannot be added there"],
  ["removes what nobody has", [own("a"), own("b"), own("c", ["a"])], [gone("x")], undefined],
  ["keeps silent about a task", [own("a"), own("b")], [], "it does not tell what becomes of c"],
  [
    "leaves a task waiting for nobody",
    [own("b"), own("c", ["a"])],
    [gone("a")],
    "c would wait for a task that is not there",
  ],
  ["makes tasks wait for each other", [own("a", ["c"]), own("b"), own("c", ["a"])], [changed("a")], undefined],
  ["has no task", [], [gone("a"), gone("b"), gone("c")], "it has no task"],
] as const)("a proposal that %s is dropped, and the run waits for a person", (_, tasks, changes, why) => {
  const world = blockedWorld("never");
  world.go(failing(["a"], instead));
  const settings = { ...world.state.settings, replan: "auto" } as const;
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings });
  world.go(failing(["a"], (revision) => proposed(revisionOf(revision, tasks, changes))));
  const dropped = world.events.find((event) => event.type === "revision-dropped");
  expect(dropped).toMatchObject({ revision: 1, ...(why !== undefined && { why }) });
  expect(world.state.parked).toMatchObject({ reason: "blocked", why: "a" });
});

test("what a planner fails at is not asked for again until a person requeues the task, and never more than `replanMax` times", () => {
  const world = blockedWorld("auto");
  const none = failing(["a"], (revision) => ({
    type: "replan-failed",
    revision,
    why: "no idea",
    outcome: null,
    usage,
  }));
  for (const asked of [1, 2, 2]) {
    world.go(none);
    expect([world.state.replanning.asked, world.state.parked?.reason]).toEqual([asked, "blocked"]);
    world.add({ type: "task-requeued", task: "a", command: `r${asked}` });
  }
});

test("a limit of the planner's agent holds up the re-plan, which goes on with the same number; what it used counts once", () => {
  const world = blockedWorld("auto");
  const limited = failing(["a"], (revision, state) =>
    state.replanning.open?.spent.usd === 0
      ? { type: "replan-failed", revision, why: "limit", outcome: { kind: "limit", until: null }, usage }
      : instead(revision),
  );
  world.go(limited);
  expect(world.state.parked).toMatchObject({ reason: "limit" });
  expect(world.state.replanning.open).toMatchObject({ revision: 1, spent: usage });
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings: world.state.settings });
  world.go(limited);
  expect([world.state.finished, world.state.replanning.asked]).toEqual(["done", 1]);
});

test("a cap keeps the planner from being asked, and says so; a person raises it while the run goes on", () => {
  const world = blockedWorld("auto", { budgetUsd: 0.5 });
  world.go(failing(["a", "b"], instead));
  expect(world.state.parked).toMatchObject({ reason: "budget" });
  expect(judgeCommand(world.state, command({ kind: "raise", budgetUsd: 0.5 }), judge)).toMatchObject({
    type: "command-ignored",
    why: "the cap of run r is 0.50 USD; a run that goes on takes only a higher one",
  });
  const raised = judgeCommand(world.state, command({ kind: "raise", budgetUsd: 20 }), judge);
  expect(raised).toEqual({ type: "cap-raised", budgetUsd: 20, command: "cmd" });
  world.add(raised);
  expect(world.state.settings).toMatchObject({ budgetUsd: 20, askedUsd: 20 });
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
  expect(judgeCommand(blockedWorld("auto").state, command({ kind: "raise", budgetUsd: 1 }), judge)).toMatchObject({
    why: "run r has no cap in USD",
  });
});

/** Tasks a and b are at work when a revision that removes a is accepted. */
function atWork(): World {
  const world = new World([own("a"), own("b"), own("c", ["a"])], { parallel: 2, replan: "auto", replanMax: 1 });
  for (const task of ["a", "b"]) {
    world.add({ type: "attempt-started", task, attempt: 1, base: "base", role: "executor" });
    world.add({ type: "baseline", task, attempt: 1, state: "red", why: "", checks: [] });
  }
  return world;
}

const process = { pid: 1, startTime: "1", bootId: "b" };
const withoutA = revisionOf(1, [own("b"), own("c")], [changed("c"), gone("a")]);

test("from acceptance on, sessions of what is changed are to end and all others are left alone; then the plan holds", () => {
  const world = atWork();
  for (const task of ["a", "b"]) world.add({ type: "agent-started", task, attempt: 1, process, marker: "" });
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  const ends = (task: string) => isObsolete(world.state, { type: "work", task });
  expect([ends("a"), ends("b")]).toEqual([true, false]);
  expect(decide(world.state).map(({ type }) => type)).not.toContain("adopt");
  const interrupted = { kind: "interrupted", detail: "" } as const;
  const end = { outcome: interrupted, report: null, reportProblem: null, usage: noSpending };
  world.add({ type: "agent-finished", task: "a", attempt: 1, ...end });
  expect(decide(world.state)).toContainEqual({ type: "collect", task: "a" });
  world.add({ type: "work-rescued", task: "a", attempt: 1, commit: null, ref: "", keptAt: null });
  expect([taskOf(world.state, "a").spent, taskOf(world.state, "a").phase]).toEqual([0, "pending"]);
  expect(decide(world.state)).toContainEqual({ type: "adopt", revision: 1, commit: "commit-1" });
  const before = taskOf(world.state, "b");
  world.add({ type: "plan-revised", ...withoutA, by: null });
  expect(taskOf(world.state, "b")).toBe(before);
  expect(taskOf(world.state, "b").phase).toBe("working");
  expect([...world.state.ready]).toEqual(["c"]);
});

test("what was only begun is given up at once, and a candidate of it is not landed any more", () => {
  const world = atWork();
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(world.state).map(({ type }) => type)).toEqual(["adopt", "work"]);
  expect(isObsolete(world.state, { type: "adopt", revision: 1, commit: "commit-1" })).toBe(false);
  const landing = atWork();
  const end = { outcome: { kind: "ok" } as const, report: null, reportProblem: null, usage: noSpending };
  landing.add({ type: "agent-finished", task: "a", attempt: 1, ...end });
  landing.add({ type: "candidate-made", task: "a", attempt: 1, commit: "c-a", paths: [], pathCount: 0 });
  expect(decide(landing.state).map(({ type }) => type)).toContain("verify");
  landing.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(landing.state).map(({ type }) => type)).toEqual(["adopt", "work"]);
  expect(isObsolete(landing.state, { type: "verify", task: "a", onto: "base" })).toBe(true);
});

test("a revision that came too late for a task that is landing is dropped once it has landed", () => {
  const world = atWork();
  const of = { task: "a", attempt: 1 };
  const end = { outcome: { kind: "ok" } as const, report: null, reportProblem: null, usage: noSpending };
  world.add({ type: "agent-finished", ...of, ...end });
  world.add({ type: "candidate-made", ...of, commit: "c-a", paths: [], pathCount: 0 });
  const green = { result: "passed", reason: null, why: "", guards: [], checks: [] } as const;
  world.add({ type: "verdict", ...of, ...green, tip: "base", placed: "p-a" });
  world.add({ type: "integrating", ...of, old: "base", new: "p-a" });
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(world.state)).toContainEqual({ type: "integrate", task: "a" });
  expect(decide(world.state).map(({ type }) => type)).not.toContain("adopt");
  world.add({ type: "task-integrated", ...of, commit: "p-a" });
  const why = "a would be removed, but its work has landed";
  expect(decide(world.state)[0]).toEqual({ type: "record", event: { type: "revision-dropped", revision: 1, why } });
});

test("a task in a person's hands is theirs: the revision waits for them, says so, and nobody can take another of its tasks", () => {
  const world = new World([own("a"), own("b"), own("c")], { only: [], replan: "auto", replanMax: 1 });
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  const revision = revisionOf(1, [own("b"), own("c")], [changed("c"), gone("a")]);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: { ...world.state.settings, only: null } });
  world.add({ type: "revision-accepted", ...revision, by: "kim" });
  expect(judgeCommand(world.state, command({ kind: "take", task: "c" }), judge)).toMatchObject({
    why: "revision 1 of the plan, which is accepted, changes task c",
  });
  world.go(failing([], instead));
  expect(world.state.parked).toMatchObject({ reason: "taken", why: expect.stringContaining("revision 1 waits for a") });
  world.add(judgeCommand(world.state, command({ kind: "requeue", task: "a" }), judge));
  world.go(failing([], instead));
  expect([world.state.finished, [...world.state.tasks.keys()]]).toEqual(["done", ["b", "c"]]);
});

test("a task that comes back goes on counting its attempts, and keeps what it has spent", () => {
  const world = blockedWorld("auto");
  const again = failing(["a", "d"], (revision) =>
    revision === 1
      ? instead(1)
      : proposed(revisionOf(2, [own("b"), own("a"), own("c")], [added("a"), changed("c"), gone("d")])),
  );
  world.go(again);
  const started = world.events.filter((event) => event.type === "attempt-started" && event.task === "a");
  expect(started.map((event) => "attempt" in event && event.attempt)).toEqual([1, 2]);
  expect(taskOf(world.state, "a").usage.usd).toBe(1);
});

test("a planner whose plan nobody needs any more is ended before anything else, and so is one that a person overtakes", () => {
  const world = blockedWorld("auto");
  const started = (state: RunState): RunEvent => ({ type: "paused", command: String(state.replanning.open?.revision) });
  world.go(failing(["a"], (_, state) => started(state)));
  world.add({ type: "resumed", why: "asked", pid: 1, settings: world.state.settings });
  const replan = { type: "replan", revision: 1, asking: [] } as const;
  expect(isObsolete(world.state, replan)).toBe(false);
  world.add({ type: "task-requeued", task: "a", command: "x" });
  expect(isObsolete(world.state, replan)).toBe(true);
  expect(decide(world.state)[0]).toMatchObject({ type: "end-replan", revision: 1 });
});

interface Change {
  readonly steps: number;
  readonly fates: readonly ("keep" | "change" | "remove")[];
  readonly more: number;
}

const changeArb: fc.Arbitrary<Change> = fc.record({
  steps: fc.nat(60),
  fates: fc.array(fc.constantFrom("keep", "change", "remove"), { minLength: 6, maxLength: 6 }),
  more: fc.nat(2),
});

function revisionAt(state: RunState, { fates, more }: Change): Revision | undefined {
  const fateOf = new Map([...state.tasks.keys()].map((id, at) => [id, fates[at] ?? "keep"]));
  const specs = [...state.tasks.values()].map(({ spec: one }) => one);
  const isOpen = ({ id }: TaskSpec) => taskOf(state, id).commit === null && !isOver(taskOf(state, id).phase);
  const removed = new Set(specs.filter((one) => isOpen(one) && fateOf.get(one.id) === "remove").map(({ id }) => id));
  const news = Array.from({ length: more }, (_, at) => own(`new${at}`));
  const kept = specs.filter(({ id }) => !removed.has(id));
  const tasks = kept.map((one) => ({ ...one, depends: one.depends.filter((id) => !removed.has(id)) }));
  const isChanged = (one: TaskSpec, at: number) =>
    isOpen(one) && (fateOf.get(one.id) === "change" || tasks[at]?.depends.length !== one.depends.length);
  const changes = [...kept.filter(isChanged).map(({ id }) => changed(id)), ...news.map(({ id }) => added(id))];
  const all = [...tasks, ...news];
  return all.length === 0 ? undefined : revisionOf(1, all, [...changes, ...[...removed].map(gone)]);
}

test("property: at any moment any fitting revision leaves the rest alone, loses no landed task, and the run is done", () => {
  const edges = fc.array(fc.boolean(), { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(edges, changeArb, fc.integer({ min: 1, max: 3 }), (edge, change, parallel) => {
      let at = 0;
      const ids = ["a", "b", "c", "d", "e", "f"];
      const specs = ids.map((id, index) =>
        own(
          id,
          ids.slice(0, index).filter(() => edge[at++]),
        ),
      );
      const world = new World(specs, { parallel, replan: "auto", replanMax: 1 });
      const act = failing([], instead);
      for (let step = 0; step < change.steps && world.state.finished === null; step += 1) {
        const actions = decide(world.state);
        const action = actions.find(({ type }) => type === "record") ?? actions[step % actions.length];
        if (action === undefined) break;
        world.add(action.type === "record" ? action.event : act(action, world.state));
      }
      const revision = revisionAt(world.state, change);
      if (world.state.finished !== null || revision === undefined) return;
      world.add({ type: "revision-accepted", ...revision, by: null });
      const named = new Set(revision.changes.map(({ id }) => id));
      let before: Map<string, unknown> | undefined;
      world.go((action, state) => {
        if (action.type === "adopt") before = new Map([...state.tasks].map(([id, task]) => [id, { ...task }]));
        return act(action, state);
      });
      expect(before === undefined).toBe(!world.events.some(({ type }) => type === "plan-revised"));
      world.refold();
      expect(world.state.finished).toBe("done");
      const landed = world.events.flatMap((event) => (event.type === "task-integrated" ? [event.task] : []));
      expect(new Set(landed).size).toBe(landed.length);
      if (before === undefined) return;
      expect(new Set(landed)).toEqual(new Set(revision.tasks.map(({ id }) => id)));
      expect(world.state.counts).toEqual({ integrated: revision.tasks.length, satisfied: 0, blocked: 0 });
      const upTo = world.events.slice(0, world.events.findIndex(({ type }) => type === "plan-revised") + 1);
      const now = fold(upTo)!;
      for (const [id, task] of now.tasks) {
        const unmet = task.spec.depends.filter((on) => !isOver(taskOf(now, on).phase)).length;
        expect(task.unmet).toBe(unmet);
        if (!named.has(id))
          expect({ ...task, rank: 0, unmet: 0 }).toEqual({ ...(before.get(id) as object), rank: 0, unmet: 0 });
        else expect([task.phase, task.spent, task.blocked]).toEqual(["pending", 0, null]);
      }
      const pending = [...now.tasks.values()].filter(({ phase, unmet }) => phase === "pending" && unmet === 0);
      expect(new Set(now.ready)).toEqual(new Set(pending.map(({ spec: one }) => one.id)));
    }),
    { numRuns: 300 },
  );
});
