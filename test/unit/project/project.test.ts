import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, selectPlan } from "../../../src/project/project.ts";
import { sh, tempDir, write } from "../../rig/git.ts";
import { projectWith } from "../../rig/project.ts";

test("a project is opened from any folder below its root, with its private folders", async () => {
  const { root, project } = await projectWith({ "src/a.txt": "a" });
  const again = await openProject(join(root, "src"), project.env);
  expect(again).toMatchObject({ ok: true, value: { repo: { root }, paths: project.paths } });
  expect(sh(root, "status", "--porcelain")).toBe("");
});

test("outside a repository nothing is opened or created", async () => {
  const folder = tempDir();
  const opened = await openProject(folder, { HOME: folder });
  expect(opened.ok).toBe(false);
});

test("the only plan is meant without a name; of several, one must be named", () => {
  const root = tempDir();
  const plan = (name: string) => write(root, { [`plans/${name}/plan.md`]: "" });
  expect(selectPlan(root, undefined)).toMatchObject({ ok: false, failure: { reason: "no-plan" } });
  plan("a");
  expect(selectPlan(root, undefined)).toEqual({ ok: true, value: "a" });
  plan("b");
  mkdirSync(join(root, "plans/empty"), { recursive: true });
  const which = selectPlan(root, undefined);
  expect(which.ok ? "" : which.failure.message).toContain("Name one of: a, b");
  expect(selectPlan(root, "b")).toEqual({ ok: true, value: "b" });
  const unknown = selectPlan(root, "c");
  expect(unknown.ok ? "" : unknown.failure.message).toContain("no plan c. There are: a, b");
});
