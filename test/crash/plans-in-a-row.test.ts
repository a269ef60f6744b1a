import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, plan, type PlanSpec } from "../rig/plan.ts";
import { createRig, type RigOptions } from "../rig/rig.ts";

/** A repo with three plans of one task each. */
function threePlans(more: Partial<PlanSpec> = {}): RigOptions {
  const files = ["one", "two", "three"].map((name) =>
    plan({ name, tasks: { [`01-${name}`]: makes(`${name}.txt`) }, ...(name === "two" ? more : {}) }),
  );
  return {
    files: Object.assign({}, ...files) as Record<string, string>,
    config: { run: { attempts: 1 } },
    moves: { "01-one": writes("one.txt"), "01-two": [{ exit: 1 }], "01-three": writes("three.txt") },
  };
}

test("Plans run in the order given; one that is blocked does not stop the next, and is the exit code.", async () => {
  await using rig = await createRig(threePlans());

  const run = await rig.stint(["run", "three", "two", "one", "--yes"]);

  expectCode(run, 3);
  expect(run.stdout.trimEnd().split("\n").slice(-3)).toEqual([
    "three: done (exit code 0)",
    "two: waits for a person (exit code 3)",
    "one: done (exit code 0)",
  ]);
  expect(commitsOf(rig, "stint/three")).toEqual(["01-three"]);
  expect(commitsOf(rig, "stint/one")).toEqual(["01-one"]);
  const started = run.stdout.split("\n").flatMap((line) => /run (\w+)#1 started/.exec(line)?.[1] ?? []);
  expect(started).toEqual(["three", "two", "one"]);

  rig.moves({ "01-two": writes("two.txt") });
  expectCode(await rig.stint(["requeue", "01-two"]), 0);
  const again = await rig.stint(["run", "one", "two", "--json"]);
  expectCode(again, 0);
  for (const line of again.stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("seq");
});

test("A plan that could not begin stops all before the first has begun.", async () => {
  await using rig = await createRig(threePlans());
  expectCode(await rig.stint(["approve", "one", "--yes"]), 0);

  const unapproved = await rig.stint(["run", "one", "two"]);
  expectCode(unapproved, 3);
  expect(unapproved.stderr).toContain("plan two is not approved");
  rig.write("plans/two/tasks/01-two.md", "---\ntitle: x\n---\n");
  const wrong = await rig.stint(["run", "one", "two", "--yes"]);
  expectCode(wrong, 2);
  expect(wrong.stderr).toContain("plans/two/tasks/01-two.md:");
  for (const [args, why] of [
    [["one", "one"], "plan one is named twice"],
    [["one", "four"], "no plan four"],
    [["one", "three", "--task", "01-one"], "--task names a task of one plan"],
  ] as const) {
    const refused = await rig.stint(["run", ...args, "--yes"]);
    expectCode(refused, 2);
    expect(refused.stderr).toContain(why);
  }
  expect(rig.journal()).toEqual([]);
  expect(() => rig.git("rev-parse", "--verify", "stint/one")).toThrow();
});

test("After kill -9, resume --all resumes every open run of a plan still approved, oldest first.", async () => {
  await using rig = await createRig({
    ...threePlans(),
    moves: { "01-one": [{ hold: "one" }], "01-two": [{ hold: "two" }], "01-three": writes("three.txt") },
  });
  for (const name of ["two", "one"]) {
    const run = rig.start(["run", name, "--yes"]);
    await run.waitForHold(name);
    await run.kill("SIGKILL");
  }
  expectCode(await rig.stint(["run", "three", "--yes"]), 0);
  rig.moves({ "01-one": writes("one.txt"), "01-two": writes("two.txt") });

  const all = await rig.stint(["resume", "--all"]);

  expectCode(all, 0);
  const order = all.stdout.split("\n").flatMap((line) => /^(\w+)#1: done/.exec(line)?.[1] ?? []);
  expect(order).toEqual(["two", "one"]);
  expect(commitsOf(rig, "stint/one")).toEqual(["01-one"]);
  expect(commitsOf(rig, "stint/two")).toEqual(["01-two"]);
  const none = await rig.stint(["resume", "--all"]);
  expectCode(none, 0);
  expect(none.stderr).toContain("No run to resume.");
  expectCode(await rig.stint(["resume", "--all", "x"]), 2);
});
