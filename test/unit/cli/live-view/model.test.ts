import { expect, test } from "vitest";
import { viewModel } from "../../../../src/cli/live-view/model.ts";
import { plan, Stage, stage } from "../../../rig/scene.ts";

test("a run that waits says until when and why; a paused one and one that nobody drives say what to type", () => {
  const parked = stage();
  const until = new Date(parked.now + 45 * 60_000).toISOString();
  parked.add({ type: "parked", reason: "limit", why: "the service says so", until });
  const clock = new Date(until).toTimeString().slice(0, 5);
  const notes = (stage: Stage, more = {}) => viewModel(stage.snapshot(more)).notes;
  expect(notes(parked)).toEqual([`Waiting until ${clock} (44:00 left): usage limit. the service says so`]);
  const paused = stage();
  paused.add({ type: "paused", command: "c" });
  expect(notes(paused)).toEqual(["Paused by a person. Resume it with p or `stint resume r`."]);
  expect(notes(paused, { hasKeys: false })).toEqual(["Paused by a person. Resume it with `stint resume r`."]);
  expect(paused.picture(80, 24).join("\n")).toContain(
    "interrupted, not counted as an attempt; restarts when the run resumes",
  );
  const pausing = stage();
  pausing.add({ type: "pausing", command: "c", finishing: ["02-vat"] });
  expect(viewModel(pausing.snapshot()).status.word).toBe("pausing");
  expect(notes(pausing)).toEqual([
    "Pausing: 1 session is finishing; `stint pause --now --run r` stops it. Resume it with p or `stint resume r`.",
  ]);
  expect(viewModel(pausing.snapshot()).running.filter(({ phase }) => phase !== "idle")).toHaveLength(1);
  expect(notes(stage(), { driver: null })).toEqual(["Not running (interrupted). Resume it: `stint resume r`"]);
  expect(notes(stage(), { isStopping: true })).toEqual([
    "Stopping agents, which does not count as an attempt; everything can be resumed. Ctrl-C again quits at once.",
  ]);
  expect(notes(stage())).toEqual([]);
});

test("a run at its cap names the command that raises it, whether somebody drives it or not; below it nothing is said", () => {
  const notes = (stage: Stage, more = {}) => viewModel(stage.snapshot(more)).notes;
  const spent = (usd: number) => {
    const stage = new Stage(plan, { parallel: 3, budgetUsd: 20 });
    stage.start("02-vat");
    const usage = { inputTokens: 1, outputTokens: 1, usd, unpricedTokens: 0 };
    const end = { outcome: { kind: "ok" }, report: null, reportProblem: null } as const;
    stage.add({ type: "agent-finished", task: "02-vat", attempt: 1, ...end, usage });
    return stage;
  };
  const raise = "`stint resume r --budget-usd 50.00`";
  expect(notes(spent(19))).toEqual([]);
  expect(notes(spent(25))).toEqual([
    `No more agents are started: 25.00 of 20.00 USD are spent. Raise the cap: ${raise}`,
  ]);
  const parked = spent(25);
  parked.add({ type: "parked", reason: "budget", why: "25.00 of 20.00 USD are spent", until: null });
  expect(notes(parked, { driver: null }).join()).toMatch(
    /^Not running \(budget reached: 25\.00 of 20\.00 USD are spent\)\. .* or `stint resume r --budget-usd 50\.00` \(any amount above 25\.00\)\.$/,
  );
});

test("work that cannot reach its branch is a note with the cure, before any lands and until it is published", () => {
  const scene = stage();
  const [commit, branch] = ["c".repeat(40), "stint/p"];
  const branchProblem = "Branch stint/p is checked out. Switch it to another branch.";
  expect(viewModel(scene.snapshot()).notes).toEqual([]);
  expect(viewModel(scene.snapshot({ branchProblem })).notes).toEqual([branchProblem]);
  scene.add({
    type: "publish-deferred",
    commit,
    branch,
    why: "It is checked out. Switch it, then run `stint resume p#1`.",
  });
  const note = "Landed work is kept, but not on its branch. It is checked out. Switch it, then run `stint resume p#1`.";
  expect(viewModel(scene.snapshot()).notes).toEqual([note]);
  expect(scene.picture(80, 24).join("\n")).toContain("Landed work is kept, but not on its branch.");
  expect(viewModel(scene.snapshot({ branchProblem })).notes).toEqual([note]);
  scene.add({ type: "published", commit, branch });
  expect(viewModel(scene.snapshot({ branchProblem })).notes).toEqual([]);
});
