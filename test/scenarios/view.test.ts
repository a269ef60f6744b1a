import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newestJournal } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { openPane, openShell, stintWords, whyNoTmux, type Pane } from "../rig/pane.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig, type RigOptions } from "../rig/rig.ts";

const two: RigOptions = {
  plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  moves: { "01-a": [{ print: "I look at a.txt\n" }, { hold: "mid" }, ...writes("a.txt")], "02-b": writes("b.txt") },
};

/** As the terminal was before: the screen, the cursor, and lines that are edited by the terminal itself. */
async function expectRestored(pane: Pane): Promise<void> {
  expect(await pane.until(/EXIT=\d+ -?icanon/)).not.toContain("-icanon");
  expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
}

describe.skipIf(whyNoTmux !== undefined)("in a terminal", () => {
  test("a run is a view that changes as it goes on; at its end the screen is as it was, with status and next steps.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    const working = await pane.until(/01-a #1 +working[^]*I look at a\.txt/);
    expect(working).toMatch(/^ work A plan of the tests +running 0:\d\d$/m);
    expect(working).toMatch(/^ ─+ {2}0 of 2 tasks$/m);
    expect(working).toMatch(/^ {3}02-b +Do 02-b +waits for 01-a$/m);
    expect(working).toContain("p pause   ↑↓ select   Enter log   q close   ? keys");
    expect(await pane.modes()).toEqual({ alternate: true, cursor: false });
    rig.release("mid");
    await pane.until(/✓ 01-a .* [0-9a-f]{12}/);
    const ended = await pane.until("EXIT=0");
    expect(ended).toMatch(/run \S+: finished\n {2}\[x\] 01-a {2}Do 01-a [0-9a-f]{12}\n/);
    expect(ended).toContain("When you are happy with it: `git merge stint/work`");
    expect(ended).not.toContain("Running");
    await expectRestored(pane);
  });

  test("The view says from the start that work cannot reach its branch, and how to help.", async () => {
    await using rig = await createRig(two);
    rig.git("worktree", "add", "-q", "-b", "stint/work", join(rig.root, "linked"));
    await using pane = await openPane(rig, "run --yes", { columns: 250 });
    await pane.until(/Branch stint\/work is checked out in \S+\. Switch it to another branch[^]*01-a #1 +working/);
    expect(rig.events("task-integrated")).toEqual([]);
    rig.git("worktree", "remove", join(rig.root, "linked"));
    rig.release("mid");
    await pane.until("EXIT=0");
  });

  test("A run goes on to its end although nobody reads its terminal any more.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes", { columns: 200 });
    await pane.until(/01-a #1 +working[^]*I look at a\.txt/);
    const thaw = await pane.freeze();
    try {
      rig.release("mid");
      while ((await rig.status()).state !== "finished");
    } finally {
      thaw();
    }
    await pane.until("EXIT=0");
    await expectRestored(pane);
  });

  test("The picture fits when the terminal gets another size.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    await pane.until("I look at a.txt");
    for (const [columns, rows] of [
      [120, 40],
      [40, 10],
      [80, 24],
    ] as const) {
      await pane.resize(columns, rows);
      const margin = columns < 60 ? 0 : 1;
      const header = new RegExp(`^ {${margin}}work A pl.* running 0:\\d\\d$`, "m");
      const lines = (await pane.until(new RegExp(`^.{${columns - margin - 12}}running 0:\\d\\d$`, "m"))).split("\n");
      expect(lines[0]).toMatch(header);
      expect(lines[rows - 1]).toContain("p pause");
    }
  });

  test("p pauses the run and p again lets it go on, by commands that the journal has.", async () => {
    const moves = { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") }, "02-b": writes("b.txt") };
    await using rig = await createRig({ ...two, moves });
    await using pane = await openPane(rig, "run --yes");
    await pane.until(/01-a #1 +working/);
    await pane.press("p");
    await pane.until(/ paused 0:\d\d[^]*Paused by a person\. Resume it with p or [^]*01-a #1 +idle[^]*p resume/);
    expect(rig.events("paused")).toHaveLength(1);
    await pane.press("p");
    await pane.until("EXIT=0");
    expect(rig.events("resumed")).toMatchObject([{ why: "asked" }]);
    expect(rig.events("agent-finished", "01-a")).toMatchObject([{ outcome: { kind: "interrupted" } }, {}]);
  });

  test("Enter opens the log of the chosen task; what an agent prints cannot act on the terminal, though output.log has it.", async () => {
    const evil = "\u{1b}]52;c;aGk=\u{7}\u{1b}[2J\u{1b}[31mred\u{202e}gnp\n\u{1b}[1mbelow\rover\n";
    await using rig = await createRig({ ...two, moves: { ...two.moves, "01-a": [{ print: evil }, { hold: "mid" }] } });
    await using pane = await openPane(rig, "run --yes");
    await pane.until(/01-a #1 +working +Do 01-a .*\n +over\n/);
    await pane.press("Down");
    await pane.until(/^ › 01-a/m);
    await pane.press("Enter");
    const log = await pane.until(/^ {2}over$/m);
    expect(log).toMatch(/^Log of 01-a {2}Do 01-a$/m);
    expect(log).toMatch(/01-a #1 agent started \(pid \d+\)/);
    expect(log).toMatch(/^ {2}red\\u\{202e\}gnp$/m);
    const runs = join(rig.gitDir, "stint", "runs", String(rig.events("run-started")[0]?.["run"]));
    expect(readFileSync(join(runs, "attempts", "01-a.1", "output.log"), "utf8")).toBe(evil);
    await pane.press("Escape");
    await pane.until(/^ › 01-a/m);
    await pane.press("?");
    await pane.until("close this view; the run continues");
    await pane.press("x");
    await pane.until("Running 1");
  });

  test("q leaves the view, and the run goes on to its end as lines.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes", { columns: 120 });
    await pane.until("I look at a.txt");
    await pane.press("q");
    await pane.until(`The run continues, printed as lines. For the view: \`stint status --watch work#1\``);
    expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
    rig.release("mid");
    const ended = await pane.until("EXIT=0");
    expect(ended).toMatch(/^\d\d:\d\d:\d\d {2}02-b #1 integrated as [0-9a-f]{12}$/m);
    expect(ended).toMatch(/run \S+: finished/);
    await expectRestored(pane);
  });

  test("Ctrl-C ends the run in order, with 130 and the terminal as it was; so does a signal from elsewhere.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    await pane.until("I look at a.txt");
    await pane.press("C-c");
    expect(await pane.until("EXIT=130")).toMatch(/run \S+: stopped \(interrupted\)/);
    await expectRestored(pane);
    await using again = await openPane(rig, "resume");
    await again.until(/01-a #2 +working[^]*I look at a\.txt/);
    process.kill(Number(rig.events("resumed").at(-1)?.["pid"]), "SIGTERM");
    await again.until("EXIT=130");
    await expectRestored(again);
  });

  test("A second Ctrl-C ends it at once, with the terminal as it was.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    await pane.until("I look at a.txt");
    await pane.press("C-c", "C-c");
    await pane.until("EXIT=130");
    await expectRestored(pane);
  });

  test("Ctrl-Z leaves the view and suspends; the run continues as lines after fg.", async () => {
    await using rig = await createRig(two);
    await using pane = await openShell(rig, ["bash", "--norc", "--noprofile", "-i"], { columns: 120 });
    await pane.press(`${stintWords} run --yes; echo EXIT=$?`, "Enter");
    await pane.until("I look at a.txt");
    await pane.press("C-z");
    await pane.until("Stopped");
    expect(await pane.modes()).toEqual({ alternate: false, cursor: true });
    rig.release("mid");
    await pane.press("fg", "Enter");
    await pane.until(/02-b #1 integrated as [0-9a-f]{12}[^]*run \S+: finished/);
  });

  test("A journal that takes nothing more ends the run with its message, and the terminal is as it was.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes", { columns: 200 });
    await pane.until("I look at a.txt");
    const journal = newestJournal(rig.gitDir) ?? "";
    renameSync(journal, `${journal}.away`);
    rig.release("mid");
    expect(await pane.until("EXIT=1 ")).toMatch(/^stint: .*journal\.jsonl was replaced or removed/m);
    await expectRestored(pane);
  });

  test("Colours are codes in a terminal, none with NO_COLOR or --no-color; the view is there all the same.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes");
    await pane.until("I look at a.txt");
    expect(await pane.painted()).toContain("\u{1b}[");
    for (const watch of [
      { args: "status --watch", env: { NO_COLOR: "1" } },
      { args: "status --watch --no-color", env: {} },
    ]) {
      await using plain = await openPane(rig, watch.args, watch);
      await plain.until("I look at a.txt");
      expect(await plain.painted()).not.toContain("\u{1b}[");
    }
  });

  test("A terminal that cannot move its cursor gets lines; one without a keyboard gets the view without keys.", async () => {
    await using rig = await createRig(two);
    await using pane = await openPane(rig, "run --yes", { redirect: "</dev/null" });
    const shown = await pane.until("I look at a.txt");
    expect(shown).not.toContain("q close");
    await using dumb = await openShell(rig, ["sh", "-c", `TERM=dumb ${stintWords} status --watch; exec cat`]);
    await dumb.until("01-a #1 agent started");
    expect(await dumb.modes()).toEqual({ alternate: false, cursor: true });
    rig.release("mid");
    expect(await pane.until("EXIT=0")).toMatch(/run \S+: finished/);
    await dumb.until(/run \S+: finished/);
  });

  test("`stint status --watch` in another terminal shows the same run, commands it, and q or Ctrl-C leaves it with 0.", async () => {
    await using rig = await createRig(two);
    const run = rig.start(["run", "--yes"]);
    await run.waitForHold("mid");
    await using watching = await openPane(rig, "status --watch");
    await watching.until(/01-a #1 +working[^]*I look at a\.txt/);
    await watching.press("p");
    await watching.until("Paused by a person.");
    await watching.press("p");
    await watching.until(/01-a #2 +working/);
    await watching.press("q");
    await watching.until("EXIT=0");
    await expectRestored(watching);
    await using left = await openPane(rig, "status --watch");
    await left.until(/01-a #2 +working/);
    await left.press("C-c");
    await left.until("EXIT=0");
    await using again = await openPane(rig, "status --watch");
    await again.until(/01-a #2 +working/);
    rig.release("mid");
    expect(await again.until("EXIT=0")).toMatch(/run \S+: finished\n {2}\[x\] 01-a/);
    expect((await run.ended).code).toBe(0);
  });

  test("A run that nobody drives is shown as such until somebody takes it up.", async () => {
    await using rig = await createRig(two);
    await interrupted(rig);
    await using watching = await openPane(rig, "status --watch", { columns: 100 });
    await watching.until(/Not running \(interrupted\)\. Resume it: `stint resume \S+`/);
    await watching.press("p");
    await watching.until(/Not running\. Resume it: `stint resume \S+`/);
    rig.release("mid");
    const resumed = rig.start(["resume"]);
    await watching.until("EXIT=0");
    expect((await resumed.ended).code).toBe(0);
  });
});

async function interrupted(rig: Rig): Promise<void> {
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("mid");
  await run.kill("SIGINT");
}
