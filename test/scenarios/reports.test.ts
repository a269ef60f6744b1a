import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test.each(["blocked", "infeasible"])(
  "A report of %s ends the task with 3: no checks, no further attempt, the work rescued, other tasks done.",
  async (status) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
      moves: {
        "01-a": [...writes("a.txt"), { report: { status, summary: "Tried.", reason: "The API has no such call." } }],
        "02-b": writes("b.txt"),
      },
    });

    const run = await rig.stint(["run", "--yes"]);

    expectCode(run, 3);
    expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
    expect(commitsOf(rig)).toEqual(["02-b"]);
    expect(rig.events("verdict", "01-a")).toEqual([]);
    expect(rig.events("task-blocked", "01-a")).toMatchObject([{ kind: `reported-${status}` }]);
    const { run: id, tasks } = await rig.status();
    expect(tasks[0]).toMatchObject({ id: "01-a", state: "blocked", reason: expect.stringContaining("no such call") });
    expect(rig.controlGit("show", `refs/stint/rescue/${id}/01-a/1:a.txt`)).toBe("ready");
  },
);

test("A report of done is a claim: the checks decide.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ write: "a.txt", text: "not yet\n" }, { report: { status: "done", summary: "All green!" } }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "failed", reason: "check" }]);
});

test("Notes left for dependants reach the session of a dependant.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: {
      "01-a": [
        ...writes("a.txt"),
        { report: { status: "done", summary: "Wrote a.", notes: "Mind the gap in a.txt." } },
      ],
      "02-b": [{ shell: 'grep -rq "Mind the gap" "$STINT_INBOX"' }, { save: "second" }, ...writes("b.txt")],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.saved("second").prompt).toContain("Mind the gap in a.txt.");
});
