import { expect, test } from "vitest";
import type { CheckEvidence, Regression } from "../../../../src/engine/evidence.ts";
import { taskFile, type Run } from "../../../../src/run/run.ts";
import { takeBaseline } from "../../../../src/run/steps/baseline.ts";
import type { Check } from "../../../../src/plan/types.ts";
import { executorPrompt } from "../../../../src/prompts/executor.ts";
import { defaultPrompts } from "../../../../src/prompts/overrides.ts";
import { concludeBaseline } from "../../../../src/checks/baseline.ts";
import { checkKey, checksToFix } from "../../../../src/checks/checks.ts";
import { guardChanges } from "../../../../src/guards/scope.ts";
import { makes } from "../../../rig/plan.ts";
import { stage, type Staged } from "../../../rig/rooms.ts";

/** Both tasks have landed; `b` turned the check of `a` red. */
function reopened(paths: readonly string[] = ["b", "extra"]): Staged {
  const staged = stage(
    { tasks: { a: makes("a", { checks: ["check-a"] }), b: makes("b", { checks: ["check-b"] }) }, rules: ["lint"] },
    () => "green",
  );
  const key = checkKey(staged.run.plan.tasks[0]!.checks[0]!);
  const one: Regression = { key, label: "check-a", task: "b", commit: "of-b", why: "red since of-b", paths };
  const red: CheckEvidence = { key, label: "check-a", state: "red", why: "exit 1", tail: "boom\n", durationMs: 1 };
  staged.world.add({ type: "final-verified", tip: "of-b", ok: false, checks: [red], tree: "tree of b" });
  staged.world.add({ type: "task-reopened", task: "b", regressions: [one], why: one.why });
  return staged;
}

const change = (status: "A" | "M" | "D", path: string) => ({ status, path, lines: 1 });

test("a reopened task may change and delete what its own commits made", () => {
  const { run } = reopened();
  const changes = [change("M", "b"), change("D", "extra")];
  expect(guardChanges(changes, taskFile(run, "b"), run.rules)).toEqual([]);
});

test("it may not touch what others made, nor could it undo its own before it was reopened", () => {
  const { run } = reopened();
  const others = [change("M", "a"), change("D", "a")];
  expect(guardChanges(others, taskFile(run, "b"), run.rules)).toMatchObject([{ guard: "scope" }, { guard: "scope" }]);
  expect(guardChanges([change("M", "a")], taskFile(run, "a"), run.rules)).toMatchObject([{ guard: "scope" }]);
});

test("what its commits made names nothing that is never an agent's to change", () => {
  const { run } = reopened(["plans/p/plan.md", ".env"]);
  const changes = [change("M", "plans/p/plan.md"), change("D", ".env")];
  const found = guardChanges(changes, taskFile(run, "b"), run.rules);
  expect(found.map(({ guard }) => guard)).toEqual(["protected", "forbidden"]);
});

test("the checks to fix count as its own: they must be red before, whoever wrote them", () => {
  const { run, world } = reopened();
  const toFix = checksToFix(run.plan, run.rules, world.state.tasks.get("b")!.regressions);
  expect(toFix).toMatchObject([{ run: "check-a", red: true }]);
  expect(checksToFix(run.plan, run.rules, [])).toEqual([]);
});

test("a check to fix that is broken is as good as red; any other broken check still blocks", () => {
  const { run } = reopened();
  const check = run.plan.tasks[0]!.checks[0]!;
  if (check.kind === "judge") throw new Error("The test's plan is wrong");
  const key = checkKey(check);
  const broken: CheckEvidence = { key, label: "check-a", state: "broken", why: "exit 127", tail: "", durationMs: 1 };
  expect(concludeBaseline([check], [broken], [key])).toEqual({ state: "red", why: "to be fixed: check-a" });
  expect(concludeBaseline([check], [broken], ["another"])).toMatchObject({ state: "broken" });
  expect(concludeBaseline([check], [{ ...broken, cause: "set-up" }], [key])).toMatchObject({ state: "broken" });
  expect(concludeBaseline([check], [{ ...broken, state: "green" }], [key])).toMatchObject({ state: "green" });
});

test("so a reopened task that broke a check is baselined as red, and not blocked for it", async () => {
  const { run, world } = reopened();
  world.add({ type: "attempt-started", task: "b", attempt: 2, base: "of-b", role: "executor" });
  const broken = { label: "", state: "broken", why: "exit 127", tail: "", durationMs: 1 } as const;
  const rooms = {
    checkBase: async ({ checks }: { checks: Iterable<Check> }) =>
      [...checks].map((check) => ({ ...broken, key: checkKey(check) })).slice(0, 1),
  };
  const ports = { ...run.ports, rooms } as unknown as Run["ports"];
  await takeBaseline({ ...run, ports }, "b", new AbortController().signal);
  expect(world.events.at(-1)).toMatchObject({ type: "baseline", state: "red", why: "to be fixed: " });
});

test("the prompt says that the task has landed, what it broke, with the red output, and what it may undo", () => {
  const { run, world } = reopened();
  const { plan, rules, documents } = run;
  const inputs = { files: new Map(), leftOut: [] };
  const task = taskFile(run, "b");
  const prompt = executorPrompt({ plan, rules, task, state: world.state, documents, prompts: defaultPrompts, inputs });
  expect(prompt).toContain("- delete: extra\n");
  expect(prompt).toContain("# What proves the task\n\n- run: check-b\n- must pass again: check-a\n");
  expect(prompt).toContain(
    "This task has landed, but its commit made checks fail that passed before. Fix that, and keep the task's own checks passing:\n- check-a: red since of-b\n",
  );
  expect(prompt).toContain("red: check-a (exit 1)\n\n```\nboom\n```");
});
