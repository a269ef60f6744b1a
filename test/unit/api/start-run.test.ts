import { expect, test } from "vitest";
import { startRun } from "../../../src/api/start-run.ts";
import { makes, plan } from "../../rig/plan.ts";
import { projectWith } from "../../rig/project.ts";

test.each([{ parallel: 0 }, { parallel: 1.5 }, { budgetUsd: 0 }, { budgetUsd: Number.NaN }])(
  "%o is refused before anything is opened",
  async (options) => {
    const refused = await startRun({ cwd: "/nowhere", ...options });
    expect(refused).toMatchObject({ ok: false, failure: { reason: "usage", exitCode: 2 } });
  },
);

test("a signal that was aborted before starts nothing", async () => {
  const refused = await startRun({ cwd: "/nowhere", signal: AbortSignal.abort() });
  expect(refused).toMatchObject({ ok: false, failure: { reason: "aborted", exitCode: 130 } });
});

test("a plan that nobody approved, and one that does not exist, are refused as by the command line", async () => {
  const { root } = await projectWith(plan({ tasks: { "01-a": makes("a.txt") } }));
  expect(await startRun({ cwd: root })).toMatchObject({ ok: false, failure: { reason: "unapproved", exitCode: 3 } });
  expect(await startRun({ cwd: root, plan: "typo" })).toMatchObject({
    ok: false,
    failure: { reason: "no-plan", exitCode: 2 },
  });
});
