import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

async function rigWithWork(): Promise<Rig> {
  return createRig({
    files: { "src/one.txt": "one\n", "src/two.txt": "two\n", ".gitignore": "ignored/\n" },
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
  });
}

/** Everything at once that a busy person may have lying about. */
function makeDirty(rig: Rig): void {
  rig.write("src/one.txt", "stashed\n");
  rig.git("stash", "push", "--quiet");
  rig.write("src/one.txt", "staged\n");
  rig.git("add", "src/one.txt");
  rig.write("src/one.txt", "staged, then changed again\n");
  rig.git("rm", "--quiet", "--cached", "src/two.txt");
  rig.write("untracked.txt", "mine\n");
  rig.write("a.txt", "an untracked file where a task writes one\n");
  rig.write("ignored/cache.bin", "\0\u0001");
}

test("Approve, a run started below the root, status and log leave a clean checkout, index, branch and stash byte-identical.", async () => {
  await using rig = await rigWithWork();
  const before = rig.fingerprint();

  for (const args of [["lint"], ["approve", "--yes"], ["run"], ["status"], ["log"]]) {
    expectCode(await rig.stint(args, { cwd: args[0] === "run" ? `${rig.repo}/src` : rig.repo }), 0);
    expect(rig.fingerprint()).toEqual(before);
  }
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("A run, killed and resumed, leaves a dirty checkout byte-identical, and builds on the commit at HEAD, not on the dirt.", async () => {
  await using rig = await rigWithWork();
  rig.moves({ "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], "*": writes("b.txt") } });
  makeDirty(rig);
  const before = rig.fingerprint();
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(rig.fingerprint()).toEqual(before);
  const { stderr } = await run.kill("SIGKILL");
  expect(stderr).toMatch(
    /^Uncommitted changes \(4 files: a\.txt, .*\) are not part of .*, though its tasks name a\.txt: /m,
  );

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.fingerprint()).toEqual(before);
  expect(rig.git("show", "stint/work:src/one.txt")).toBe("one");
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  expect(rig.git("merge-base", "main", "stint/work")).toBe(rig.git("rev-parse", "main"));
});
