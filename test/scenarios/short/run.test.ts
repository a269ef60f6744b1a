import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ended } from "../../rig/cli.ts";
import { commitsOf, expectCode, pathsOf, sessionsOf } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

let rig: Rig;
let run: Ended;

beforeAll(async () => {
  rig = await createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt", { title: "Write a" }),
        "02-b": makes("b.txt", { title: "Write b", depends: ["01-a"] }),
        "03-c": makes("c.txt", {
          title: "Write c",
          depends: ["02-b"],
          checks: ["grep -q ready b.txt c.txt", { exists: "c.txt" }],
        }),
      },
      checks: ["grep -q ready a.txt && grep -q ready c.txt"],
    },
    moves: {
      "01-a": [...writes("a.txt"), { report: { status: "done", summary: "Wrote the first file." } }],
      "02-b": writes("b.txt"),
      "03-c": writes("c.txt"),
    },
  });
  run = await rig.stint(["run", "--yes"]);
});

afterAll(async () => rig[Symbol.asyncDispose]());

test("Three dependent tasks become three verified commits on the run's branch, in order, and the run ends with 0.", async () => {
  expectCode(run, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "03-c"]);
  expect(rig.git("log", "--reverse", "--format=%s", "main..stint/work")).toBe("Write a\nWrite b\nWrite c");
  expect(rig.git("log", "--format=%an <%ae>", "main..stint/work").split("\n")).toEqual(
    Array.from({ length: 3 }, () => "Rig User <rig@example.com>"),
  );
  expect(rig.git("show", "stint/work:c.txt")).toBe("ready");
});

test("A task's commit ticks its own box, and only that one.", async () => {
  expect(pathsOf(rig, "stint/work~2")).toEqual(["a.txt", "plans/work/plan.md"]);
  const diff = rig.git("diff", "--unified=0", "stint/work~2", "stint/work~1", "--", "plans/work/plan.md");
  expect(diff.match(/^@@/gm)).toHaveLength(1);
  expect(diff.split("\n").slice(-2)).toEqual([
    "-- [ ] [02-b](tasks/02-b.md) Write b",
    "+- [x] [02-b](tasks/02-b.md) Write b",
  ]);
});

test("Each commit carries the summary and the trailers of its task.", async () => {
  const { run: id } = await rig.status();

  expect(rig.git("log", "-1", "--format=%B", "stint/work~2")).toContain("Wrote the first file.");
  expect(rig.git("log", "-1", "--format=%(trailers:only,unfold)", "stint/work").trim().split("\n")).toEqual([
    "Stint-Plan: work",
    `Stint-Run: ${id}`,
    "Stint-Task: 03-c",
    "Stint-Attempt: 1",
    "Stint-Verified: 4 checks",
  ]);
});

test("The branch in the user's repo is a fast-forward of the base to the run's own tip.", async () => {
  const tip = rig.events("integrating").at(-1)?.["new"];
  expect(rig.git("rev-parse", "stint/work")).toBe(tip);
  expect(rig.git("merge-base", "main", "stint/work")).toBe(rig.git("rev-parse", "main"));
  expect(rig.git("rev-list", "--count", "main..stint/work")).toBe("3");
  expect(rig.controlGit("for-each-ref", "--format=%(objectname)").split("\n")).toContain(tip);
});

test("The journal tells every step of a task in order, and status agrees with it.", async () => {
  const types = rig
    .journal()
    .filter((event) => event.task === "01-a")
    .map((event) => event.type);
  expect(types).toEqual([
    "attempt-started",
    "baseline",
    "agent-started",
    "agent-finished",
    "candidate-made",
    "placed",
    "verdict",
    "integrating",
    "task-integrated",
  ]);
  expect(rig.journal().at(-1)).toMatchObject({ type: "run-finished" });
  const status = await rig.status();
  expect(status).toMatchObject({ plan: "work", state: "finished" });
  expect(status.tasks.map(({ id, state, attempts, commit }) => ({ id, state, attempts, commit }))).toEqual([
    { id: "01-a", state: "integrated", attempts: 1, commit: rig.git("rev-parse", "stint/work~2") },
    { id: "02-b", state: "integrated", attempts: 1, commit: rig.git("rev-parse", "stint/work~1") },
    { id: "03-c", state: "integrated", attempts: 1, commit: rig.git("rev-parse", "stint/work") },
  ]);
});

test("A second run of the finished plan does nothing and ends with 0.", async () => {
  const before = { tip: rig.git("rev-parse", "stint/work"), sessions: sessionsOf(rig) };

  const again = await rig.stint(["run"]);

  expectCode(again, 0);
  expect({ tip: rig.git("rev-parse", "stint/work"), sessions: sessionsOf(rig) }).toEqual(before);
});
