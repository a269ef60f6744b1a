import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes, type Move } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { foldersOf, leave } from "../rig/scratch.ts";

async function oneTask(moves: readonly Move[]): Promise<Rig> {
  return createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": moves },
    config: { run: { attempts: 1 } },
  });
}

function rescueRefs(rig: Rig): string[] {
  return rig
    .controlGit("for-each-ref", "--format=%(refname:lstrip=4)", "refs/stint/rescue")
    .split("\n")
    .filter(Boolean);
}

test("What a finished run left behind goes, and what nobody had saved of it is saved first.", async () => {
  await using rig = await oneTask(writes("a.txt"));
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const { run, dir: runDir, workspace, rooms, judges, scratch } = foldersOf(rig);
  const dir = workspace({ task: "01-a", attempt: 1 });
  leave(runDir, { checkpoint: "x", ".checkpoint.0a1b.tmp": "x" });
  leave(judges, { "01-a.1.1/tree/x": "x" });
  leave(join(dir, "tree"), { "a.txt": "ready\n", "unsaved.txt": "an idea\n" });
  leave(rooms, { "r/tree/x": "x" });
  leave(dirname(scratch), { "not-a-run/x": "x" });

  const dry = await rig.stint(["gc", "--dry-run"]);
  expectCode(dry, 0);
  expect(dry.stdout).toContain("Nothing was removed; this would free");
  expect(existsSync(join(dir, "tree/unsaved.txt")) && existsSync(rooms)).toBe(true);
  expect(rescueRefs(rig)).toEqual(["01-a/1"]);

  const collected = await rig.stint(["gc"]);
  expectCode(collected, 0);
  expect(collected.stdout).toContain(`run work#1: finished`);
  expect(collected.stdout).toContain(`saved: refs/stint/rescue/${run}/01-a/1-2`);
  expect(existsSync(scratch)).toBe(false);
  expect(readdirSync(runDir).filter((name) => name.includes("checkpoint"))).toEqual([]);
  expect(rig.controlGit("show", `refs/stint/rescue/${run}/01-a/1-2:unsaved.txt`)).toBe("an idea");
  expect(readFileSync(join(dirname(scratch), "not-a-run/x"), "utf8")).toBe("x");
  expect((await rig.stint(["gc"])).stdout).toContain("Freed 0 B.");
});

test("A workspace that was refused goes once all of it is saved, and stays where git cannot save it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-link": makes("a.txt"), "02-nested": makes("b.txt") } },
    moves: {
      "01-link": [...writes("a.txt"), { shell: "ln -s /etc/hostname link" }],
      "02-nested": [...writes("b.txt"), { shell: "mkdir sub && cd sub && git init -q && echo kept > precious.txt" }],
    },
    config: { run: { attempts: 1 } },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  const { workspace } = foldersOf(rig);
  const [linked, nested] = ["01-link", "02-nested"].map((task) => workspace({ task, attempt: 1 }));
  expect([existsSync(String(linked)), existsSync(String(nested))]).toEqual([true, true]);

  const collected = await rig.stint(["gc", "--rescued"]);
  expectCode(collected, 0);
  expect(existsSync(String(linked))).toBe(false);
  expect(readFileSync(join(String(nested), "tree/sub/precious.txt"), "utf8")).toBe("kept\n");
  expect(collected.stdout).toContain(`kept: ${nested}: git cannot save part of it (sub`);
  expect(collected.stdout).toContain(`run work#1: unfinished (waiting: blocked: 01-link, 02-nested)`);
  expect(collected.stdout).toContain(`resume it: stint resume work#1`);
  expect(rescueRefs(rig)).toEqual(["01-link/1", "02-nested/1"]);
});

test("A run that is being driven is skipped and named; its work continues undisturbed.", async () => {
  await using rig = await oneTask([{ hold: "go" }, ...writes("a.txt")]);
  const driver = rig.start(["run", "--yes"]);
  await driver.waitForHold("go");

  const collected = await rig.stint(["gc", "--rescued"]);
  expectCode(collected, 0);
  expect(collected.stdout).toContain("skipped: in progress");
  expect(collected.stdout).toContain(`process ${driver.pid}`);

  rig.release("go");
  expectCode(await driver.ended, 0);
});

test("Saved work of finished runs goes only when asked for, with its objects; results of set-up go when they are old.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { "1": [{ write: "b.txt", text: "out of scope" }], "*": writes("a.txt") } },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  const cache = join(dirname(foldersOf(rig).scratch), "set-up");
  const [old, young] = ["a", "b"].map((letter) => join(cache, letter.repeat(64)));
  leave(String(old), { "files/x": "x" });
  leave(String(young), { "files/x": "x" });
  utimesSync(String(old), 0, 0);
  const saved = rig.controlGit("for-each-ref", "--format=%(refname)", "refs/stint/rescue/*/01-a/1");
  const blob = rig.controlGit("rev-parse", `${saved}:b.txt`);
  const objects = join(rig.gitDir, "stint/control.git/objects");
  const file = join(objects, blob.slice(0, 2), blob.slice(2));
  for (const name of readdirSync(objects, { recursive: true, encoding: "utf8" })) utimesSync(join(objects, name), 0, 0);

  expect((await rig.stint(["gc"])).stdout).toContain("rescue refs: 2 (saved work of attempts); `stint gc --rescued`");
  expect(rescueRefs(rig)).toEqual(["01-a/1", "01-a/2"]);
  expect([existsSync(String(old)), existsSync(String(young)), existsSync(file)]).toEqual([false, true, true]);

  const json = await rig.stint(["gc", "--rescued", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    runs: [{ state: "finished", rescued: { refs: 2, removed: 2 }, kept: [], failed: [] }],
    control: { unpruned: null },
  });
  expect(rescueRefs(rig)).toEqual([]);
  expect(existsSync(file)).toBe(false);
  expect(rig.controlGit("fsck", "--connectivity-only")).toBe("");
});
