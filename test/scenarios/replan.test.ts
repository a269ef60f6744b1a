import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, pathsOf, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { content, createReplanRig, drafts, infeasible, planAt } from "../rig/replanning.ts";

const [a, b, c] = [makes("a.txt"), makes("b.txt", { depends: ["01-a"] }), makes("c.txt", { depends: ["02-b"] })];
const before = { "01-a": a, "02-b": b, "03-c": c };
const split = {
  "01-a": a,
  "02-b-half": makes("b1.txt", { depends: ["01-a"] }),
  "02-b-rest": makes("b.txt", { depends: ["02-b-half"] }),
  "03-c": makes("c.txt", { depends: ["02-b-rest"] }),
};
const works = {
  "01-a": writes("a.txt"),
  "02-b": [infeasible],
  "02-b-half": writes("b1.txt"),
  "02-b-rest": writes("b.txt"),
  "03-c": writes("c.txt"),
};

test("A task that is infeasible is split by a planner, and the run finishes with task commits only, each with its tick.", async () => {
  await using rig = await createReplanRig({
    plan: { tasks: before },
    moves: {
      ...works,
      draft: [
        { save: "planner" },
        { shell: 'cp -r "$STINT_INBOX" "$(dirname "$RIG_MOVES")/inbox"' },
        drafts({ tasks: split }),
      ],
      ...content,
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(commitsOf(rig)).toEqual(["01-a", "02-b-half", "02-b-rest", "03-c"]);
  const [first = "", second = "", , last = ""] = rig
    .git("log", "--reverse", "--format=%H", "main..stint/work")
    .split("\n");
  expect(pathsOf(rig, first)).toEqual(["a.txt", "plans/work/plan.md"]);
  expect(pathsOf(rig, second)).toEqual([
    "b1.txt",
    "plans/work/plan.md",
    "plans/work/tasks/02-b-half.md",
    "plans/work/tasks/02-b-rest.md",
    "plans/work/tasks/02-b.md",
    "plans/work/tasks/03-c.md",
  ]);
  expect(planAt(rig, second)).toMatch(
    /- \[x\] \[01-a\].*\n- \[x\] \[02-b-half\].*\n- \[ \] \[02-b-rest\].*\n- \[ \] \[03-c\]/,
  );
  expect(planAt(rig, last).match(/\[x\]/g)).toHaveLength(4);
  expect(pathsOf(rig, last)).toEqual(["c.txt", "plans/work/plan.md"]);
  expect(rig.events("plan-revised")).toMatchObject([
    {
      revision: 1,
      by: null,
      changes: [
        { id: "02-b-half", change: "added" },
        { id: "02-b-rest", change: "added" },
        { id: "03-c", change: "changed" },
        { id: "02-b", change: "removed" },
      ],
    },
  ]);
  const inbox = (name: string) => readFileSync(join(rig.outside, "inbox", name), "utf8");
  expect(inbox("done.md")).toContain("`01-a` Do 01-a: commit ");
  expect(inbox("evidence.md")).toContain("There is no such thing.");
  expect(inbox("plan/tasks/02-b.md")).toContain("Do 02-b");
  const { env } = rig.saved("planner");
  expect([env["STINT_ROLE"], env["STINT_TASK"], env["STINT_ATTEMPT"]]).toEqual(["planner", "draft", "1"]);
  expect(sessionsOf(rig).filter((one) => one.startsWith("01-a"))).toHaveLength(1);
  // HEAD still holds the plan that was approved: the run of it is over. After the merge HEAD holds the revised one.
  expectCode(await rig.stint(["run"]), 0);
  rig.git("merge", "--quiet", "stint/work");
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(rig.events("run-started")).toHaveLength(1);
});
