import { expect, test } from "vitest";
import { after } from "../../rig/planning-events.ts";
import { readStandingPlan, standingNow } from "../../../src/planning/standing-plan.ts";
import { projectOf } from "../../rig/drafts.ts";
import { makes, plan } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("the plan is read as it is committed: ticked tasks are done, and what is not committed does not count", async () => {
  const files = plan({ tasks: { "01-a": makes("a"), "02-b": makes("b") } });
  const planMd = files["plans/work/plan.md"]!;
  await using rig = await createRig({ files: { ...files, "plans/work/plan.md": planMd.replace("[ ]", "[x]") } });
  const project = await projectOf(rig);
  const first = rig.git("rev-parse", "HEAD");
  rig.write("plans/work/plan.md", planMd);

  const read = await readStandingPlan(project, { plan: "work", run: null });

  if (!read.ok) throw new Error(read.failure.message);
  expect(read.value.base).toBe(first);
  expect([...read.value.standing.done]).toEqual(["01-a"]);
  expect(read.value.briefing).toMatchObject({ done: "- 01-a\n", evidence: "" });
  expect([...read.value.briefing.plan.keys()]).toContain("tasks/02-b.md");

  rig.commit("Take it back");
  const now = await readStandingPlan(project, { plan: "work", run: null });
  expect(now).toMatchObject({ ok: true, value: { briefing: { done: "Nothing is done yet.\n" } } });
  const before = await readStandingPlan(project, { plan: "work", run: null, base: first });
  expect(before).toMatchObject({ ok: true, value: { briefing: { done: "- 01-a\n" } } });
  const none = await readStandingPlan(project, { plan: "other", run: null });
  expect(none).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(/^plans\/other cannot be read in /) as string },
  });
  expect(await readStandingPlan(project, { plan: "work", run: "20261116-100000-work-abcd" })).toMatchObject({
    ok: false,
  });
  // Without a run the plan stays as it was when the planning session started.
  const state = after([], { base: first, revises: { run: null, words: "" } });
  expect(await standingNow(project, state, read.value)).toEqual({ base: first, standing: read.value.standing });
});
