import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { foldersOf, leave } from "../rig/scratch.ts";
import { standIn } from "../rig/stand-in.ts";

const deaths = {
  "just after the work was saved": ["git", 'git "$@" || exit\ncase "$*" in *update-ref*rescue*) kill -9 $PPID;; esac'],
  "before anything was removed": ["rm", "kill -9 $PPID"],
  "when half of it was removed": ["rm", 'find "$3" -name "[a-m]*" -delete\nkill -9 $PPID'],
} as const;

test.each(Object.entries(deaths))(
  "gc killed %s: the next one ends it, and all work is saved once.",
  async (_, death) => {
    await using rig = await createRig({
      plan: { tasks: { "01-a": makes("a.txt") } },
      moves: { "01-a": writes("a.txt") },
    });
    expectCode(await rig.stint(["run", "--yes"]), 0);
    const { run, scratch, workspace } = foldersOf(rig);
    const work = { "a.txt": "ready\n", "idea.txt": "an idea\n", "z/last.txt": "last\n" };
    leave(join(workspace({ task: "01-a", attempt: 1 }), "tree"), work);

    const [name, script] = death;
    expectCode(await rig.stint(["gc"], { env: standIn(rig, name, script) }), null);
    expect(existsSync(scratch)).toBe(true);

    expectCode(await rig.stint(["gc"]), 0);
    expect(existsSync(scratch)).toBe(false);
    const refs = rig.controlGit("for-each-ref", "--format=%(refname:lstrip=4)", "refs/stint/rescue").split("\n");
    expect(refs).toEqual(["01-a/1", "01-a/1-2"]);
    const saved = rig.controlGit("ls-tree", "-r", "--name-only", `refs/stint/rescue/${run}/01-a/1-2`).split("\n");
    expect(saved).toEqual(Object.keys(work));
  },
);

test("An attempt that its driver's death cut short keeps its workspace, and resume continues the run.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ write: "half.txt", text: "half" }, { hold: "go" }, ...writes("a.txt")] },
  });
  const driver = rig.start(["run", "--yes"]);
  await driver.waitForHold("go");
  await driver.kill("SIGKILL");
  const dir = foldersOf(rig).workspace({ task: "01-a", attempt: 1 });

  const collected = await rig.stint(["gc"]);
  expectCode(collected, 0);
  expect(collected.stdout).toContain(`kept: ${dir}: the attempt is not finished`);
  expect(existsSync(join(dir, "tree/half.txt"))).toBe(true);

  rig.moves({ "01-a": [{ shell: "rm -f half.txt" }, ...writes("a.txt")] });
  expectCode(await rig.stint(["resume"]), 0);
});

test("A driver killed while it removes a workspace: resume completes the run, gc removes the rest and saves nothing twice.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  const isWork = 'case "$3" in */rooms/*) false;; *) test -e "$3/tree/a.txt";; esac';
  const half = `if ${isWork}; then find "$3" -name "*.md" -delete; kill -9 $PPID; else exec rm "$@"; fi`;
  expectCode(await rig.stint(["run", "--yes"], { env: standIn(rig, "rm", half) }), null);
  expect(rig.events("candidate-made")).toHaveLength(1);
  expectCode(await rig.stint(["resume"]), 0);
  const { run, scratch } = foldersOf(rig);
  expect(existsSync(scratch)).toBe(true);

  expectCode(await rig.stint(["gc"]), 0);
  expect(existsSync(scratch)).toBe(false);
  const refs = rig.controlGit("for-each-ref", "--format=%(refname)", "refs/stint/rescue").split("\n");
  expect(refs).toEqual([`refs/stint/rescue/${run}/01-a/1`]);
});
