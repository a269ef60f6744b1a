import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const taskFile = "plans/work/tasks/01-a.md";

function runsOf(rig: Rig): string[] {
  return readdirSync(join(rig.gitDir, "stint", "runs")).toSorted();
}

function edit(rig: Rig, from: string, to: string): void {
  const text = readFileSync(join(rig.repo, taskFile), "utf8");
  rig.write(taskFile, text.replace(from, to));
  rig.commit(`${from} -> ${to}`);
}

test("A plan that is changed and changed back is known again: its finished run is not executed twice.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  edit(rig, "Make the checks pass.", "Make them pass.");
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  // The branch has the first run's work, which is not part of this one.
  expectCode(await rig.stint(["run"]), 3);
  expect(runsOf(rig)).toHaveLength(2);
  edit(rig, "Make them pass.", "Make the checks pass.");
  expectCode(await rig.stint(["approve", "--yes"]), 0);

  const again = await rig.stint(["run"]);

  expectCode(again, 0);
  expect(again.stderr).toContain("nothing to do");
  expect(runsOf(rig)).toHaveLength(2);
});

test("A new run of a changed plan ends the agent that a dead driver of the old one left.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "never" }] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  expect(rig.processes()).not.toEqual([]);
  const [old = ""] = runsOf(rig);
  rig.moves({ "01-a": [{ shell: "true" }, ...writes("a.txt"), { save: "seen" }] });
  edit(rig, "Make the checks pass.", "Make them pass.");

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.processes()).toEqual([]);
  const journal = readFileSync(join(rig.gitDir, "stint", "runs", old, "journal.jsonl"), "utf8");
  expect(journal).toContain('"detail":"a newer run of the plan was started"');
});

test("A new run of a changed plan ends the judge that a dead driver of the old one left.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt", { judge: "Is it kind?" }] }) } },
    config: { roles: { judge: { agent: "scripted" } } },
    moves: { "01-a": writes("a.txt"), "judge:01-a": [{ hold: "never" }] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");
  expect(rig.processes()).not.toEqual([]);
  const [old = ""] = runsOf(rig);
  rig.moves({ "01-a": writes("a.txt"), "judge:01-a": [{ judge: { pass: true } }] });
  edit(rig, "Make the checks pass.", "Make them pass.");

  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.processes()).toEqual([]);
  const journal = readFileSync(join(rig.gitDir, "stint", "runs", old, "journal.jsonl"), "utf8");
  expect(journal.trimEnd().split("\n").at(-1)).toMatch(/"type":"judged".*"a newer run of the plan was started"/);
});

test("A damaged journal is reported, left alone, and does not stop a new run.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const [id = ""] = runsOf(rig);
  const journal = join(rig.gitDir, "stint", "runs", id, "journal.jsonl");
  const damaged = readFileSync(journal, "utf8").replace('"plan":"work"', '"plan":"w0rk"');
  writeFileSync(journal, damaged);
  rig.git("branch", "-D", "stint/work");

  const run = await rig.stint(["run"]);

  expectCode(run, 0);
  expect(run.stderr).toContain(`warning: ${journal}`);
  expect(readFileSync(journal, "utf8")).toBe(damaged);
  expect(runsOf(rig)).toHaveLength(2);
  expectCode(await rig.stint(["resume", id]), 1);
});

test("A run that could integrate nothing on its old base starts anew when the fix was committed.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["./check.sh"] }) } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 4);
  expectCode(await rig.stint(["run"]), 4);
  rig.write("check.sh", "#!/bin/sh\ngrep -q ready a.txt\n");
  rig.git("add", "check.sh");
  rig.git("update-index", "--chmod=+x", "check.sh");
  rig.git("commit", "--quiet", "--message", "The check's script");

  expectCode(await rig.stint(["run"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("An agent that deletes its workspace gets a message, loses an attempt, and is not started for ever.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 2 } },
    moves: { "01-a": [{ shell: 'rm -rf "$(dirname "$PWD")"' }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.events("work-lost", "01-a")).toHaveLength(2);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);

  rig.moves({ "01-a": [{ save: "seen" }, ...writes("a.txt")] });
  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.saved("seen").prompt).toContain("the workspace was gone when the session ended");
});

async function finished(): Promise<Rig> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  return rig;
}

test("A finished plan whose branch was merged is finished, not an error.", async () => {
  await using rig = await finished();
  rig.git("merge", "--quiet", "stint/work");

  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("is finished (done): nothing to do.");
  expectCode(await rig.stint(["lint"]), 0);
});

test("A finished plan that was changed since, but not committed, is not taken for finished.", async () => {
  await using rig = await finished();
  rig.write("plans/work/notes.md", "one more thing\n");

  expectCode(await rig.stint(["run"]), 3);
  // The branch still has the first run's work.
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(rig.git("for-each-ref", "--format=%(refname)", "refs/stint/keep").match(/base/g)).toHaveLength(2);
});
