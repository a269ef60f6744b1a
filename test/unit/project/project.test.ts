import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemUser } from "../../../src/base/system-user.ts";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { findPlan, findProjectSandbox, openProject, selectPlan } from "../../../src/project/project.ts";
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

test("a plan is named by its path as well, from any folder", () => {
  const root = tempDir();
  write(root, { "plans/hi/plan.md": "", "plans/one.md": "---\nstint: 1\n---\n", "plans/bare.md": "", "src/a.ts": "" });
  const select = (typed: string, from = "") => {
    const found = selectPlan(root, typed, join(root, from));
    return found.ok ? found.value : found.failure.message;
  };
  for (const typed of [
    "hi",
    "plans/hi",
    "plans/hi/",
    "./plans/hi/plan.md",
    "plans/hi/tasks/01-a.md",
    join(root, "plans/hi"),
  ])
    expect(select(typed)).toBe("hi");
  for (const typed of ["one", "plans/one.md", "plans/one", "one.md"]) expect(select(typed)).toBe("one");
  for (const typed of ["../plans/hi", "plans/hi", "hi"]) expect(select(typed, "src")).toBe("hi");
  for (const typed of [".", "plan.md", "./tasks/../plan.md"]) expect(select(typed, "plans/hi")).toBe("hi");
  for (const typed of ["hi/", "one.md", "./one.md"]) expect(select(typed, "plans")).toMatch(/^(hi|one)$/);
  const link = join(tempDir(), "link");
  symlinkSync(root, link);
  expect(select(join(link, "plans/hi"))).toBe("hi");
  expect(select("bare")).toBe("bare");
  expect(select("src/hi")).toBe("no plan src/hi. There are: hi, one");
  expect(select("../plans/hi")).toBe("no plan ../plans/hi. There are: hi, one");
});

test("plans that a sparse checkout leaves out are said to be, with how to get them; others are not", async () => {
  const { project, root } = await projectWith({
    "plans/hi/plan.md": "",
    "plans/one.md": "",
    ".stint/rules.md": "",
    "src/a.ts": "",
  });
  const find = async (typed?: string) => {
    const found = await findPlan(project.repo, typed, root);
    return found.ok ? found.value : found.failure.message;
  };
  expect(await find()).toBe("hi");
  sh(root, "sparse-checkout", "set", "src");
  const cure =
    "is not in your work tree, which is a sparse checkout. Get it with `git sparse-checkout add plans .stint`.";
  expect(await find()).toBe(`plans/ ${cure}`);
  expect(await find("plans/hi")).toBe(`plans/hi ${cure}`);
  expect(await find("one")).toBe(`plans/one.md ${cure}`);
  expect(await find("other")).toBe("no plan other. plans/ has none.");
  sh(root, "sparse-checkout", "add", "plans", ".stint");
  expect(await find()).toBe("hi");
  expect(await find("other")).toBe("no plan other. There are: hi");
  sh(root, "sparse-checkout", "disable");
  sh(root, "update-index", "--skip-worktree", "plans/one.md");
  rmSync(join(root, "plans/one.md"));
  expect(await find("one")).toBe("no plan one. There are: hi");
});

test("a folder whose name no plan can have is one refusal, named or not", () => {
  const root = tempDir();
  write(root, { "plans/Bad_Name/plan.md": "" });
  const refusal = {
    reason: "no-plan",
    message:
      'plans/Bad_Name cannot be a plan by that name: use 1 to 64 characters from a-z, 0-9 and "-", starting with a letter or digit. Rename it.',
  };
  expect(selectPlan(root, "plans/Bad_Name")).toEqual({ ok: false, failure: refusal });
  expect(selectPlan(root, undefined)).toEqual({ ok: false, failure: refusal });
});

test("what is kept beside plans is no plan, and is not proposed", () => {
  const root = tempDir();
  write(root, { "plans/a/plan.md": "", "plans/_archive/old/plan.md": "", "plans/drafts/notes.txt": "" });
  const select = (typed?: string) => {
    const found = selectPlan(root, typed);
    return found.ok ? found.value : found.failure.message;
  };
  expect(select()).toBe("a");
  expect(select("plans/_archive")).toContain("plans/_archive cannot be a plan by that name");
  expect(select("drafts")).toBe("plans/drafts is no plan: it has no plan.md. There are: a");
  write(root, { "plans/b/tasks/01-a.md": "" });
  expect(select()).toBe("which plan? Name one of: a, b");
  expect(select("b")).toBe("b");
});

test("an empty folder is the plan that is meant where there is no other, and a file named plans is said", () => {
  const root = tempDir();
  mkdirSync(join(root, "plans/empty"), { recursive: true });
  expect(selectPlan(root, undefined)).toEqual({ ok: true, value: "empty" });
  expect(selectPlan(root, "empty")).toEqual({ ok: true, value: "empty" });
  const other = tempDir();
  write(other, { plans: "" });
  const message = "plans is a file, and plans are kept in a folder of that name. Rename the file.";
  for (const typed of [undefined, "a"])
    expect(selectPlan(other, typed)).toEqual({ ok: false, failure: { reason: "no-plan", message } });
});

test("of many plans, the nearest is named", () => {
  const root = tempDir();
  for (const name of ["invoices", ...Array.from("abcdefgh")]) write(root, { [`plans/${name}/plan.md`]: "" });
  const unknown = selectPlan(root, "plans/invoces");
  expect(unknown.ok ? "" : unknown.failure.message).toBe("no plan plans/invoces. Did you mean invoices?");
});

test("a mount below ~ is in the user's home, also where HOME is not set", async (test) => {
  const { project } = await projectWith({ "a.txt": "a" });
  const workspace = { ...defaultConfig.workspace, mounts: [{ path: "~/no-such-folder", writable: false }] };
  const found = async (HOME: string | undefined) => {
    const env = { PATH: process.env["PATH"], ...(HOME === undefined ? {} : { HOME }) };
    const sandbox = await findProjectSandbox({ ...project, env }, { ...defaultConfig, workspace });
    return sandbox.ok ? sandbox.value.word : sandbox.failure.message;
  };
  const whyNone = await found("/none");
  test.skip(whyNone.startsWith("Sandbox: none"), "bwrap is not installed");
  expect(whyNone).toContain("workspace.mounts names /none/no-such-folder, which does not exist.");
  expect(await found(undefined)).toContain(
    `workspace.mounts names ${join(systemUser().home ?? "/", "no-such-folder")}, `,
  );
});

test("where no plan is found, files that could be one by their names are said to be none, with the reason", () => {
  const root = tempDir();
  const none = 'no plan: draft one with stint plan "<goal>", or write one yourself: stint new <name>';
  const select = () => {
    const found = selectPlan(root, undefined);
    return found.ok ? found.value : found.failure.message;
  };
  write(root, { "plans/README.md": "Notes.\n", "plans/notes.txt": "" });
  expect(select()).toBe(none);
  write(root, { "plans/bare.md": "## [ ] 01-a A\n", "plans/empty.md": "" });
  writeFileSync(join(root, "plans/wide.md"), Buffer.from("\uFEFF---\nstint: 1\n---\n", "utf16le"));
  const bare = 'plans/bare.md is not a plan: its front matter has no "stint: 1"';
  const others = "plans/empty.md is not a plan: it is empty. plans/wide.md is not a plan: it is not UTF-8 text";
  expect(select()).toBe(`${none}. ${bare}. ${others}`);
  write(root, { "plans/yet.md": "---\ntitle: x\n---\n" });
  expect(select()).toBe(`${none}. ${bare}. ${others}. The folder has 1 more file like this`);
  write(root, { "plans/real.md": "---\nstint: 1\n---\n" });
  expect(select()).toBe("real");
});
