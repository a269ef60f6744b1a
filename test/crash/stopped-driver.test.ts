import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Running } from "../rig/cli.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, type PlanSpec } from "../rig/plan.ts";
import { createRig, heldBy, type Rig, type RigOptions } from "../rig/rig.ts";
import { heldGit, type HeldCall } from "../rig/stand-in.ts";

const [now, later] = ["now", "later"];
const tasks = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) };
/** The second task is held, so that the new driver is in the middle of something when the old one wakes up. */
const moves = { "01-a": writes("a.txt"), "02-b": [{ hold: later }, ...writes("b.txt")] };

interface Stage {
  readonly options?: RigOptions;
  readonly held?: HeldCall;
  readonly sessions: readonly string[];
}

const stages: Readonly<Record<string, Stage>> = {
  "the baseline is taken": {
    options: { plan: checked((hold) => `test -e a.txt || ${hold}; grep -q ready a.txt`) },
    sessions: ["01-a 1", "02-b 1"],
  },
  "an agent works": {
    options: { moves: { ...moves, "01-a": { 1: [...writes("a.txt"), { hold: now }], "*": writes("a.txt") } } },
    sessions: ["01-a 1", "01-a 2", "02-b 1"],
  },
  "the work is saved": {
    held: { words: "*update-ref*/rescue/*", since: "agent-finished" },
    sessions: ["01-a 1", "02-b 1"],
  },
  "a check runs": {
    options: { plan: checked((hold) => `grep -q ready a.txt && ${hold}`) },
    sessions: ["01-a 1", "02-b 1"],
  },
  "the tip is moved": { held: { words: "*update-ref*/runs/*", since: "integrating" }, sessions: ["01-a 1", "02-b 1"] },
  "the branch is moved": {
    // A single task, because a second one would begin beside the publication and be in the hands of both drivers.
    options: { plan: (outside) => ({ tasks: { "01-a": tasks["01-a"] }, checks: [heldBy(later, outside)] }) },
    held: { words: "*update-ref*--stdin*", since: "task-integrated" },
    sessions: ["01-a 1"],
  },
};

/** The check is held for the first who asks it, and for nobody else. */
function checked(command: (hold: string) => string): (outside: string) => PlanSpec {
  return (outside) => {
    const first = `{ ! mkdir '${join(outside, "first")}' 2>/dev/null || ${heldBy(now, outside)}; }`;
    return { tasks: { ...tasks, "01-a": makes("a.txt", { checks: [command(first)] }) } };
  };
}

/** Takes the lock away from whoever has it, in a way that nobody who comes later can see. */
function moveLocksAway(rig: Rig): void {
  renameSync(join(rig.gitDir, "stint", "locks"), join(rig.gitDir, "stint", "locks-moved-away"));
}

/** All that a driver may move, in both repositories. */
function refsOf(rig: Rig): string {
  return [rig.git("for-each-ref"), rig.controlGit("for-each-ref")].join("\n");
}

async function stopWhile({ options, held }: Stage): Promise<{ readonly rig: Rig; readonly old: Running }> {
  const rig = await createRig({ plan: { tasks }, moves, config: { run: { attempts: 1 } }, ...options });
  const old = rig.start(["run", "--yes"], { env: held === undefined ? {} : heldGit(rig, held, now) });
  await old.waitForHold(now);
  process.kill(old.pid, "SIGSTOP");
  return { rig, old };
}

test.for(Object.entries(stages))(
  "A driver stopped while %s keeps the run; once its lock was taken away, it is fenced when it wakes up.",
  async ([, stage]) => {
    const { rig, old } = await stopWhile(stage);
    await using _ = rig;
    const refused = await rig.stint(["resume"]);
    expectCode(refused, 1);
    expect(refused.stderr).toContain(`process ${old.pid} is already running plan work`);

    moveLocksAway(rig);
    const young = rig.start(["resume"]);
    await young.waitForHold(later);
    await young.waitForEvent("published");
    const [before, journal] = [refsOf(rig), rig.journal()];
    rig.release(now);
    process.kill(old.pid, "SIGCONT");
    const woken = await old.ended;

    expectCode(woken, 1);
    expect(woken.stderr).toContain("`stint status`");
    expect(woken.stderr).not.toMatch(/\n\s+at /);
    expect(refsOf(rig)).toEqual(before);
    expect(rig.journal()).toEqual(journal);

    rig.release(later);
    expectCode(await young.ended, 0);
    expect(commitsOf(rig)).toEqual([...new Set(stage.sessions.map((session) => session.split(" ")[0]))]);
    expect(sessionsOf(rig)).toEqual(stage.sessions);
    expect(rig.events("verdict").every(({ result }) => result === "passed")).toBe(true);
    expect(new Set(rig.journal().map(({ epoch }) => epoch))).toEqual(new Set([1, 2]));
    expect(rig.processes()).toEqual([]);
  },
);

test("A stopped driver whose lock file was removed still has the run: who it is is said, and resume works once it is dead.", async () => {
  const { rig, old } = await stopWhile(stages["an agent works"]!);
  await using _ = rig;
  const lock = join(rig.gitDir, "stint", "locks", "work.lock");
  rmSync(lock);

  for (const command of ["resume", "run", "pause"]) {
    const refused = await rig.stint([command]);
    expectCode(refused, 1);
    expect(refused.stderr).toContain(`${lock} was removed, but process ${old.pid} still runs plan work with it.`);
    expect(refused.stderr).toContain(`\`kill -9 ${old.pid}\``);
  }
  await old.kill("SIGKILL");
  rig.release(later);

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.events("paused")).toEqual([]);
});
