import { expect, test } from "vitest";
import { planningSettings } from "../../../src/planning/settings.ts";
import { projectOf } from "../../rig/drafts.ts";
import { createPlanningRig } from "../../rig/planning.ts";

test("settings and rules come from the commit; wrong ones are refused with their line, as is a repository without a planner", async () => {
  await using rig = await createPlanningRig({}, { rules: { protect: ["legacy/**"] } });
  const project = await projectOf(rig);
  const settingsNow = async () => {
    const commit = rig.git("rev-parse", "HEAD");
    return await planningSettings(project, { commit, base: commit });
  };
  rig.write(".stint/config.yaml", "nonsense: [\n");
  const read = await settingsNow();
  if (!read.ok) throw new Error(read.failure.message);
  expect(read.value.rules).toContain("legacy/**");
  expect(read.value.project).toContain("# The project, as far as Stint knows it");
  expect(read.value.sandboxWord).toMatch(/^Sandbox: /);

  rig.commit("Break the settings");
  expect(await settingsNow()).toMatchObject({
    ok: false,
    failure: {
      reason: "settings",
      message: expect.stringMatching(/^\.stint\/config\.yaml:\d+:\d+: error: /) as string,
    },
  });
  rig.write(".stint/config.yaml", "run: { sandbox: none }\n");
  rig.commit("Name no planner, where no agent is installed");
  expect(await settingsNow()).toMatchObject({ ok: false, failure: { reason: "no-agent" } });
});
