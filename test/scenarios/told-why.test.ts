import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** What it prints stands nowhere in the plan, so whoever knows it has been told. */
const files = { "look.sh": "grep -q ready a.txt && exit 0\necho the word is missing\nexit 1\n" };
const check = "sh look.sh";

test("A failed attempt costs one, and the next is told the verdict and the tail of the failing output.", async () => {
  await using rig = await createRig({
    files,
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    moves: {
      "01-a": {
        1: [{ save: "first" }, { write: "a.txt", text: "not yet\n" }],
        2: [{ save: "second" }, ...writes("a.txt")],
      },
    },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", reason: "check", checks: [`red ${check}`] },
    { result: "passed", checks: [`green ${check}`] },
  ]);
  const why = String(rig.events("verdict", "01-a")[0]?.["why"]);
  expect(rig.saved("first").prompt).not.toContain("the word is missing");
  expect(rig.saved("second").prompt).toContain(why);
  expect(rig.saved("second").prompt).toContain("the word is missing");
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.git("log", "-1", "--format=%(trailers:key=Stint-Attempt,valueonly)", "stint/work").trim()).toBe("2");
});

test("The inbox of a further attempt holds the verdict of the one before.", async () => {
  await using rig = await createRig({
    files,
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    moves: {
      "01-a": {
        1: [{ write: "a.txt", text: "not yet\n" }],
        2: [{ shell: 'grep -rq "the word is missing" "$STINT_INBOX"' }, ...writes("a.txt")],
      },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("task-integrated", "01-a")).toMatchObject([{ attempt: 2 }]);
});

test("A further attempt starts from a fresh workspace, without what the failed one wrote.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": { 1: [{ write: "a.txt", text: "not yet\n" }], 2: [{ shell: "test ! -e a.txt" }, ...writes("a.txt")] },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("task-integrated", "01-a")).toMatchObject([{ attempt: 2 }]);
});

test("A program that crashes says in its own words why: at the end of the run, in the status and in the report.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ shell: "echo boom >&2" }, { exit: 7 }] },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const why = "the session crashed: exit 7: boom";
  expect(run.stdout.slice(run.stdout.indexOf("\nrun "))).toContain(why);
  expect((await rig.stint(["status"])).stdout).toContain(why);
  expect((await rig.stint(["report"])).stdout).toContain(why);
});
