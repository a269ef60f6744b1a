import { expect, test } from "vitest";
import { expectCode } from "../../rig/facts.ts";
import { makes, plan } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test.each([
  ["an unknown command", ["explode"]],
  ["an unknown option", ["run", "--explode"]],
  ["a number that is none", ["run", "--budget-usd", "much"]],
  ["a plan that does not exist", ["run", "nowhere"]],
])("Bad usage ends with 2: %s.", async (_, args) => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });

  const run = await rig.stint(args);

  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).not.toBe("");
  expect(run.stderr).not.toContain("    at ");
});

test("With two plans and none named, run ends with 2 and lists them.", async () => {
  await using rig = await createRig({
    plan: { name: "first", tasks: { "01-a": makes("a.txt") } },
    files: plan({ name: "second", tasks: { "01-b": makes("b.txt") } }),
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 2);
  expect(run.stderr).toContain("first");
  expect(run.stderr).toContain("second");
  expect(rig.journal()).toEqual([]);
});

test("Without any plan, run ends with 2.", async () => {
  await using rig = await createRig();

  expectCode(await rig.stint(["run"]), 2);
});

test.each(["run", "lint", "status", "approve"])("Outside a git repo, %s ends with 1 and says so.", async (command) => {
  await using rig = await createRig();

  const run = await rig.stint([command], { cwd: rig.outside });

  expectCode(run, 1);
  expect(run.stderr).toMatch(/git repo/);
  expect(run.stderr).not.toContain("    at ");
});

test("Help is printed on standard output with 0, for the program and for a command.", async () => {
  await using rig = await createRig();

  for (const args of [["--help"], ["run", "--help"]]) {
    const help = await rig.stint(args, { cwd: rig.outside });
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("Usage: stint");
  }
});
