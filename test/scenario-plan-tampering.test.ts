import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "./rig/facts.ts";
import { writes, type Move } from "./rig/moves.ts";
import { makes } from "./rig/plan.ts";
import { createRig, type Rig } from "./rig/rig.ts";

async function runWith(tampering: Move): Promise<Rig> {
  const rig = await createRig({
    rules: {},
    plan: { tasks: { "01-a": makes("a.txt", { files: ["**"] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), tampering] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  return rig;
}

test("An agent that ticks its own box is caught.", async () => {
  await using rig = await runWith({ shell: "sed -i 's/\\[ \\]/[x]/' plans/work/plan.md" });

  const [verdict] = verdictsOf(rig, "01-a");
  expect(verdict).toMatchObject({ result: "failed", reason: "guard", guards: ["protected plans/work/plan.md"] });
  expect(rig.events("task-integrated")).toEqual([]);
});

test("An agent that weakens its own check in the plan is caught.", async () => {
  await using rig = await runWith({ shell: "sed -i 's/grep -q ready a.txt/true/' plans/work/tasks/01-a.md" });

  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: ["protected plans/work/tasks/01-a.md"] }]);
});

test("An agent that edits the rules or the settings is caught.", async () => {
  await using rig = await runWith({ shell: "echo >> .stint/rules.md; echo >> .stint/config.yaml" });

  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", guards: ["protected .stint/config.yaml", "protected .stint/rules.md"] },
  ]);
});
