import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { taken } from "../rig/taken.ts";

async function runDir(rig: Rig): Promise<string> {
  return join(rig.gitDir, "stint", "runs", (await rig.status()).run);
}

/** The report as `stint report` prints it, with times made equal. */
async function reported(rig: Rig, cwd = rig.repo): Promise<string> {
  const ended = await rig.stint(["report"], { cwd });
  expectCode(ended, 0);
  return ended.stdout.replace(/\b\d[\d.]* (?:s|m|h)\b(?: \d+ [smh])?/g, "<time>");
}

/** Its first paragraph, and what needs a person, without the commands. */
async function verdict(rig: Rig): Promise<string[]> {
  const lines = (await reported(rig)).split("\n");
  const needs = lines.slice(lines.indexOf("## What needs you"), lines.indexOf("## Tasks"));
  return [lines[2] ?? "", ...needs.filter((line) => line.startsWith("- "))];
}

test("A run that is done leaves its report, its picture and its progress, and names the report; it can be read from a linked worktree.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { title: "Write a" }), "02-b": makes("b.txt") } },
    config: { budget: { usd: 20 } },
    moves: {
      "01-a": [...writes("a.txt"), { usage: { input_tokens: 5, output_tokens: 2, usd: 0.5 } }],
      "02-b": writes("b.txt"),
    },
  });
  const ended = await rig.stint(["run", "--yes"]);
  expectCode(ended, 0);
  const dir = await runDir(rig);
  expect(ended.stderr.trimEnd().split("\n").at(-1)).toBe(
    `Report: ${join(".git", "stint", "runs", dir.split("/").at(-1)!)}/report.md`,
  );

  expect(await verdict(rig)).toEqual([
    "Both tasks are verified on stint/work. The final checks passed. <time>, 0.50 USD of 20.00.",
  ]);
  const left = readFileSync(join(dir, "report.md"), "utf8");
  rmSync(join(dir, "report.md"));
  rig.git("worktree", "add", "--quiet", "--detach", join(rig.root, "linked"));
  const again = await rig.stint(["report"], { cwd: join(rig.root, "linked") });
  expect(again.stdout).toBe(left);
  expect(readFileSync(join(dir, "report.md"), "utf8")).toBe(left);
  expect(left).toContain("- Proof: `grep -q ready a.txt`: red before (exit 2) → green after; exit code only");
  expect(left).toContain("(executor: scripted,");
  expect(readFileSync(join(dir, "timeline.svg"), "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const progress = readFileSync(join(dir, "progress.md"), "utf8").split("\n");
  const commit = rig.git("rev-parse", "--short=12", "stint/work~1");
  expect(progress.slice(4, 7)).toEqual(["2 of 2 tasks on `stint/work`.", "", `- [x] \`01-a\` Write a: \`${commit}\``]);
});

test("What is blocked, what asks and what nobody proved is said first, each with what to type.", async () => {
  await using rig = await createRig({
    files: { "c.txt": "ready\n" },
    config: { run: { attempts: 1 } },
    plan: {
      tasks: {
        "01-a": makes("a.txt"),
        "02-b": makes("b.txt"),
        "03-c": { files: ["c.txt"], checks: ["grep -q ready c.txt"] },
        "04-d": makes("d.txt"),
      },
    },
    moves: {
      "01-a": [{ report: { status: "blocked", reason: "which colour?" } }],
      "02-b": [{ write: "b.txt", text: "no\n" }, { print: "cannot say\n" }],
      "04-d": [...writes("d.txt"), { report: { status: "done", need_files: ["x.txt"] } }],
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);

  const [first, ...needs] = await verdict(rig);
  expect(first).toBe(
    "None of the 4 tasks is done yet; 2 are blocked and need you; 1 has a question for you; 1 passed before any work, which proves nothing. <time>, cost not reported.",
  );
  expect(needs).toEqual([
    "- Task 01-a is blocked: which colour? See the evidence; then answer it, or do it yourself.",
    expect.stringMatching(
      /^- Task 02-b is blocked: .*grep -q ready b\.txt.* See the evidence; then give it new attempts, or do it yourself\.$/,
    ),
    expect.stringMatching(/^- Task 04-d asks: .*x\.txt.* Answer one way or the other\.$/),
    "- Then resume the run.",
    expect.stringMatching(
      /^- The checks of task 03-c passed before any work: no agent worked on it, and nothing is proven\./,
    ),
  ]);
  const text = await reported(rig);
  expect(text).toContain('\nstint log 01-a\nstint answer 01-a "…"\nstint take 01-a\n');
  expect(text).toMatch(/\nstint answer 04-d\S* grant\nstint answer 04-d\S* refuse\n/);
  expect(text).toContain("**failed**: red: grep -q ready b.txt (exit 1)");
});

test("As data, too, a terminal obeys nothing of what an agent says, and a program reads the very same.", async () => {
  const reason = "\u009b2J\u009d0;title\u0007\u202eturned\u200b\u007f";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ report: { status: "blocked", reason } }] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  for (const command of ["status", "report"]) {
    const { stdout } = await rig.stint([command, "--json"]);
    expect(stdout.trimEnd()).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
    const { tasks } = JSON.parse(stdout) as { readonly tasks: readonly { readonly reason: string }[] };
    expect(tasks[0]?.reason).toBe(reason);
  }
});

test("A driver killed in a session, a usage limit, a task done by hand: the report tells each, and that the run was taken up again.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": { 1: [{ hold: "a" }], 2: [{ limit: null }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("a");
  const going = await verdict(rig);
  expect(going).toEqual([
    "None of the 2 tasks is done yet; 1 is in progress; 1 has not started. The run is in progress. <time>, cost not reported.",
  ]);
  await run.kill("SIGKILL");

  expect(await verdict(rig)).toEqual([
    "None of the 2 tasks is done yet; 1 was in progress; 1 has not started. Not running (interrupted). <time>, cost not reported.",
    `- Nothing is lost. Resume with \`stint resume work#1\`.`,
  ]);

  expectCode(await rig.stint(["resume", "--no-wait"]), 75);
  const path = await taken(rig, "02-b");
  writeFileSync(join(path, "b.txt"), "ready\n");
  expectCode(await rig.stint(["submit", "02-b"]), 0);
  expectCode(await rig.stint(["resume"]), 0);

  const text = await reported(rig);
  expect(text).toContain("Both tasks are verified on stint/work.");
  expect(text).toContain("**ended**, not counted as an attempt: interrupted: Stint ended while the session ran");
  expect(text).toContain("**ended**, not counted as an attempt: the agent's usage limit was reached");
  expect(text).toContain("- Note: taken by a person\n- Note: submitted by a person\n");
  expect(text).toMatch(/- Attempt 1 \(by hand, <time>\): \*\*integrated\*\*/);
  expect(text).toMatch(/^- `[^`]*` <time>: the run's process died; not running$/m);
  expect(text).toMatch(/^- `[^`]*` <time>: limit: the agent's usage limit is reached$/m);
  expect(text).toMatch(/resumed \d times/);
});

test("Where the report cannot be written, the run ends as it would, and `stint report` prints it all the same.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": [{ hold: "a" }, ...writes("a.txt")], "02-b": writes("b.txt") },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("a");
  const dir = await runDir(rig);
  for (const name of ["report.md", "progress.md"]) {
    rmSync(join(dir, name), { force: true });
    mkdirSync(join(dir, name, "in-the-way"), { recursive: true });
  }
  rig.release("a");
  const ended = await run.ended;
  expectCode(ended, 0);
  expect(ended.stderr).not.toContain("Report:");

  const report = await rig.stint(["report"]);
  expectCode(report, 0);
  expect(report.stdout).toContain("Both tasks are verified");
  expect(report.stderr).toContain("report.md could not be written");
  expect(report.stderr).toContain("The report above is complete.");

  const journal = join(dir, "journal.jsonl");
  writeFileSync(journal, readFileSync(journal, "utf8").replace("run-started", "run-stbrted"));
  const damaged = await rig.stint(["report", dir.split("/").at(-1)!]);
  expectCode(damaged, 1);
  expect(damaged.stderr).toContain("journal.jsonl");
  expectCode(await rig.stint(["report", "no-such-run"]), 2);
});
