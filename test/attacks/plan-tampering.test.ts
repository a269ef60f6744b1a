import { expect, test } from "vitest";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes, oneFile } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

async function rigWith(tampering: Move): Promise<Rig> {
  return createRig({
    rules: {},
    plan: { tasks: { "01-a": makes("a.txt", { files: ["**"] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), tampering] },
  });
}

test("An agent that ticks its own box is caught.", async () => {
  await using rig = await rigWith({ shell: "sed -i 's/\\[ \\]/[x]/' plans/work/plan.md" });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  const [verdict] = verdictsOf(rig, "01-a");
  expect(verdict).toMatchObject({ result: "failed", reason: "guard", guards: ["protected plans/work/plan.md"] });
  expect(rig.events("task-integrated")).toEqual([]);
});

test("An agent that weakens its own check in the plan is caught.", async () => {
  await using rig = await rigWith({ shell: "sed -i 's/grep -q ready a.txt/true/' plans/work/tasks/01-a.md" });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: ["protected plans/work/tasks/01-a.md"] }]);
});

test("An agent that edits the rules or the settings is caught.", async () => {
  await using rig = await rigWith({ shell: "echo >> .stint/rules.md; echo >> .stint/config.yaml" });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([
    { result: "failed", guards: ["protected .stint/config.yaml", "protected .stint/rules.md"] },
  ]);
});

test.each([
  ["ticks its own box", "s/\\[ \\]/[x]/"],
  ["weakens its own check", "s/grep -q ready a.txt/true/"],
])("An agent that %s in a plan of one file is caught.", async (_, edit) => {
  await using rig = await createRig({
    files: oneFile({ tasks: { "01-a": makes("a.txt", { files: ["**"] }) } }),
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { shell: `sed -i '${edit}' plans/work.md` }] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: ["protected plans/work.md"] }]);
  expect(rig.events("task-integrated")).toEqual([]);
});

test("An agent that adds a folder beside a plan of one file, to pass for the plan, is caught.", async () => {
  await using rig = await createRig({
    files: oneFile({ tasks: { "01-a": makes("a.txt", { files: ["**"] }) } }),
    config: { run: { attempts: 1 } },
    moves: { "01-a": [...writes("a.txt"), { write: "plans/work/plan.md", text: "---\nstint: 1\n---\n" }] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: ["protected plans/work/plan.md"] }]);
});
