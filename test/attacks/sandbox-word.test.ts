import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const task = {
  plan: { tasks: { "01-a": makes("a.txt") } },
  moves: { "01-a": writes("a.txt") },
};

/** A PATH with every program of this machine but bwrap. */
function pathWithoutBwrap(rig: Rig): string {
  const folder = join(rig.root, "tools");
  mkdirSync(folder);
  const known = new Set(["bwrap"]);
  for (const from of (process.env["PATH"] ?? "").split(":").concat("/usr/bin", "/bin")) {
    for (const name of namesIn(from).filter((candidate) => !known.has(candidate))) {
      known.add(name);
      symlinkSync(join(from, name), join(folder, name));
    }
  }
  return folder;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const missing = "bwrap is not installed; install bubblewrap with apt, dnf, pacman or zypper";
const free = `Sandbox: none (${missing}); agents and checks run with your file system and network.`;

test("Without bwrap, auto runs the plan, and both run and check say what is missing.", async () => {
  await using rig = await createRig({ ...task, config: { run: { sandbox: "auto" } } });
  const env = { PATH: pathWithoutBwrap(rig) };

  const check = await rig.stint(["check"], { env });
  expectCode(check, 0);
  expect(check.stderr).toBe(`${free}\n`);
  const run = await rig.stint(["run", "--yes"], { env });
  expectCode(run, 0);
  expect(run.stderr).toContain(`One agent at a time. ${free}\n`);
});

test("Without bwrap, a plan that wants it is refused with the cure, and nothing is run.", async () => {
  await using rig = await createRig({ ...task, config: { run: { sandbox: "bwrap" } } });
  const env = { PATH: pathWithoutBwrap(rig) };
  const why = `stint: run.sandbox is bwrap, but ${missing}. Or set run.sandbox to auto or none.\n`;

  for (const args of [["check"], ["run", "--yes"]]) {
    const refused = await rig.stint(args, { env });
    expectCode(refused, 1);
    expect(refused.stderr).toBe(why);
  }
  expect(sessionsOf(rig)).toEqual([]);
});

test.skipIf(!canConfine)("Mounts are shown at approval; one that does not exist is refused.", async () => {
  await using rig = await createRig({
    ...task,
    config: { run: { sandbox: "bwrap" }, workspace: { mounts: ["~/data", "/gone:rw"] } },
  });
  const approve = await rig.stint(["approve", "--yes"]);
  expect(approve.stdout).toContain("Agents and checks may read: ~/data\nAgents and checks may change: /gone\n");
  expect(approve.stdout).not.toContain("Sandbox: none");
  const refused = await rig.stint(["run", "--yes"]);
  expectCode(refused, 2);
  const path = join(rig.root, "home", "data");
  expect(refused.stderr).toBe(
    `stint: workspace.mounts names ${path}, which does not exist. Create it, or remove it from workspace.mounts.\n`,
  );
});
