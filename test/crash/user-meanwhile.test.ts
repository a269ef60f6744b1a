import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Running } from "../rig/cli.ts";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy, type Rig } from "../rig/rig.ts";
import { collectGarbage, deleteRunBranch, deleteStintRefs, heldGit, strayCommit } from "../rig/user.ts";

/** Two tasks, the second of which can be held at work or in its check; `HEAD~1` is a commit of the user's without them. */
async function rigOfTwo(held: "work" | "check" | "nothing" = "nothing"): Promise<Rig> {
  const rig = await createRig({
    files: { "src/one.txt": "one\n" },
    plan: (outside) => {
      const check = "grep -q ready b.txt";
      const checks = held === "check" ? [`${check} && ${heldBy("held", outside)}`] : [check];
      return { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { checks, depends: ["01-a"] }) } };
    },
    config: { run: { attempts: 1 } },
    moves: {
      "01-a": writes("a.txt"),
      "02-b": held === "work" ? [{ hold: "held" }, ...writes("b.txt")] : writes("b.txt"),
    },
  });
  rig.write("src/one.txt", "newer\n");
  rig.commit("Base");
  return rig;
}

/** All that a busy person may do, but for the run's branch; the base is in no ref of theirs then. */
function workOn(rig: Rig): void {
  rig.git("commit", "--quiet", "--amend", "--message", "Base, said better");
  rig.git("reset", "--quiet", "--hard", "HEAD~1");
  deleteRunBranch(rig);
  collectGarbage(rig);
  rig.write("src/one.txt", "stashed\n");
  rig.git("stash", "push", "--quiet");
  rig.write("own.txt", "mine\n");
  rig.commit("My own work");
  rig.write("src/one.txt", "staged\n");
  rig.git("add", "src/one.txt");
  rig.write("src/one.txt", "and changed again\n");
  rig.write("untracked.txt", "mine\n");
}

interface Stage {
  readonly held: "work" | "check" | "nothing";
  /** Which of Stint's own calls of git waits. */
  readonly git?: string;
  readonly kill?: true;
  readonly sessions: readonly string[];
}

const once = ["01-a 1", "02-b 1"];
const all: Record<string, Stage> = {
  "an agent works": { held: "work", sessions: once },
  "checks run": { held: "check", sessions: once },
  "a commit has landed and is not published": { held: "nothing", git: "*index-pack*", sessions: once },
  "a commit was sent and no ref names it": {
    held: "nothing",
    git: "*update-ref\\ --no-deref\\ -z*",
    sessions: once,
  },
  "the driver is dead": { held: "work", kill: true, sessions: [...once, "02-b 2"] },
};

/** `STINT_USERS=all` adds those in which Stint is doing less with git. */
const stages = Object.entries(all).filter(
  ([, { git, kill }]) => process.env["STINT_USERS"] === "all" || git !== undefined || kill !== undefined,
);

afterAll(() => {
  const [count, of] = [stages.length, Object.keys(all).length];
  process.stdout.write(`Stages at which the user does everything: ${count} of ${of}, the rest by STINT_USERS=all\n`);
});

async function goOn(rig: Rig, run: Running, { kill }: Pick<Stage, "kill">): Promise<void> {
  rig.release("held");
  expectCode(kill === undefined ? await run.ended : await rig.stint(["resume"]), 0);
}

/** The control is in compare-with-git.test.ts: without refs/stint/keep the same `gc` takes the base away. */
test.each(stages)(
  "While %s, the user amends, resets, stashes, commits, deletes the branch and collects garbage: nothing of theirs changes, no task is done twice.",
  async (_, stage) => {
    await using rig = await rigOfTwo(stage.held);
    const run = rig.start(["run", "--yes"], stage.git === undefined ? {} : { env: heldGit(rig, stage.git, "held") });
    await run.waitForHold("held");
    if (stage.kill) await run.kill("SIGKILL");
    workOn(rig);
    const before = rig.fingerprint();

    await goOn(rig, run, stage);

    expect(rig.fingerprint()).toEqual(before);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
    expect(sessionsOf(rig)).toEqual(stage.sessions);
    expect(rig.events("publish-deferred")).toEqual([]);
    expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
    expect(rig.processes()).toEqual([]);
  },
);

test("While the driver is dead, the user deletes all refs of Stint: resume makes them again before it does anything.", async () => {
  await using rig = await rigOfTwo("work");
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("held");
  await run.kill("SIGKILL");
  deleteRunBranch(rig);
  deleteStintRefs(rig);
  const again = rig.start(["resume"]);
  await again.waitForEvent("resumed");
  workOn(rig);

  await goOn(rig, again, {});

  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
});

interface Claim {
  /** What the user does with the run's branch, which has the first task. */
  readonly take: (rig: Rig) => void;
  readonly says: string;
  readonly cure: (rig: Rig) => void;
}

const linked = (rig: Rig) => join(rig.root, "linked");
const claims: Record<string, Claim> = {
  "switches to it and commits there": {
    take: (rig) => {
      rig.git("switch", "--quiet", "stint/work");
      rig.write("own.txt", "mine\n");
      rig.commit("My own work on the branch");
    },
    says: "Branch stint/work is checked out in ",
    cure: (rig) => {
      rig.git("switch", "--quiet", "main");
      rig.git("branch", "--move", "stint/work", "mine");
    },
  },
  "forces it to a commit of their own": {
    take: (rig) => void rig.git("branch", "--force", "stint/work", strayCommit(rig, "stint/work")),
    says: "Branch stint/work has diverged: it is at ",
    cure: (rig) => void rig.git("branch", "--move", "stint/work", "mine"),
  },
  "adds a worktree of it": {
    take: (rig) => {
      rig.git("worktree", "add", "--quiet", linked(rig), "stint/work");
      rig.git("branch", "mine", "stint/work");
    },
    says: "Branch stint/work is checked out in ",
    cure: (rig) => void rig.git("worktree", "remove", linked(rig)),
  },
  "is in the middle of a rebase of it": {
    take: (rig) => {
      rig.git("worktree", "add", "--quiet", linked(rig), "stint/work");
      expect(() => rig.git("-C", linked(rig), "rebase", "--quiet", "--exec", "false", "HEAD~1")).toThrow("false");
      rig.git("branch", "mine", "stint/work");
    },
    says: "Branch stint/work is checked out in ",
    cure: (rig) => {
      rig.git("-C", linked(rig), "rebase", "--abort");
      rig.git("worktree", "remove", linked(rig));
    },
  },
};

test.each(Object.entries(claims))(
  "While an agent works, the user has the run's branch and %s: the run is done, says what waits, and resume publishes after the cure.",
  async (_, { take, says, cure }) => {
    await using rig = await rigOfTwo("work");
    const run = rig.start(["run", "--yes"]);
    await run.waitForHold("held");
    await run.waitForEvent("published");
    take(rig);
    const [theirs, before] = [rig.git("rev-parse", "stint/work"), rig.fingerprint()];

    rig.release("held");
    const ended = await run.ended;

    expectCode(ended, 3);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toMatch(/, then run `stint resume work#1`\.$/m);
    expect([rig.git("rev-parse", "stint/work"), rig.fingerprint()]).toEqual([theirs, before]);
    cure(rig);
    expectCode(await rig.stint(["resume"]), 0);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
    expect(rig.git("rev-parse", "mine")).toBe(theirs);
    expect(sessionsOf(rig)).toEqual(once);
  },
);

test("After the run the user deletes branch and refs of Stint and collects garbage: the command that status names shows the work.", async () => {
  await using rig = await rigOfTwo();
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const tip = rig.git("rev-parse", "stint/work");
  deleteRunBranch(rig);
  expect((await rig.stint(["status"])).stderr).toContain(`To see it: \`git branch <name> ${tip}\``);
  deleteStintRefs(rig);
  collectGarbage(rig);
  expect(() => rig.git("branch", "found", tip)).toThrow("not a valid");

  const { stderr } = await rig.stint(["status"]);
  const words = /To see it: `git (fetch .*)<name>`/.exec(stderr)?.[1] ?? stderr;
  rig.git(...`${words}found`.split(" "));

  expect(rig.git("rev-parse", "found")).toBe(tip);
  expect(commitsOf(rig, "found")).toEqual(["01-a", "02-b"]);
  expect((await rig.stint(["resume"])).stderr).toContain("nothing to do");
});
