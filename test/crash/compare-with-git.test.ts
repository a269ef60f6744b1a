import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { leave } from "../rig/scratch.ts";
import { collectGarbage, deleteRunBranch, deleteStintRefs, heldGit } from "../rig/user.ts";

/** Two tasks; the first session of the second one never ends by itself. */
async function rigOfTwo(): Promise<Rig> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "held" }], "*": writes("b.txt") } },
  });
  rig.write("own.txt", "mine\n");
  rig.commit("Base");
  return rig;
}

async function killedAtWork(rig: Rig): Promise<void> {
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("held");
  await run.waitForEvent("published");
  await run.kill("SIGKILL");
}

const controlOf = (rig: Rig) => join(rig.gitDir, "stint", "control.git");
const runRefOf = (rig: Rig) => rig.controlGit("for-each-ref", "--format=%(refname)", "refs/stint/runs");

test("control.git deleted after the first task was published: its commit is found in the user's repository, and only the second is worked on.", async () => {
  await using rig = await rigOfTwo();
  await killedAtWork(rig);
  const [landed, before] = [rig.git("rev-parse", "stint/work"), rig.fingerprint()];
  rmSync(controlOf(rig), { recursive: true });

  expectCode(await rig.stint(["resume"]), 0);

  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.git("rev-parse", "stint/work~1")).toBe(landed);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "02-b 2"]);
  expect(rig.fingerprint()).toEqual(before);
});

test("control.git deleted under a driver: the run ends and says how to resume, and that works.", async () => {
  await using rig = await rigOfTwo();
  rig.moves({ "01-a": writes("a.txt"), "02-b": [...writes("b.txt"), { hold: "held" }] });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("held");
  await run.waitForEvent("published");
  rmSync(controlOf(rig), { recursive: true });
  rig.release("held");
  const ended = await run.ended;

  expectCode(ended, 1);
  expect(ended.stderr).toMatch(/Nothing in the journal is lost. Fix that, then run `stint resume work#1`\.$/m);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
});

test.each(["candidate-made", "integrating"])(
  "control.git deleted after kill -9 at %s: the candidate is gone, and the task is done again without counting an attempt.",
  async (type) => {
    await using rig = await rigOfTwo();
    // Held before the ref of the run moves away from its base: nothing has landed.
    const swap = `*refs/stint/runs/*${rig.git("rev-parse", "HEAD")}`;
    const run = rig.start(["run", "--yes"], { env: heldGit(rig, swap, "unmoved") });
    await run.waitForEvent(type);
    await run.kill("SIGKILL");
    rmSync(controlOf(rig), { recursive: true });
    rig.moves({ "01-a": writes("a.txt"), "02-b": writes("b.txt") });

    expectCode(await rig.stint(["resume"]), 0);

    expect(rig.events("work-lost", "01-a")).toHaveLength(1);
    expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2", "02-b 1"]);
    expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  },
);

test("A commit that is in no repository any more is named before anything is done; brought back, the run resumes.", async () => {
  await using rig = await rigOfTwo();
  const base = rig.git("rev-parse", "HEAD");
  await killedAtWork(rig);
  const copy = join(rig.root, "copy");
  cpSync(rig.gitDir, copy, { recursive: true });
  deleteRunBranch(rig);
  deleteStintRefs(rig);
  rig.git("reset", "--quiet", "--hard", "HEAD~1");
  collectGarbage(rig);
  // The control of every other `gc` of the tests: what Stint keeps alive for itself is what makes the difference.
  expect(() => rig.git("cat-file", "-e", base)).toThrow("Command failed");

  const refused = await rig.stint(["resume"]);

  expectCode(refused, 1);
  expect(refused.stderr).toMatch(new RegExp(`^stint: commit ${base} of run work#1 is gone: .* restore it .*`));
  rig.git("fetch", "--quiet", copy, base);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "02-b 2"]);
});

test("A run's ref that is elsewhere is named before any agent starts, and the command that is named puts it back; one that is deleted is made again.", async () => {
  await using rig = await rigOfTwo();
  await killedAtWork(rig);
  const [ref, tip] = [runRefOf(rig), rig.git("rev-parse", "stint/work")];
  rig.controlGit("update-ref", ref, rig.git("rev-parse", "HEAD~1"));

  const refused = await rig.stint(["resume"]);

  expectCode(refused, 1);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1"]);
  const cure = /`git (--git-dir=.*? update-ref .*?)`/.exec(refused.stderr)?.[1] ?? refused.stderr;
  rig.git(...cure.split(" "));
  expect(rig.controlGit("rev-parse", ref)).toBe(tip);
  rig.controlGit("update-ref", "-d", ref);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("A finished run whose branch names a commit that is gone: resume and status say so with the command that fixes it.", async () => {
  await using rig = await rigOfTwo();
  rig.moves({ "01-a": writes("a.txt"), "02-b": writes("b.txt") });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const tip = rig.git("rev-parse", "stint/work");
  deleteRunBranch(rig);
  deleteStintRefs(rig);
  collectGarbage(rig);
  leave(rig.gitDir, { "refs/heads/stint/work": `${tip}\n` });
  expect(() => rig.git("log", "stint/work")).toThrow("bad object");

  const says = `Branch stint/work points to ${tip}, which is missing from this repository. `;
  expect((await rig.stint(["resume"])).stderr).toContain(says);
  const { stderr } = await rig.stint(["status"]);
  expect(stderr).toContain(says);
  const cure = /Fix: `git (fetch .*?)`/.exec(stderr)?.[1] ?? stderr;
  rig.git(...cure.split(" "));

  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect((await rig.stint(["status"])).stderr).not.toContain("gone");
  expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
});

test("A branch and refs that name a commit that is gone, under a run that is not finished: resume fixes them with the next task.", async () => {
  await using rig = await rigOfTwo();
  await killedAtWork(rig);
  const landed = rig.git("rev-parse", "stint/work");
  const named = ["refs/heads/stint/work", rig.git("for-each-ref", "--format=%(refname)", "refs/stint/keep/*/tip")];
  for (const ref of named) rig.git("update-ref", "-d", ref);
  collectGarbage(rig);
  leave(rig.gitDir, Object.fromEntries(named.map((ref) => [ref, `${landed}\n`])));
  expect(() => rig.git("log", "stint/work")).toThrow("bad object");

  expectCode(await rig.stint(["resume"]), 0);

  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.git("rev-parse", "stint/work~1")).toBe(landed);
  expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
});

test("The folder of workspaces is deleted, and the repository renamed: resume continues in the new place, what landed stays.", async () => {
  await using rig = await rigOfTwo();
  await killedAtWork(rig);
  const landed = rig.git("rev-parse", "stint/work");
  rmSync(join(rig.root, "state", "stint"), { recursive: true });
  const moved = `${rig.repo}-renamed`;
  renameSync(rig.repo, moved);

  const resumed = await rig.stint(["resume"], { cwd: moved });
  renameSync(moved, rig.repo);

  expectCode(resumed, 0);
  expect(rig.events("work-lost", "02-b")).toHaveLength(1);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(rig.git("rev-parse", "stint/work~1")).toBe(landed);
  expect(rig.processes()).toEqual([]);
});

test("A user who repacks, collects garbage and prunes all the while disturbs nothing: three tasks land, and the repository is whole.", async () => {
  const ids = Array.from({ length: 3 }, (_, at) => `t${at}`);
  await using rig = await createRig({
    plan: { tasks: Object.fromEntries(ids.map((id) => [id, makes(`${id}.txt`)])) },
    config: { run: { parallel: 3 } },
    moves: Object.fromEntries(ids.map((id) => [id, writes(`${id}.txt`)])),
  });
  const loop = `for n in $(seq 9999); do git repack -q -a -d; git gc -q; git prune --expire=now; done`;
  const user = spawn("sh", ["-c", loop], { cwd: rig.repo, stdio: "ignore", detached: true });

  const run = await rig.stint(["run", "--yes"]);
  process.kill(-(user.pid ?? 0), "SIGKILL");
  await once(user, "exit");

  expectCode(run, 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig).toSorted()).toEqual(ids);
  expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
});
