import { expect, test } from "vitest";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { scriptIn } from "../rig/script.ts";

const file = "docs/examples/library/overnight.mjs";
const oneTask = {
  plan: { tasks: { "01-a": makes("a.txt") } },
  moves: { "01-a": writes("a.txt") },
};

test("The documented example runs an approved plan, prints what happens and nothing else, and ends with 0.", async () => {
  await using rig = await createRig(oneTask);
  await rig.stint(["approve", "--yes"]);

  const run = await rig.start([], { program: scriptIn(rig, { file }) }).ended;

  expect(run).toEqual({ code: 0, stderr: "", stdout: printed(rig) });
  expect(rig.events("task-integrated").map(({ task }) => task)).toEqual(["01-a"]);
  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
});

test("What nobody approved is not run: the example is told so, and ends with 3.", async () => {
  await using rig = await createRig(oneTask);

  const run = await rig.start([], { program: scriptIn(rig, { file }) }).ended;

  const stderr = "plan work is not approved. Read it with `stint approve work`.\n";
  expect(run).toEqual({ code: 3, stdout: "", stderr });
  expect(rig.journal()).toEqual([]);
});

/** What the example prints of a run that is finished. */
function printed({ journal, events }: Rig): string {
  const lines = journal().map(({ type, task }) => [type, task].filter(Boolean).join(" "));
  return [...lines, `${String(events("run-started")[0]?.["run"])}: finished, 0 USD`, ""].join("\n");
}
