import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

/** Green with either file alone, red where both forbid each other. */
const notBoth = "! (grep -qs loud a.txt && grep -qs loud b.txt)";

test("Green alone and red together is a conflict: a free attempt on the new tip, told with whom.", async () => {
  await using rig = await createRig({
    config: { run: { parallel: 2, attempts: 1, sandbox: "none" } },
    rules: { checks: [notBoth] },
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: {
      "01-a": [{ hold: "a" }, { write: "a.txt", text: "ready loud\n" }],
      "02-b": {
        1: [{ hold: "b" }, { write: "b.txt", text: "ready loud\n" }],
        2: [{ save: "second" }, { shell: "test -e a.txt" }, ...writes("b.txt")],
      },
    },
  });

  const run = rig.start(["run", "--yes"]);
  await Promise.all([run.waitForHold("a"), run.waitForHold("b")]);
  rig.release("a");
  const landed = await run.waitForEvent("task-integrated", (event) => event.task === "01-a");
  rig.release("b");

  const ended = await run.ended;
  expectCode(ended, 0);
  const why = `green alone, red together with the work of 01-a: red: ${notBoth} (exit 1)`;
  expect(rig.events("verdict", "02-b")).toMatchObject([
    { result: "conflict", why, with: ["01-a"], tip: landed["commit"] },
    { result: "passed" },
  ]);
  expect(ended.stdout).toContain(`02-b #1 conflicts with 01-a: ${why}`);
  expect(rig.events("attempt-started", "02-b")).toMatchObject([{}, { base: landed["commit"] }]);
  expect(rig.saved("second").prompt).toContain(why);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
});

test("Lines that cannot be merged are a conflict that names the file and who changed it; the next attempt builds on both.", async () => {
  const shared = { write: "list.txt", text: "one\nfrom b\n" };
  const report = { report: { status: "done", need_files: ["list.txt"] } };
  await using rig = await createRig({
    files: { "list.txt": "one\n" },
    // Only a file that was asked for after the start is not known to the scheduler.
    config: { run: { parallel: 2, attempts: 1, sandbox: "none", scope_requests: "grant" } },
    plan: {
      tasks: {
        "01-a": { files: { modify: ["list.txt"] }, checks: ["grep -q 'from a' list.txt"] },
        "02-b": makes("b.txt"),
      },
    },
    moves: {
      "01-a": [{ hold: "a" }, { write: "list.txt", text: "one\nfrom a\n" }],
      "02-b": {
        1: [{ hold: "b" }, ...writes("b.txt"), shared, report],
        2: [{ save: "second" }, ...writes("b.txt"), { append: "list.txt", text: "from b\n" }],
      },
    },
  });

  const run = rig.start(["run", "--yes"]);
  await Promise.all([run.waitForHold("a"), run.waitForHold("b")]);
  rig.release("a");
  await run.waitForEvent("task-integrated", (event) => event.task === "01-a");
  rig.release("b");

  expectCode(await run.ended, 0);
  const why = "01-a changed the same lines of list.txt meanwhile";
  expect(rig.events("verdict", "02-b")).toMatchObject([
    { result: "conflict", why, with: ["01-a"] },
    { result: "passed", checks: [{}, { label: "grep -q 'from a' list.txt", of: "01-a" }] },
  ]);
  expect(rig.saved("second").prompt).toContain(why);
  expect(rig.git("show", "stint/work:list.txt")).toBe("one\nfrom a\nfrom b");
});

test("A candidate is verified ahead on the one in front; when that one falls, it starts anew and leaves nothing behind.", async () => {
  await using rig = await createRig({
    config: { run: { parallel: 2, attempts: 1, sandbox: "none" } },
    plan: (outside) => ({
      tasks: {
        // The check of the first waits until the second one's runs on top of it.
        "01-a": makes("a.txt", {
          checks: [`test -e a.txt || exit 1; ${waitFor("b-runs", outside)}; grep -q ready a.txt`],
        }),
        "02-b": makes("b.txt", {
          checks: [
            `test -e b.txt || exit 1; touch ${outside}/b-runs; test -e a.txt && sleep 1000; grep -q ready b.txt`,
          ],
        }),
      },
    }),
    moves: {
      "01-a": [{ write: "a.txt", text: "not so\n" }],
      "02-b": [{ hold: "b" }, ...writes("b.txt")],
    },
  });

  const run = rig.start(["run", "--yes"]);
  await run.waitForEvent("placed", (event) => event.task === "01-a");
  await run.waitForHold("b");
  rig.release("b");

  expectCode(await run.ended, 3);
  const [first, ...more] = rig.events("placed", "02-b");
  expect(first).toMatchObject({ tip: rig.events("placed", "01-a")[0]?.["commit"] });
  expect(more).toMatchObject([{ tip: rig.git("rev-parse", "main") }]);
  expect(rig.events("verdict", "02-b")).toMatchObject([{ result: "passed", tip: rig.git("rev-parse", "main") }]);
  expect(commitsOf(rig)).toEqual(["02-b"]);
  expect(rig.processes()).toEqual([]);
  const rooms = readdirSync(join(rig.root, "state", "stint"), { recursive: true, encoding: "utf8" });
  expect(rooms.filter((path) => /\/rooms\/[^/]+$/.test(path))).toEqual([]);
});

function waitFor(name: string, outside: string): string {
  return `until test -e ${outside}/${name}; do sleep 0.05; done`;
}
