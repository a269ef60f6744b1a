import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { openPane, whyNoTmux } from "../rig/pane.ts";
import { makes, plan } from "../rig/plan.ts";
import { createPlanningRig, leavesPlan } from "../rig/planning.ts";
import { content, createReplanRig, drafts, infeasible } from "../rig/replanning.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** What a person reads, without times. */
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ""));

const judge = { judge: { pass: true, why: "it does" } };

async function createTalkingRig(): Promise<Rig> {
  return await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: {
      "01-a": {
        1: [{ print: "looking\n" }, { print: '{"of": "programs"}\n\u{1b}[31mno such key\n' }, { exit: 4 }],
        2: [{ print: "working\n" }, { hold: "mid" }, { print: "done\n" }, ...writes("a.txt")],
      },
      "02-b": [{ print: "other\n" }, ...writes("b.txt")],
    },
  });
}

describe("of a run that is over", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await createTalkingRig();
    rig.release("mid");
    expectCode(await rig.stint(["run", "--yes"]), 0);
  });
  afterAll(async () => await rig[Symbol.asyncDispose]());

  test("The log shows how the output of a session ended that crashed, neutralised; of one that ended well it does not.", async () => {
    const shown = lines((await rig.stint(["log"])).stdout);
    const crash = shown.indexOf("01-a #1 agent stopped: crashed (exit 4: no such key)");
    expect(shown.slice(crash + 1, crash + 3)).toEqual(["            | looking", "            | no such key"]);
    expect(shown.filter((line) => line.startsWith("            | "))).toHaveLength(2);
  });

  test("The log of a task has the transcript of each session between its events; raw, it is the streams and nothing else.", async () => {
    const { stdout, code } = await rig.stint(["log", "01-a"]);
    expect(code).toBe(0);
    const shown = lines(stdout).map((line) => line.replace(/\(pid \d+\)/, "(pid)"));
    const first = shown.indexOf("01-a #1 agent started (pid)");
    expect(shown.slice(first + 1, first + 5)).toEqual([
      "  looking",
      '  {"of": "programs"}',
      "  no such key",
      "01-a #1 agent stopped: crashed (exit 4: no such key)",
    ]);
    const second = shown.indexOf("01-a #2 agent started (pid)");
    expect(shown.slice(second + 1, second + 3)).toEqual(["  working", "  done"]);
    expect(stdout).not.toContain("other");

    const raw = await rig.stint(["log", "01-a", "--raw"]);
    expect(raw.stdout).toBe('looking\n{"of": "programs"}\n\u{1b}[31mno such key\nworking\ndone\n');
    const json = lines((await rig.stint(["log", "01-a", "--json"])).stdout);
    const entries = rig.journal().filter(({ task }) => task === "01-a");
    expect(json.map((line) => JSON.parse(line) as unknown)).toEqual(entries);
    // Followed, a task that is done is the same, and there is nothing to wait for.
    const followed = await rig.stint(["log", "01-a", "--follow"]);
    expect(lines(followed.stdout)).toEqual(lines(stdout).slice(0, -1));
  });

  test("Options that contradict each other, and what does not exist, are refused with the way out.", async () => {
    const refused: [string[], string][] = [
      [["--raw"], "--raw prints the output of one task's agents. Name the task: `stint log <task> --raw`"],
      [["01-a", "--raw", "--json"], "--raw prints what agents wrote, --json the journal. Choose one."],
      [
        ["01-a", "--planning"],
        "--planning shows a planning session, which has no tasks and no runs. Leave the rest out.",
      ],
      [["--planning", "other"], "no planning session of plan other yet. Start one with `stint plan`."],
      [["03-c", "--follow"], "no task 03-c in run work#1. Its tasks: 01-a, 02-b"],
    ];
    for (const [args, message] of refused) {
      const { code, stderr } = await rig.stint(["log", ...args]);
      expect([code, stderr]).toEqual([2, `stint: ${message}\n`]);
    }
  });

  test("Each session keeps a note of who worked in it.", async () => {
    const { run } = await rig.status();
    const note = readFileSync(join(rig.gitDir, "stint/runs", run, "attempts/01-a.2/session.json"), "utf8");
    expect(JSON.parse(note)).toMatchObject({ v: 1, agent: "scripted", driver: "command", model: null });
  });
});

test("Followed, a task is told across its attempts until it is done, and all sessions by their tasks until the run ends.", async () => {
  await using rig = await createTalkingRig();
  const run = rig.start(["run", "--yes", "--verbose"]);
  await run.waitForEvent("agent-started");
  const [task, all, raw] = [["01-a"], [], ["01-a", "--raw"]].map((args) => rig.start(["log", ...args, "--follow"]));
  // It is told while the session goes on.
  for (const live of [run, task!, all!, raw!]) await live.waitForOutput("working\n");
  rig.release("mid");
  const [driven, ofTask, ofAll, asIs] = await Promise.all([run.ended, task!.ended, all!.ended, raw!.ended]);
  for (const ended of [driven, ofTask, ofAll, asIs]) expectCode(ended, 0);

  expect(lines(ofTask.stdout).filter((line) => line.startsWith("  ") && !line.startsWith("   "))).toEqual(
    ["looking", '{"of": "programs"}', "no such key", "working", "done"].map((line) => `  ${line}`),
  );
  expect(lines(ofTask.stdout).at(-1)).toMatch(/^01-a #2 integrated as /);
  expect(asIs.stdout).toContain("\u{1b}[31mno such key\nworking\ndone\n");
  const sessions = [
    "01-a | looking",
    '01-a | {"of": "programs"}',
    "01-a | no such key",
    "01-a | working",
    "01-a | done",
  ];
  for (const { stdout } of [driven, ofAll])
    expect(lines(stdout).filter((line) => / \| /.test(line) && !line.startsWith(" "))).toEqual([
      ...sessions,
      "02-b | other",
    ]);
});

test("Followed, a run that nobody drives is told as far as it is; an interrupt ends with 130.", async () => {
  await using rig = await createTalkingRig();
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("mid");
  const following = rig.start(["log", "01-a", "--follow"]);
  await following.waitForOutput("working\n");
  expectCode(await following.kill("SIGINT"), 130);
  await run.kill("SIGKILL");
  const left = await rig.stint(["log", "01-a", "--follow"]);
  expectCode(left, 0);
  expect(lines(left.stdout).at(-1)).toBe("  working");
});

test.skipIf(whyNoTmux !== undefined)(
  "Followed in a terminal, a check that takes long is at the bottom, with its clock and what it printed last.",
  async () => {
    let go = "";
    const checks = (outside: string) => [
      `test -e a.txt || exit 1; echo half way; until test -e ${(go = join(outside, "go"))}; do sleep 0.05; done`,
    ];
    await using rig = await createRig({
      config: { run: { sandbox: "none" } },
      plan: (outside) => ({ tasks: { "01-a": makes("a.txt", { checks: checks(outside) }) } }),
      moves: { "01-a": writes("a.txt") },
    });
    const run = rig.start(["run", "--yes"]);
    await run.waitForEvent("placed");
    await using pane = await openPane(rig, "log 01-a --follow", { columns: 200 });
    await pane.until(/^verifying 01-a: test -e a\.txt.*, 0:\d\d, last: half way$/m);
    writeFileSync(go, "");
    const end = await pane.until("EXIT=0");
    expect(end).toContain("01-a #1 integrated as ");
    expect(end).not.toContain("verifying 01-a: ");
    expectCode(await run.ended, 0);
  },
);

test("What a judge said is in the log of the task that it judged.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt", { judge: "Is it kind?" }] }) } },
    config: { roles: { judge: { agent: "scripted" } } },
    moves: { "01-a": writes("a.txt"), "judge:01-a": [{ print: "I read it.\n" }, judge] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect((await rig.stint(["log", "01-a"])).stdout).toContain("\n  I read it.\n");
});

test("What planners said is in the log of the planning session, or of the task that they were asked about.", async () => {
  await using planning = await createPlanningRig({
    draft: [{ print: "I draft.\n" }, ...leavesPlan({ tasks: { "01-note": makes("note.txt") } })],
  });
  expectCode(await planning.stint(["plan", "Write a note", "--headless"]), 0);
  for (const args of [["--planning"], ["--planning", "--follow"]])
    expect((await planning.stint(["log", ...args])).stdout).toContain("\n  I draft.\n");
  expect((await planning.stint(["log", "--planning", "--raw"])).stdout).toBe("I draft.\n");

  await using rig = await createReplanRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": [infeasible],
      "01-b": writes("a.txt"),
      draft: [{ print: "I split it.\n" }, ...drafts({ tasks: { "01-b": makes("a.txt") } })],
      ...content,
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect((await rig.stint(["log", "01-a"])).stdout).toContain("\n  I split it.\n");
  expect((await rig.stint(["log", "01-b"])).stdout).not.toContain("I split it.");
});

test("With two unfinished runs, log, requeue and answer find the run by the task alone, as the hints name it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    files: plan({ name: "other", tasks: { "01-b": makes("b.txt") } }),
    moves: { "01-a": [{ report: { status: "blocked", reason: "which word?" } }], "01-b": [{ exit: 1 }] },
  });
  expectCode(await rig.stint(["run", "work", "--yes"]), 3);
  expectCode(await rig.stint(["run", "other", "--yes"]), 3);

  const shown = await rig.stint(["log", "01-a"]);
  expectCode(shown, 0);
  expect(shown.stdout).toContain("which word?");
  expect(shown.stderr).toBe("");
  const answered = await rig.stint(["answer", "01-a", "this one"]);
  expect(answered).toMatchObject({
    code: 0,
    stdout: "Question 01-a is answered. Resume the run with `stint resume work#1`.\n",
  });
  const again = await rig.stint(["requeue", "01-b"]);
  expect(again).toMatchObject({
    code: 0,
    stdout: "Task 01-b gets new attempts. Resume the run with `stint resume other#1`.\n",
  });
  expectCode(await rig.stint(["status", "plans/work/plan.md"]), 0);
});
