import { expect, test } from "vitest";
import { parsePlan } from "../../../../src/plan/parse.ts";
import { documentsOf, revisionBriefing, standingOf } from "../../../../src/run/revision/briefing.ts";
import { rescueRef } from "../../../../src/project/paths.ts";
import { commitAll, sh, write } from "../../../rig/git.ts";
import { makes, plan as planFiles } from "../../../rig/plan.ts";
import { projectWith } from "../../../rig/project.ts";
import { spec, World } from "../../../rig/world.ts";

const ids = ["01-a", "02-b", "03-c"];
const written = {
  ...planFiles({ name: "p", tasks: Object.fromEntries(ids.map((id) => [id, makes(`${id}.txt`)])) }),
  "plans/p/inputs/notes.txt": "notes",
};
const files = new Map(Object.entries(written).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));

function standing(world: World) {
  const { plan } = parsePlan(files, "p");
  return standingOf(world.state, { plan: plan!, files });
}

/** The boxes of plan.md, one letter each. */
function boxes(documents: Map<string, Uint8Array>): string {
  const text = new TextDecoder().decode(documents.get("plan.md"));
  return [...text.matchAll(/^- \[(.)\]/gm)].map(([, box]) => box).join("");
}

test("boxes are ticked as the journal says, not as the file lies there", () => {
  const world = new World(ids.map((id) => spec(id)));
  world.add({ type: "task-integrated", task: "02-b", attempt: 1, commit: "c" });
  const stands = standing(world);
  expect([...stands.done]).toEqual(["02-b"]);
  expect(boxes(documentsOf(stands))).toBe(" x ");
});

test("the planner gets the plan's documents by name, without the inputs that its clone has", () => {
  const documents = documentsOf(standing(new World(ids.map((id) => spec(id)))));
  expect([...documents.keys()].toSorted()).toEqual([
    ...["plan.md", "scope.md", "tasks/01-a.md", "tasks/02-b.md", "tasks/03-c.md"],
  ]);
});

test("the evidence shows what the last attempt changed, where it was saved", async () => {
  const { project, root, commit: base } = await projectWith({ "kept.txt": "kept\n" });
  const world = new World(ids.map((id) => spec(id)));
  world.add({ type: "attempt-started", task: "01-a", attempt: 1, base, role: "executor" });
  write(root, { "half.txt": "half done\n" });
  const saved = commitAll(root);
  sh(project.control.dir, "update-ref", rescueRef("r", { task: "01-a", attempt: 1 }), saved);
  const asking = ["01-a", "02-b"].map((task) => ({ task, why: `${task} is impossible` }));
  const run = { state: world.state, entries: [] };
  const { evidence } = await revisionBriefing(project, run, { standing: standing(world), asking });
  expect(evidence).toContain("+half done");
  expect(evidence).toContain("02-b is impossible");
  expect(evidence).not.toContain("kept.txt");
});
