import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf, verdictsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { taken } from "../rig/taken.ts";

test("A person does the first task by hand before any agent runs: refused, mended in the same workspace, integrated; agents do the rest.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "02-b": writes("b.txt") },
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const path = await taken(rig, "01-a");
  const editor = spawn("sleep", ["1000"], { cwd: path, detached: true, stdio: "ignore" });
  writeFileSync(join(path, "a.txt"), "not yet\n");

  const refused = await rig.stint(["submit", "01-a"]);

  expectCode(refused, 3);
  expect(refused.stdout).toContain("red: grep -q ready a.txt");
  expect(refused.stderr).toContain(`Fix it in ${path}, then \`stint submit 01-a\` again.`);
  expect(await taken(rig, "01-a")).toBe(path);

  for (const command of [["submit", "01-a"], ["status"]]) {
    const there = await rig.stint(command, { cwd: path });
    expectCode(there, 1);
    expect(there.stderr).toContain(`${path} is one of Stint's workspaces, not your checkout`);
  }

  writeFileSync(join(path, "a.txt"), "ready\n");
  rig.git("-C", path, "add", "a.txt");
  rig.git("-C", path, "commit", "--quiet", "-m", "mine");
  expectCode(await rig.stint(["submit", "01-a"]), 0);

  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(verdictsOf(rig, "01-a").map(({ result }) => result)).toEqual(["failed", "passed"]);
  expect(existsSync(path)).toBe(false);
  expect(editor.exitCode ?? editor.signalCode).toBe(null);
  editor.kill();
  await once(editor, "exit");
  expect(sessionsOf(rig)).toEqual([]);
  expectCode(await rig.stint(["submit", "01-a"]), 2);
  expectCode(await rig.stint(["resume"]), 0);
  expect(sessionsOf(rig)).toEqual(["02-b 1"]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});
