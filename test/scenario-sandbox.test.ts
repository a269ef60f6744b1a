import { expect, test } from "vitest";
import { expectCode, pathsOf } from "./rig/facts.ts";
import { writes } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig } from "./rig/rig.ts";

test("Confined, an agent edits, commits, reports, and its work is verified and integrated.", async () => {
  await using rig = await createRig({
    sandbox: "bwrap",
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": [
        { save: "session" },
        { shell: "git status && git log -1 --format=%s && git add -A && git commit --allow-empty -qm inside" },
        ...writes("a.txt"),
        { report: { status: "done", summary: "All is ready." } },
      ],
    },
  });

  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 0);
  expect(run.stderr).toContain("Sandbox: bwrap;");
  expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md"]);
  expect(rig.saved("session")).toMatchObject({ cwd: "/stint/workspace", env: { HOME: "/stint/home" } });
  expect(rig.processes()).toEqual([]);
});
