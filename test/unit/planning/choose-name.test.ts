import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePlanName } from "../../../src/planning/choose-name.ts";
import { projectOf } from "../../rig/drafts.ts";
import { begun } from "../../rig/planning-events.ts";
import { recordPlanning } from "../../rig/planning-on-disk.ts";
import { createRig } from "../../rig/rig.ts";

test("a plan is named after its goal, with a number where a plan or an unfinished planning session has that name", async () => {
  await using rig = await createRig();
  const project = await projectOf(rig);
  const chosen = (goal: string, name?: string) => {
    const result = choosePlanName(project, { goal, name });
    return result.ok ? result.value : result.failure.message;
  };
  expect(chosen("Add a Login page!")).toBe("add-a-login-page");
  expect(chosen("…")).toBe("plan");
  mkdirSync(join(rig.repo, "plans/add-a-login-page"), { recursive: true });
  recordPlanning(project, "20261116-100000-work-abcd", [{ ...begun, plan: "add-a-login-page-2" }]);
  recordPlanning(project, "20261116-110000-work-abcd", [
    { ...begun, plan: "over" },
    { type: "planning-ended", why: "failed", words: "" },
  ]);
  expect(chosen("Add a login page")).toBe("add-a-login-page-3");

  expect(chosen("x", "mine")).toBe("mine");
  expect(chosen("x", "over")).toBe("over");
  expect(chosen("x", "Not An Id")).toMatch(/^--name "Not An Id" cannot be the name of a plan: /);
  expect(chosen("x", "do-release-20261118")).toMatch(/letters a-f are for `stint do`$/);
  expect(chosen("x", "do-release-2026")).toBe("do-release-2026");
  expect(chosen("x", "add-a-login-page")).toMatch(/^plans\/add-a-login-page exists\. Choose another --name/);
  expect(chosen("x", "add-a-login-page-2")).toMatch(
    /is unfinished\. Resume it: `stint plan --continue add-a-login-page-2`/,
  );
});
