import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy } from "../rig/rig.ts";
import { taken } from "../rig/taken.ts";

test("kill -9 of the driver while a task is taken: workspace and editor stay, submit works without a driver, resume does the rest.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  const path = await taken(rig, "02-b");
  const editor = spawn("sleep", ["1000"], { cwd: path, detached: true, stdio: "ignore" });
  writeFileSync(join(path, "b.txt"), "ready\n");
  await run.kill("SIGKILL");

  expectCode(await rig.stint(["submit", "02-b"]), 0);
  expect(commitsOf(rig)).toEqual(["02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  expectCode(await rig.stint(["resume"]), 0);

  expect(editor.exitCode ?? editor.signalCode).toBe(null);
  editor.kill();
  await once(editor, "exit");
  expect(commitsOf(rig)).toEqual(["02-b", "01-a"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "01-a 2"]);
  expect(rig.processes()).toEqual([]);
});

test("submit of the last task that turns another's check red ends with 4; taken again, it is mended by hand.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt", { checks: ["grep -q ready a.txt && test ! -e spoiler.txt"] }),
        "02-b": makes("b.txt", { files: { create: ["b.txt", "spoiler.txt"] } }),
      },
    },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes", "--task", "01-a"]), 0);
  const path = await taken(rig, "02-b");
  for (const file of ["b.txt", "spoiler.txt"]) writeFileSync(join(path, file), "ready\n");

  const submitted = await rig.stint(["submit", "02-b"]);

  expectCode(submitted, 4);
  expect(submitted.stderr).toContain(
    "task 02-b is integrated, but these checks of the plan fail with it: grep -q ready a.txt",
  );
  expect(rig.events("parked").at(-1)).toMatchObject({ reason: "final-red" });
  const again = await taken(rig, "02-b");
  rmSync(join(again, "spoiler.txt"));
  expectCode(await rig.stint(["submit", "02-b"]), 0);
  expect(rig.events("run-finished")).toMatchObject([{ outcome: "done" }]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "02-b"]);
});

test("kill -9 of submit while checks run: submit again finishes it, and what was changed since stays with its person.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", {
          checks: [`grep -q ready a.txt && { test -e '${outside}/open' || ${heldBy("never", outside)}; }`],
        }),
      },
    }),
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const path = await taken(rig, "01-a");
  writeFileSync(join(path, "a.txt"), "ready\n");
  const submit = rig.start(["submit", "01-a"]);
  await submit.waitForHold("never");
  writeFileSync(join(path, "a.txt"), "ready, and more\n");
  await submit.kill("SIGKILL");
  rig.release("open");

  expectCode(await rig.stint(["submit", "01-a"]), 0);

  expect(rig.git("show", "stint/work:a.txt")).toBe("ready");
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("ready, and more\n");
  const { run = "" } = rig.events("run-started")[0] as { run?: string };
  expect(rig.controlGit("show", `refs/stint/rescue/${run}/01-a/1:a.txt`)).toBe("ready, and more");
  expect(rig.processes()).toEqual([]);
});

test("kill -9 of take while the baseline runs: take again gives the workspace.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", {
          checks: [`{ test -e '${outside}/open' || ${heldBy("never", outside)}; }; grep -q ready a.txt`],
        }),
      },
    }),
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const take = rig.start(["take", "01-a"]);
  await take.waitForHold("never");
  await take.kill("SIGKILL");
  rig.release("open");

  const path = await taken(rig, "01-a");

  expect(rig.processes()).toEqual([]);
  writeFileSync(join(path, "a.txt"), "ready\n");
  expectCode(await rig.stint(["submit", "01-a"]), 0);
  expect(rig.events("attempt-started")).toHaveLength(1);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A task whose agent died with its driver can be taken; what the agent left is saved.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": [{ write: "a.txt", text: "half\n" }, { hold: "never" }] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await run.kill("SIGKILL");

  const path = await taken(rig, "01-a");

  expect(rig.processes()).toEqual([]);
  expect(rig.controlGit("show", `${rig.events("work-rescued", "01-a")[0]?.["ref"] as string}:a.txt`)).toBe("half");
  expect(existsSync(join(path, "a.txt"))).toBe(false);
});

test("While a driver works, take and submit go through it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": [{ hold: "go" }, ...writes("a.txt")] },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");
  const path = await taken(rig, "02-b");
  const early = await rig.stint(["take", "01-a"]);
  expectCode(early, 2);
  expect(early.stderr).toContain("task 01-a is running");
  writeFileSync(join(path, "b.txt"), "ready\n");
  const handedIn = await rig.stint(["submit", "02-b"]);
  expectCode(handedIn, 0);
  rig.release("go");

  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["02-b", "01-a"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
});

test("In a paused run a task is taken at once and its workspace given when the run resumes; run says how.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": { 1: [{ hold: "never" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await rig.stint(["pause"]), 0);

  const take = await rig.stint(["take", "02-b"]);
  expectCode(take, 3);
  expect(take.stderr).toContain("task 02-b is yours, but run ");
  const second = await rig.stint(["run"]);
  expectCode(second, 1);
  expect(second.stderr).toContain(`is paused in process ${run.pid}. Resume it there with \`stint resume `);
  expectCode(await rig.stint(["resume"]), 0);
  expectCode(await run.ended, 3);

  writeFileSync(join(await taken(rig, "02-b"), "b.txt"), "ready\n");
  const submit = await rig.stint(["submit", "02-b"]);
  expectCode(submit, 0);
  expect(submit.stdout).toContain("is finished (done).");
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("What landed meanwhile and touches the same lines is a conflict: a fresh workspace takes the work along.", async () => {
  await using rig = await createRig({
    files: { "list.txt": "one\n" },
    plan: {
      tasks: {
        "01-a": { files: { modify: ["list.txt"] }, checks: ["grep -q alpha list.txt"] },
        "02-b": { files: { modify: ["list.txt"] }, checks: ["grep -q beta list.txt"] },
      },
    },
  });
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  const [a, b] = [await taken(rig, "01-a"), await taken(rig, "02-b")];
  writeFileSync(join(a, "list.txt"), "alpha\n");
  writeFileSync(join(b, "list.txt"), "beta\n");
  expectCode(await rig.stint(["submit", "01-a"]), 0);

  const conflict = await rig.stint(["submit", "02-b"]);

  expectCode(conflict, 3);
  const [cherryPick = ""] = /git (cherry-pick --no-commit \w+)/.exec(conflict.stderr)?.slice(1) ?? [];
  const again = await taken(rig, "02-b");
  expect(again).not.toBe(b);
  expect(existsSync(b)).toBe(true);
  // Git stops at the lines that both changed, with both versions in the file.
  expect(() => rig.git("-C", again, ...cherryPick.split(" "))).toThrow();
  expect(readFileSync(join(again, "list.txt"), "utf8")).toMatch(/^<<<<<<< HEAD\nalpha\n=======\nbeta\n>>>>>>> /);
  writeFileSync(join(again, "list.txt"), "alpha\nbeta\n");
  expectCode(await rig.stint(["submit", "02-b"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("What cannot be taken or submitted is refused with the reason; a task given back is an agent's again.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt"),
        "02-b": makes("b.txt", { depends: ["01-a"] }),
        "03-c": { files: { create: ["c.txt"] }, checks: ["test -f README.md"] },
      },
    },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
  });
  const refusals: [readonly string[], number, string][] = [
    [["take", "01-a"], 3, "plan work is not approved"],
    [["submit", "01-a"], 2, "there is no unfinished run"],
  ];
  for (const [args, code, why] of refusals) {
    const ended = await rig.stint(args);
    expectCode(ended, code);
    expect(ended.stderr).toContain(why);
  }
  expectCode(await rig.stint(["approve", "--yes"]), 0);
  expect((await rig.stint(["take", "01-aa"])).stderr).toContain('unknown task "01-aa"; did you mean "01-a"?');
  expect((await rig.stint(["take", "02-b"])).stderr).toContain("task 02-b waits for 01-a");
  expect(rig.journal()).toEqual([]);
  const satisfied = await rig.stint(["take", "03-c"]);
  expectCode(satisfied, 3);
  expect(satisfied.stderr).toContain("task 03-c is already done");
  const path = await taken(rig, "01-a");
  writeFileSync(join(path, "a.txt"), "half\n");
  const waiting = await rig.stint(["run"]);
  expectCode(waiting, 3);
  expect(waiting.stderr).toContain("stint submit");

  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  expectCode(await rig.stint(["resume"]), 3);
  expect(rig.controlGit("show", `${rig.events("work-rescued", "01-a")[0]?.["ref"] as string}:a.txt`)).toBe("half");
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});
