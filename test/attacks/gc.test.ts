import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { foldersOf, leave } from "../rig/scratch.ts";

async function finishedRun(): Promise<Rig> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  return rig;
}

/** What must survive: a folder of somebody else's that looks like a workspace, a room, or anything. */
function victim(rig: Rig): string {
  const dir = join(rig.root, "victim");
  leave(dir, { "01-a.1/tree/thesis.txt": "ten years", "tree/thesis.txt": "ten years", "thesis.txt": "ten years" });
  return dir;
}

const places = {
  "the run's folder": (rig: Rig) => foldersOf(rig).scratch,
  "the folder of workspaces": (rig: Rig) => foldersOf(rig).workspaces,
  "the folder of rooms": (rig: Rig) => foldersOf(rig).rooms,
  "a workspace": (rig: Rig) => foldersOf(rig).workspace({ task: "01-a", attempt: 1 }),
  "the tree in a workspace": (rig: Rig) => join(foldersOf(rig).workspace({ task: "01-a", attempt: 1 }), "tree"),
};

test.each(Object.entries(places))("A link in the place of %s lets gc delete nothing behind it.", async (_, placeOf) => {
  await using rig = await finishedRun();
  const dir = victim(rig);
  const place = placeOf(rig);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, ".."), { recursive: true });
  symlinkSync(dir, place);
  const before = execFileSync("find", [dir, "-ls"], { encoding: "utf8" });

  const collected = await rig.stint(["gc", "--rescued"]);

  expectCode(collected, 0);
  expect(execFileSync("find", [dir, "-ls"], { encoding: "utf8" })).toBe(before);
  expect(lstatSync(place).isSymbolicLink()).toBe(true);
  expect(collected.stdout).toContain("kept: ");
  // The control: deleting what lies below the link by its path does reach the victim.
  cpSync(dir, `${dir}.copy`, { recursive: true });
  rmSync(place);
  symlinkSync(`${dir}.copy`, place);
  execFileSync("sh", ["-c", 'rm -rf -- "$0"/*', place]);
  expect(existsSync(join(`${dir}.copy`, "thesis.txt"))).toBe(false);
});

test("A process that works behind a link in the place of the rooms is not ended; one in a real room is.", async () => {
  await using rig = await finishedRun();
  const { rooms } = foldersOf(rig);
  const dir = victim(rig);
  rmSync(rooms, { recursive: true, force: true });
  symlinkSync(dir, rooms);
  const child = spawn("sleep", ["1000"], { cwd: dir, stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  expectCode(await rig.stint(["gc"]), 0);
  expect(child.exitCode ?? child.signalCode).toBe(null);

  rmSync(rooms);
  renameSync(dir, rooms);
  expectCode(await rig.stint(["gc"]), 0);
  expect(await ended).toBe("SIGKILL");
  expect(existsSync(rooms)).toBe(false);
});

test("Links, pipes, odd names and folders without permission inside go, and what links lead to stays.", async () => {
  await using rig = await finishedRun();
  const dir = victim(rig);
  const { run, rooms, workspaces, workspace } = foldersOf(rig);
  const tree = join(workspace({ task: "01-a", attempt: 1 }), "tree");
  const odd = `ln -s '${dir}' out; ln -s '${dir}/thesis.txt' file; touch "$(printf 'a\\377b')"`;
  for (const [folder, more] of [
    [join(rooms, "r"), "mkdir locked; touch locked/x; chmod 0 locked; mkfifo pipe"],
    [tree, "mkfifo ../../pipe"],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    execFileSync("sh", ["-c", `${odd}; ${more}`], { cwd: folder });
  }

  const collected = await rig.stint(["gc"]);

  expectCode(collected, 0);
  expect([rooms, tree].map((path) => existsSync(path))).toEqual([false, false]);
  expect(readFileSync(join(dir, "thesis.txt"), "utf8")).toBe("ten years");
  expect(collected.stdout).toContain(`kept: ${join(workspaces, "pipe")}: it is not a folder`);
  expect(rig.controlGit("show", `refs/stint/rescue/${run}/01-a/1-2:out`)).toBe(dir);
});
