import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { asks, createPlanningRig, leavesPlan } from "../rig/planning.ts";
import { createRig } from "../rig/rig.ts";

test("Status misses a branch that was deleted after the run, and the next run names the commit with the work.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(await rig.status()).toMatchObject({ published: true });
  const tip = rig.git("rev-parse", "stint/work");
  rig.git("branch", "-D", "stint/work");

  expect(await rig.status()).toMatchObject({ published: false });
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain(`Branch stint/work does not exist; the run's work is at ${tip}.`);
  rig.git("branch", "found", tip);
  expect(rig.git("show", "found:a.txt")).toBe("ready");
});

test("After a squash merge, nothing asks to merge a branch that is gone; without one, the work's commit is named.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const tip = rig.git("rev-parse", "stint/work");
  rig.git("branch", "-D", "stint/work");
  const gone = await rig.stint(["status"]);
  expect(gone.stdout).toContain(`the run's tip is ${tip.slice(0, 12)}\n`);
  expect(gone.stderr).toContain(`Branch stint/work does not exist; the run's work is at ${tip}.`);
  expect(gone.stderr).not.toContain("git merge");
  expect((await rig.stint(["list"])).stdout).toBe("work  done, 1 of 1, not on stint/work  stint status work#1\n");

  rig.git("merge", "--quiet", "--squash", tip);
  rig.git("commit", "--quiet", "-m", "Squashed");
  const squashed = await rig.stint(["status"]);
  expect(squashed.stderr).toBe("Nothing to merge: main has the same content.\n");
  expect(squashed.stdout).not.toContain("is not at the run's tip");
  expect((await rig.stint(["list"])).stdout).toBe("work  done, 1 of 1, main has the same content\n");
});

test("A run whose branch could not follow ends with 0 once the work is merged, and status says once what the branch lacks.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  rig.git("branch", "stint");
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["resume"]), 3);
  const { stderr } = await rig.stint(["status"]);
  expect(stderr).toMatch(/^The branch stint\/work does not have this work yet\..*`stint resume work#1`\.\n$/);
  rig.git("merge", "--quiet", String(rig.events("task-integrated").at(-1)?.["commit"]));
  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 0);
  expect(resumed.stderr).toContain("Merged: main has this work.");
});

test("`stint list` warns of a run that cannot be read, and does not call its plan not started.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const runs = join(rig.repo, ".git/stint/runs");
  const journal = join(runs, readdirSync(runs)[0] ?? "", "journal.jsonl");
  writeFileSync(journal, `rubbish\n${readFileSync(journal, "utf8")}`);
  const list = await rig.stint(["list"]);
  expect(list.stdout).toBe("work  approved, a run cannot be read  stint run work\n");
  expect(list.stderr).toContain("stint: warning: ");
  expect(list.stderr).toContain("journal.jsonl");
});

test("`stint status` reminds of an unfinished planning session, says what it waits for, and says nothing more once the plan is there.", async () => {
  const interview = asks({ id: "life", question: "How long?" });
  const draft = leavesPlan({ tasks: { "01-a": makes("a.txt") } });
  await using rig = await createPlanningRig({ interview, draft });
  const none = "stint: no run yet. Start one with `stint run`.\n";
  expect((await rig.stint(["status"])).stderr).toBe(none);

  await rig.stint(["plan", "Do it"]);
  const asked = await rig.stint(["status"]);
  await rig.stint(["plan", "--continue", "--answer", "life=1h"]);
  const drafted = await rig.stint(["status"]);
  await rig.stint(["plan", "--continue", "--headless"]);

  const [waits, word] = ["waiting for 1 answer", "waiting for your review of the draft"];
  const resume = "Resume: `stint plan --continue do-it`";
  expect(asked).toMatchObject({ code: 2, stdout: "" });
  expect(asked.stderr).toBe(`${none}Planning of do-it is ${waits}. ${resume}\n`);
  expect(drafted.stderr).toBe(`${none}Planning of do-it is ${word}. ${resume}\n`);
  expect((await rig.stint(["status"])).stderr).toBe(none);
});
