import { expect, test } from "vitest";
import { writes } from "../rig/moves.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { scriptIn } from "../rig/script.ts";

const example = { file: "docs/examples/library/overnight.mjs" };

test("Interrupted in the middle, the example ends with 130, leaves no process, and goes on when it is run again.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], "*": writes("b.txt") } },
  });
  await rig.stint(["approve", "--yes"]);
  const program = scriptIn(rig, example);
  const running = rig.start([], { program });
  await running.waitForHold("never");

  const interrupted = await running.kill("SIGINT");

  expect(interrupted).toMatchObject({ code: 130, stderr: "" });
  expect(interrupted.stdout.split("\n").at(-3)).toBe("stopped");
  expect(rig.processes()).toEqual([]);
  const before = rig.journal().length;

  const resumed = await rig.start([], { program }).ended;

  expect(resumed).toMatchObject({ code: 0, stderr: "" });
  const printed = resumed.stdout.split("\n").slice(0, -2);
  expect(printed).toEqual(
    rig
      .journal()
      .slice(before)
      .map(({ type, task }) => [type, task].filter(Boolean).join(" ")),
  );
  expect(rig.events("run-started")).toHaveLength(1);
});

test("Run again, the example finds a finished run: nothing is done, and the code is that of the run.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  await rig.stint(["run", "--yes"]);
  const before = rig.journal();
  const { run } = await rig.status();

  const again = await rig.start([], { program: scriptIn(rig, example) }).ended;

  expect(again).toEqual({ code: 0, stderr: "", stdout: `${run}: finished, 0 USD\n` });
  expect(rig.journal()).toEqual(before);
});

test("A second process follows a run from its first event to its last, and ends with its driver.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "work" }, ...writes("a.txt")] },
  });
  const driver = rig.start(["run", "--yes"]);
  await driver.waitForHold("work");
  const text = `
    import { followRun, readRun } from "stint";
    const cwd = process.cwd();
    const { value: { exitCode } } = await readRun({ cwd });
    const { value: { events } } = await followRun({ cwd });
    const seen = [];
    for await (const { seq, type } of events) {
      seen.push(seq);
      if (type === "attempt-started") (await import("node:fs")).writeFileSync(process.argv[2], "");
    }
    const after = await readRun({ cwd });
    console.log(JSON.stringify({ seen, codes: [exitCode, after.value.exitCode], state: after.value.summary.state }));`;

  // The follower itself lets the agent go on, so it was there before the end.
  const followed = await rig.start([`${rig.outside}/work`], { program: scriptIn(rig, { text }) }).ended;

  expect(followed).toMatchObject({ code: 0, stderr: "" });
  expect(await driver.ended).toMatchObject({ code: 0 });
  const seen = rig.journal().map(({ seq }) => seq);
  expect(JSON.parse(followed.stdout)).toEqual({ seen, codes: [null, 0], state: "finished" });
});

test("Two runs in one process, one read late and one never: both end, nothing is printed, handled or left open.", async () => {
  await using rig = await createRig({
    plan: { name: "first", tasks: { "01-a": makes("a.txt") } },
    files: plan({ name: "second", tasks: { "01-b": makes("b.txt") } }),
    moves: { "01-a": writes("a.txt"), "01-b": writes("b.txt") },
  });
  for (const name of ["first", "second"]) await rig.stint(["approve", name, "--yes"]);
  const text = `
    import { startRun } from "stint";
    const said = [];
    const print = process.stdout.write.bind(process.stdout);
    process.stdout.write = process.stderr.write = (bytes) => said.push(String(bytes));
    const started = [];
    for (const plan of ["first", "second"]) started.push(await startRun({ cwd: process.cwd(), plan }));
    const [first, second] = started.map(({ value }) => value);
    const again = await startRun({ cwd: process.cwd(), plan: "first" });
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name));
    const ends = await Promise.all([first.ended, second.ended]);
    const late = [];
    for await (const { seq } of first.events) late.push(seq);
    for await (const _ of second.events) break;
    // What is closed counts as open until the event loop has seen it.
    for (const _ of [1, 2]) await new Promise((resolve) => setImmediate(resolve));
    const open = process.getActiveResourcesInfo().filter((name) => !/^(?:Pipe|TTY|File)/.test(name));
    const codes = ends.map(({ exitCode }) => exitCode);
    print(JSON.stringify({ said, signals, codes, late, open, again: again.failure, pid: process.pid, run: first.run }));`;

  const ended = await rig.start([], { program: scriptIn(rig, { text }) }).ended;

  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const { pid, late, run, ...facts } = JSON.parse(ended.stdout) as { pid: number; late: number[]; run: string };
  const reach = "`stint status` shows its progress; `stint pause` and `stint stop` work from here.";
  const again = { reason: "held", message: `process ${pid} is already running plan first. ${reach}`, exitCode: 1 };
  expect(facts).toEqual({ said: [], signals: [0, 0, 0], codes: [0, 0], open: [], again });
  const log = await rig.stint(["log", "--run", run, "--json"]);
  expect(late).toEqual(
    log.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { seq: number }).seq),
  );
});

test("stop() ends a run as Ctrl-C would, and what cannot begin is a value with its exit code.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ hold: "never" }] },
  });
  await rig.stint(["approve", "--yes"]);
  const text = `
    import { startRun } from "stint";
    const cwd = process.cwd();
    const refused = [];
    for (const more of [{ plan: "nowhere" }, { parallel: 0 }, { budgetUsd: NaN }, { signal: AbortSignal.abort() }, { cwd: "/" }])
      refused.push((await startRun({ cwd, ...more })).failure);
    const { value } = await startRun({ cwd });
    for await (const { type } of value.events) if (type === "agent-started") break;
    const { exitCode, why, summary } = await value.stop();
    console.log(JSON.stringify({ refused, exitCode, why, state: summary.state }));`;

  const ended = await rig.start([], { program: scriptIn(rig, { text }) }).ended;

  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ended.stdout)).toEqual({
    refused: [
      { reason: "no-plan", message: "no plan nowhere. There are: work", exitCode: 2 },
      { reason: "usage", message: "parallel is 0; it must be a whole number from 1", exitCode: 2 },
      { reason: "usage", message: "budgetUsd is NaN; it must be a number above 0", exitCode: 2 },
      { reason: "aborted", message: "the signal was aborted before the run began", exitCode: 130 },
      {
        reason: "not-a-repository",
        message: "/ is not in a git repository. Run `git init`, commit your files, then try again.",
        exitCode: 1,
      },
    ],
    exitCode: 130,
    why: null,
    state: "stopped",
  });
  expect(rig.processes()).toEqual([]);
});
