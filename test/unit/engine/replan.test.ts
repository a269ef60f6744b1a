import { expect, test } from "vitest";
import { decideCommand, type ApprovedRevision, type Command } from "../../../src/engine/commands.ts";
import type { Revision } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { isPlanOf, planHashNow } from "../../../src/engine/revise.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import {
  added,
  blockedWorld,
  changed,
  command,
  failing,
  gone,
  instead,
  judge,
  own,
  proposed,
  revisionOf,
  typesOf,
  usage,
} from "../../rig/replan-world.ts";
import { World } from "../../rig/world.ts";

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

test("both hashes are those of the run afterwards: the one it was started with, and the one in effect", () => {
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

test("with `ask` the proposal is a question, the run waits for it, and other tasks continue beside it", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  expect(world.state.parked).toMatchObject({ reason: "question", why: "replan-1" });
  expect(exitCode(world.state)).toBe(3);
  expect(taskOf(world.state, "b").phase).toBe("integrated");
  const [question] = summarise(world.state, false).questions;
  expect(question).toMatchObject({ id: "replan-1", task: null, about: "replan", options: ["refuse"] });
  expect(question?.question).toContain("`stint approve p`");
});

function approved(world: World, revision: Revision): ApprovedRevision {
  return { ...revision, revises: planHashNow(world.state), by: "kim" };
}

function revise({ commit, planHash }: Revision): Command {
  return command({ kind: "revise", commit, planHash });
}

test("a refused proposal leaves the task blocked, says why, and is not asked for again", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  const dropped = decideCommand(
    world.state,
    command({ kind: "answer", question: "replan-1", answer: "refuse" }),
    judge,
  );
  expect(dropped).toEqual({ type: "revision-dropped", revision: 1, why: "a person refused it", command: "cmd" });
  world.add(dropped);
  world.go(failing(["a"], instead));
  expect(world.state.parked).toMatchObject({ reason: "blocked" });
  expect(world.state.questions.size).toBe(0);
  expect(typesOf(world, "replan-started")).toHaveLength(1);
  expect(summarise(world.state, false).tasks[0]?.reason).toContain("(revision 1): a person refused it");
});

test("`accept` is no answer: only an approval that the host has read puts a plan into effect", () => {
  const world = blockedWorld("ask");
  world.go(failing(["a"], instead));
  const { proposal } = world.state.replanning;
  const yes = decideCommand(world.state, command({ kind: "answer", question: "replan-1", answer: "accept" }), judge);
  expect(yes).toMatchObject({
    type: "command-ignored",
    why: expect.stringContaining("can only be accepted with `stint approve p`"),
  });
  const unapproved = decideCommand(world.state, revise(proposal!), judge);
  expect(unapproved).toMatchObject({ type: "command-ignored" });
  const other = { ...approved(world, proposal!), planHash: "other" };
  expect(decideCommand(world.state, revise(proposal!), { ...judge, approvedRevision: other }).type).toBe(
    "command-ignored",
  );
  const accepted = decideCommand(world.state, revise(proposal!), {
    ...judge,
    approvedRevision: approved(world, proposal!),
  });
  expect(accepted).toMatchObject({ type: "revision-accepted", revision: 1, by: "kim", command: "cmd" });
  world.add(accepted);
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
});

test("an approval counts once: replayed after a refusal, or after its revision was dropped, it is ignored", () => {
  const refused = blockedWorld("ask");
  refused.go(failing(["a"], instead));
  const proposal = refused.state.replanning.proposal!;
  const word = approved(refused, proposal);
  const replay = (world: World) => decideCommand(world.state, revise(proposal), { ...judge, approvedRevision: word });
  // The honest twin: before the refusal the same command holds.
  expect(replay(refused).type).toBe("revision-accepted");
  refused.add({ type: "revision-dropped", revision: 1, why: "a person refused it" });
  const ignored = { type: "command-ignored", why: expect.stringContaining("has been refused since") };
  expect(replay(refused)).toMatchObject(ignored);

  const dropped = blockedWorld("ask");
  dropped.go(failing(["a"], instead));
  dropped.add(replay(dropped));
  dropped.add({ type: "revision-dropped", revision: 1, why: "01-a has landed" });
  expect(replay(dropped)).toMatchObject(ignored);
});

test("a person's own revision needs no question, gets the next number, and not what the run may ask for", () => {
  const world = blockedWorld("never");
  world.go(failing(["a"], instead));
  const mine = revisionOf(0, [own("b"), own("c")], [changed("c"), gone("a")]);
  const stale = { ...approved(world, mine), revises: "another" };
  expect(decideCommand(world.state, revise(mine), { ...judge, approvedRevision: stale })).toMatchObject({
    why: "it revises a plan that is no longer in effect",
  });
  world.add(decideCommand(world.state, revise(mine), { ...judge, approvedRevision: approved(world, mine) }));
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
  ["adds what is there", [own("a"), own("b"), own("c", ["a"])], [added("a")], "a cannot be added"],
  ["removes what nobody has", [own("a"), own("b"), own("c", ["a"])], [gone("x")], undefined],
  ["keeps silent about a task", [own("a"), own("b")], [], "it does not say what becomes of c"],
  [
    "leaves a task waiting for nobody",
    [own("b"), own("c", ["a"])],
    [gone("a")],
    "c would depend on a task that does not exist",
  ],
  ["makes tasks wait for each other", [own("a", ["c"]), own("b"), own("c", ["a"])], [changed("a")], undefined],
  ["has no task", [], [gone("a"), gone("b"), gone("c")], "it has no tasks"],
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

test("a limit of the planner's agent holds up the re-plan, which resumes with the same number; what it used counts once", () => {
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

test("a cap keeps the planner from being asked, and says so; a person raises it while the run continues", () => {
  const world = blockedWorld("auto", { budgetUsd: 0.5 });
  world.go(failing(["a", "b"], instead));
  expect(world.state.parked).toMatchObject({ reason: "budget" });
  expect(decideCommand(world.state, command({ kind: "raise", budgetUsd: 0.5 }), judge)).toMatchObject({
    type: "command-ignored",
    why: "the cap of run r is 0.50 USD; it can only be raised",
  });
  const raised = decideCommand(world.state, command({ kind: "raise", budgetUsd: 20 }), judge);
  expect(raised).toEqual({ type: "cap-raised", budgetUsd: 20, command: "cmd" });
  world.add(raised);
  expect(world.state.settings).toMatchObject({ budgetUsd: 20, askedUsd: 20 });
  world.go(failing(["a"], instead));
  expect(world.state.finished).toBe("done");
  expect(decideCommand(blockedWorld("auto").state, command({ kind: "raise", budgetUsd: 1 }), judge)).toMatchObject({
    why: "run r has no cap in USD",
  });
});
