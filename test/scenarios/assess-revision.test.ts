import { describe, expect, test } from "vitest";
import { makes, plan } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { assess, draftOf, errors, standing, textIn } from "../rig/drafts.ts";

const tasks = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }), "03-c": makes("c.txt") };

/** A plan of three tasks of which the first has landed. */
async function begun() {
  const files = plan({ tasks, decisions: [{ id: "fee", question: "How much?", answer: "1" }] });
  const planMd = files["plans/work/plan.md"]!.replace("- [ ] [01-a]", "- [x] [01-a]");
  const rig = await createRig({ files: { ...files, "plans/work/plan.md": planMd, "a.txt": "ready\n" } });
  return { rig, planMd, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe("what a revision may do", () => {
  test("a task alone is changed: all else stays as it is, and only its checks run", async () => {
    await using world = await begun();
    const { "tasks/02-b.md": changed } = draftOf({ tasks: { "02-b": makes("b2.txt", { depends: ["01-a"] }) } });
    const revises = await standing(world.rig, ["01-a"]);
    const assessed = await assess(world.rig, { draft: { "tasks/02-b.md": changed! }, revises });
    expect(errors(assessed)).toEqual([]);
    expect(assessed.changes).toEqual([{ id: "02-b", change: "changed" }]);
    expect(assessed.checked.map(({ owner }) => owner)).toEqual(["02-b"]);
    expect(textIn(assessed, "plan.md")).toBe(world.planMd);
    expect(textIn(assessed, "tasks/03-c.md")).toBeDefined();
  });

  test("a task is added with its file and its line, and removed by leaving out its line; ticks are kept", async () => {
    await using world = await begun();
    const { "plan.md": planMd, "tasks/04-d.md": added } = draftOf({
      tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt"), "04-d": makes("d.txt") },
    });
    const revises = await standing(world.rig, ["01-a"]);
    const assessed = await assess(world.rig, { draft: { "plan.md": planMd!, "tasks/04-d.md": added! }, revises });
    expect(errors(assessed)).toEqual([]);
    expect(assessed.changes).toEqual([
      { id: "04-d", change: "added" },
      { id: "03-c", change: "removed" },
    ]);
    expect(textIn(assessed, "tasks/03-c.md")).toBeUndefined();
    expect(textIn(assessed, "plan.md")).toContain("- [x] [01-a]");
    expect(assessed.plan?.decisions).toMatchObject([{ id: "fee", answer: "1", assumed: false }]);
  });

  test("an added task without a line in plan.md is reported with how to add one", async () => {
    await using world = await begun();
    const { "tasks/04-d.md": added } = draftOf({ tasks: { "04-d": makes("d.txt") } });
    const revises = await standing(world.rig, ["01-a"]);
    expect(errors(await assess(world.rig, { draft: { "tasks/04-d.md": added! }, revises }))[0]).toContain(
      'the task "04-d" has no line under "## Tasks"; add "- [ ] [04-d](tasks/04-d.md) title"',
    );
  });

  test("a plan.md that cannot be read removes nothing", async () => {
    await using world = await begun();
    const revises = await standing(world.rig, ["01-a"]);
    const assessed = await assess(world.rig, { draft: { "plan.md": "---\ntitle: [\n---\n" }, revises });
    expect(errors(assessed)).toHaveLength(1);
    expect(textIn(assessed, "tasks/03-c.md")).toBeDefined();
  });
});

describe("what is done stays", () => {
  test("a changed file of a done task is reported, and stays as it was", async () => {
    await using world = await begun();
    const { "tasks/01-a.md": changed } = draftOf({ tasks: { "01-a": makes("a.txt", { depends: ["03-c"] }) } });
    const revises = await standing(world.rig, ["01-a"]);
    const assessed = await assess(world.rig, { draft: { "tasks/01-a.md": changed! }, revises });
    expect(errors(assessed)).toEqual(["tasks/01-a.md:1: error (done): 01-a is done: leave it as it is."]);
    expect(textIn(assessed, "tasks/01-a.md")).toBe(world.rig.git("show", "HEAD:plans/work/tasks/01-a.md") + "\n");
    expect(assessed.changes).toEqual([]);
  });

  test("the same file again is no change", async () => {
    await using world = await begun();
    const revises = await standing(world.rig, ["01-a"]);
    const same = draftOf({ tasks });
    const assessed = await assess(world.rig, { draft: { "tasks/01-a.md": same["tasks/01-a.md"]! }, revises });
    expect([errors(assessed), assessed.changes]).toEqual([[], []]);
  });

  test("a done task cannot be left out of the list", async () => {
    await using world = await begun();
    const { "plan.md": planMd } = draftOf({ tasks: { "02-b": makes("b.txt"), "03-c": makes("c.txt") } });
    const revises = await standing(world.rig, ["01-a"]);
    const found = errors(await assess(world.rig, { draft: { "plan.md": planMd! }, revises }));
    expect(found[0]).toBe('plan.md:1: error (done): 01-a is done: leave it as it is. Keep its line under "## Tasks".');
  });

  test("a tick of the planner's own is reported and removed", async () => {
    await using world = await begun();
    const draft = { "plan.md": world.planMd.replace("- [ ] [02-b]", "- [x] [02-b]") };
    const assessed = await assess(world.rig, { draft, revises: await standing(world.rig, ["01-a"]) });
    expect(errors(assessed)).toEqual([expect.stringContaining('error (done): the box of "02-b" is ticked')]);
    expect(textIn(assessed, "plan.md")).toBe(world.planMd);
  });
});
