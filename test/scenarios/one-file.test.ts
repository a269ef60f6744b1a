import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, pathsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes, oneFile } from "../rig/plan.ts";
import { content, createReplanRig, drafts, infeasible } from "../rig/replanning.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const two = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) };
const easier = { ...two, "02-b": makes("b.txt", { depends: ["01-a"], goal: "Write ready, and nothing else." }) };

const listOf = async (rig: Rig) =>
  JSON.parse((await rig.stint(["list", "--json"])).stdout) as { plan: string; state: string; next: string | null }[];

test("A plan of one file goes from `stint new` to merged commits, over a kill -9, and only its headings are ticked.", async () => {
  await using rig = await createRig({
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], "*": [...writes("b.txt"), { save: "b" }] } },
  });
  const file = join(rig.repo, "plans/hi.md");
  expectCode(await rig.stint(["new", "hi"]), 0);
  const gaps = await rig.stint(["lint"]);
  expectCode(gaps, 2);
  expect(gaps.stdout.match(/^plans\/hi\.md:\d+:1: (?:error|warning): .*$/gm)).toHaveLength(4);
  expect(await listOf(rig)).toMatchObject([{ plan: "hi", state: "errors", next: "stint lint hi" }]);

  const section = (id: string, out: string, more = "") =>
    `## [ ] ${id} Write ${out}\n\n\`\`\`yaml\nfiles: { create: [${out}] }\nchecks: [grep -q ready ${out}]\n${more}\`\`\`\n\n### Goal\n\n${out} says ready.\n\n`;
  const scaffold = readFileSync(file, "utf8");
  const written = `${scaffold.slice(0, scaffold.indexOf("## [ ]"))}${section("01-a", "a.txt")}${section("02-b", "b.txt", "depends: [01-a]\n")}`;
  writeFileSync(file, written);
  expectCode(await rig.stint(["lint", "plans/hi.md"]), 0);
  const checked = await rig.stint(["check", "plans/hi"]);
  expectCode(checked, 0);
  expect(checked.stdout).toContain("2 checks: 2 red");
  expectCode(await rig.stint(["run", "./plans/hi.md"]), 3);
  rig.write("notes.txt", "not part of it\n");
  expectCode(await rig.stint(["approve", "plans/hi.md", "--yes"]), 0);
  expect(pathsOf(rig, "HEAD")).toEqual(["plans/hi.md"]);

  const run = rig.start(["run", "plans/hi/"]);
  await run.waitForHold("never");
  expect(await listOf(rig)).toMatchObject([{ state: "running", done: 1, tasks: 2 }]);
  await run.kill("SIGKILL");
  expectCode(await rig.stint(["resume"]), 0);

  expect(commitsOf(rig, "stint/hi")).toEqual(["01-a", "02-b"]);
  expect(pathsOf(rig, "stint/hi~1")).toEqual(["a.txt", "plans/hi.md"]);
  expect(rig.git("show", "stint/hi~1:plans/hi.md")).toBe(written.replace("[ ] 01-a", "[x] 01-a").trimEnd());
  expect(rig.git("show", "stint/hi:plans/hi.md")).toBe(written.replaceAll("[ ] 0", "[x] 0").trimEnd());
  expect(readFileSync(file, "utf8")).toBe(written);
  expect(rig.saved("b").prompt).toContain("## Goal\n\nb.txt says ready.");
  expect(await listOf(rig)).toMatchObject([{ state: "done", merged: false, next: "git merge stint/hi" }]);

  rig.git("merge", "--quiet", "stint/hi");
  expect(await listOf(rig)).toMatchObject([{ state: "done", merged: true, next: null }]);
  const again = await rig.stint(["run", "hi"]);
  expectCode(again, 0);
  expect(rig.events("run-started")).toHaveLength(1);

  // Other settings and rules, committed or not, leave what is done and merged as it is.
  const config = ".stint/config.yaml";
  rig.write(config, `${readFileSync(join(rig.repo, config), "utf8")}\n`);
  rig.git("commit", "--quiet", "-am", "Change the settings");
  rig.write(".stint/rules.md", "---\n---\nWork carefully.\n");
  expect((await rig.stint(["list"])).stdout).toBe("hi  done, 2 of 2, merged\n");
  writeFileSync(file, readFileSync(file, "utf8").replace("[x] 02-b", "[ ] 02-b"));
  expect(await listOf(rig)).toMatchObject([{ merged: null }]);
});

test("Files in plans/ that are no plans are named where no plan is found.", async () => {
  await using rig = await createRig();
  rig.write("plans/hi.md", "# My plan\n");
  const why = 'plans/hi.md is not a plan: its front matter has no "stint: 1"';
  const list = await rig.stint(["list"]);
  expectCode(list, 0);
  expect(list.stdout).toMatch(new RegExp(`^No plans yet\\. ${why.replaceAll(".", "\\.")}\\. Write one with`));
  for (const command of ["lint", "check", "run", "approve"]) {
    const refused = await rig.stint([command]);
    expectCode(refused, 2);
    expect(refused.stderr, command).toContain(`${why}.`.slice(0, command === "check" ? undefined : -1));
  }
});

test("A run that revises a plan of one file keeps what is done, and its branch has the plan as a folder from then on.", async () => {
  await using rig = await createReplanRig({
    files: oneFile({ tasks: two }),
    moves: {
      "01-a": writes("a.txt"),
      "02-b": { 1: [infeasible], "*": writes("b.txt") },
      // What is done it leaves out.
      draft: drafts({ tasks: easier }).filter((move) => !("leave" in move) || move.leave !== "tasks/01-a.md"),
      ...content,
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);

  expect(rig.events("replan-proposed")).toMatchObject([{ changes: [{ id: "02-b", change: "changed" }] }]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  expect(pathsOf(rig, "stint/work~1")).toEqual(["a.txt", "plans/work.md"]);
  expect(pathsOf(rig, "stint/work")).toEqual([
    "b.txt",
    "plans/work.md",
    "plans/work/plan.md",
    "plans/work/scope.md",
    "plans/work/tasks/01-a.md",
    "plans/work/tasks/02-b.md",
  ]);
  expect(rig.git("show", "stint/work:plans/work/plan.md").match(/^- \[.\]/gm)).toEqual(["- [x]", "- [x]"]);
  expect(rig.git("show", "stint/work:plans/work/tasks/02-b.md")).toContain("Write ready, and nothing else.");
  expect(rig.git("status", "--porcelain")).toBe("");
  rig.git("merge", "--quiet", "stint/work");
  expectCode(await rig.stint(["lint"]), 0);
  expectCode(await rig.stint(["run"]), 0);
  expect(rig.events("run-started")).toHaveLength(1);
});

test("`stint plan --revise` writes the revised plan of one file as a folder in its place, unless that would lose edits.", async () => {
  await using rig = await createReplanRig({
    files: oneFile({ tasks: two }),
    moves: { draft: [...drafts({ tasks: easier })], ...content },
  });
  const file = join(rig.repo, "plans/work.md");
  const text = readFileSync(file, "utf8");
  rig.write("plans/work.md", `${text}\nMore.\n`);
  const refused = await rig.stint(["plan", "--revise", "Make it easier", "plans/work.md", "--headless"]);
  expect(refused.stdout + refused.stderr).toContain("plans/work.md");
  expect(readFileSync(file, "utf8")).toBe(`${text}\nMore.\n`);

  rig.git("checkout", "--quiet", "plans/work.md");
  expectCode(await rig.stint(["plan", "--continue", "plans/work.md", "--headless"]), 0);
  expect(existsSync(file)).toBe(false);
  expect(readFileSync(join(rig.repo, "plans/work/tasks/02-b.md"), "utf8")).toContain("Write ready, and nothing else.");
  expectCode(await rig.stint(["lint"]), 0);
});

test("`stint plan split` writes a folder that says the same, also after a kill, and overwrites nothing.", async () => {
  const tasks = { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) };
  await using rig = await createRig({
    files: oneFile({ tasks }),
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
  });
  const shape = (await rig.stint(["lint"])).stdout.replace("plans/work.md", "");

  rig.write("plans/work/tasks/02-b.md", "of the user\n");
  const refused = await rig.stint(["plan", "split"]);
  expectCode(refused, 2);
  expect(refused.stderr).toBe(
    "stint: plans/work/tasks/02-b.md is there and would be lost. Move it away; nothing was written.\n",
  );
  const both = await rig.stint(["lint"]);
  expectCode(both, 2);
  expect(both.stdout).toContain(
    "plans/work.md:1:1: error: plans/work/ is there as well, and only one of them can be the plan: remove the other\n",
  );
  rig.git("clean", "-fdq", "plans");

  expectCode(await rig.stint(["plan", "split", "plans/work.md"]), 0);
  expect(existsSync(join(rig.repo, "plans/work.md"))).toBe(false);
  expect((await rig.stint(["lint"])).stdout.replace("plans/work", "")).toBe(shape);
  expect(rig.git("status", "--porcelain")).toBe(" D plans/work.md\n?? plans/work/");
  // As a kill leaves it: the folder is there in part, and so is the file.
  rig.git("checkout", "--quiet", "plans/work.md");
  rig.git("clean", "-fq", "plans/work/plan.md");
  expectCode(await rig.stint(["plan", "split"]), 0);
  expect(existsSync(join(rig.repo, "plans/work.md"))).toBe(false);
  const twice = await rig.stint(["plan", "split"]);
  expectCode(twice, 2);
  expect(twice.stderr).toBe("stint: plans/work/ is a folder already.\n");
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("A name that no plan has is one message with the plans there are, in every command.", async () => {
  await using rig = await createRig({ files: oneFile({ tasks: { "01-a": makes("a.txt") } }) });
  for (const args of [
    ["lint"],
    ["check"],
    ["approve"],
    ["run"],
    ["run", "--yes"],
    ["plan", "split"],
    ["plan", "--revise", "x"],
  ]) {
    const ended = await rig.stint([...args, "plans/wrok.md"]);
    expectCode(ended, 2);
    expect([ended.stdout, ended.stderr]).toEqual(["", "stint: no plan plans/wrok.md. There are: work\n"]);
  }
});

test("`stint new` refuses a name that is taken or bad, and never a file of the user's; --edit opens what it wrote.", async () => {
  await using rig = await createRig({
    files: { ...oneFile({ tasks: { "01-a": makes("a.txt") } }), "plans/dir/x": "" },
  });
  const told = async (...args: string[]) => {
    const ended = await rig.stint(["new", ...args]);
    expectCode(ended, 2);
    return ended.stderr;
  };
  expect(await told()).toBe("stint: name the plan: stint new add-login\n");
  expect(await told("work")).toBe("stint: plans/work.md exists. Edit it, or choose another name.\n");
  expect(await told("plans/work.md")).toBe("stint: plans/work.md exists. Edit it, or choose another name.\n");
  expect(await told("dir")).toBe("stint: plans/dir exists. Edit it, or choose another name.\n");
  expect(await told("Add login")).toMatch(/cannot be the name of a plan: .* As in: stint new add-login\n$/);
  expect(await told("../x")).toMatch(/cannot be the name of a plan/);
  expect(await told("x", "--edit")).toMatch(/^stint: --edit needs an editor\./);
  expect(rig.git("status", "--porcelain")).toBe("");

  const edited = await rig.stint(["new", "x", "--edit"], { env: { EDITOR: "sed -i s/TODO/Greet/" } });
  expectCode(edited, 0);
  expect(readFileSync(join(rig.repo, "plans/x.md"), "utf8")).toContain("## [ ] 01-first Greet\n");
  const failed = await rig.stint(["new", "y", "--edit"], { env: { EDITOR: "false" } });
  expectCode(failed, 1);
  expect(failed.stderr).toBe("stint: The editor exited with 1; plans/y.md stays.\n");
});
