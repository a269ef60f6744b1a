import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestJournal } from "../rig/follow.ts";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const forged = '{"v":1,"type":"task-integrated","task":"01-a"}';

/** What an agent might do to what Stint remembers; the paths are in its own .git, which borrows the objects. */
function tampering({ gitDir }: Rig): Record<string, string> {
  const control = join(gitDir, "stint", "control.git");
  return {
    "forge an event": `echo '${forged}' | tee -a '${gitDir}'/stint/runs/*/journal.jsonl`,
    "approve a plan": `touch '${gitDir}/stint/approvals/forged'`,
    "answer a question": `mkdir -p '${gitDir}'/stint/runs/*/commands`,
    "write a shared hook": `echo exit > '${gitDir}/hooks/pre-commit'`,
    "set a program for the user's git": `git config --file '${gitDir}/config' core.fsmonitor false`,
    "spoil the user's objects": `touch '${gitDir}/objects/planted'`,
    "spoil Stint's objects": `touch '${control}/objects/planted'`,
    "move refs": `git --git-dir='${control}' pack-refs --all --prune`,
  };
}

test.skipIf(!canConfine)(
  "attacks 1, 6 and 17: a confined agent reaches neither journal, approvals, commands, refs, objects nor shared hooks",
  async () => {
    await using rig = await createRig({ sandbox: "bwrap", plan: { tasks: { "01-a": makes("a.txt") } } });
    const tries = Object.values(tampering(rig));
    const tried = tries.map((line) => ({ shell: `( ${line} ); echo $? >> '${rig.outside}/codes'` }));
    rig.moves({ "01-a": [...tried, ...writes("a.txt")] });

    expectCode(await rig.stint(["run", "--yes"]), 0);

    const codes = readFileSync(join(rig.outside, "codes"), "utf8").trimEnd().split("\n");
    expect(codes).toHaveLength(tries.length);
    expect(codes).not.toContain("0");
    // The control: every one of them succeeds where nothing confines.
    for (const line of tries) execFileSync("sh", ["-c", line], { cwd: rig.repo, stdio: "ignore" });
    expect(readFileSync(newestJournal(rig.gitDir) ?? "", "utf8")).toContain(forged);
  },
);

test("attack 17: an event that an unconfined agent writes into the journal is never believed", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const line = tampering(rig)["forge an event"] ?? "";
  rig.moves({ "01-a": [{ shell: line }] });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 1);
  expect(run.stderr).toContain("another process drives this run. This one stops");
  // The control: whoever reads the lines without their hashes takes the task for done.
  const file = newestJournal(rig.gitDir) ?? "";
  const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ type: "task-integrated", task: "01-a" });
  const resumed = await rig.stint(["resume"]);
  expectCode(resumed, 1);
  expect(resumed.stderr).toContain(`${file} is damaged`);
  expect(rig.git("branch", "--list", "stint/*")).toBe("");
});

test("attack 6: a ref of the run that an unconfined agent moves to its own commit is not built upon", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const control = join(rig.gitDir, "stint", "control.git");
  const move = [
    "git add --all && git commit --quiet --message evil",
    `git push --quiet '${control}' HEAD:refs/heads/evil`,
    `ref=$(git --git-dir='${control}' for-each-ref --format='%(refname)' refs/stint/runs)`,
    `git --git-dir='${control}' update-ref "$ref" refs/heads/evil`,
  ].join(" && ");
  rig.moves({
    "01-a": [{ write: "evil.txt", text: "x\n" }, { shell: move }, { delete: "evil.txt" }, ...writes("a.txt")],
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 1);
  const evil = rig.controlGit("rev-parse", "refs/heads/evil");
  expect(rig.events("parked")).toMatchObject([{ reason: "moved", why: expect.stringContaining(evil) }]);
  expect(rig.events("task-integrated")).toEqual([]);
  expect(rig.git("branch", "--list", "stint/*")).toBe("");
  // The control: the ref is where the agent put it, and plain git believes it.
  expect(rig.controlGit("for-each-ref", "--format=%(objectname)", "refs/stint/runs")).toBe(evil);
});
