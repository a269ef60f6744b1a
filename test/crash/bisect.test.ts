import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, heldBy } from "../rig/rig.ts";

/** Red where 02-b's spoiler is; on the commit of 02-b itself, which only the search asks, it hangs until the test opens the way. */
function spoilt(outside: string): string {
  const held = `test -e '${outside}/open' || ${heldBy("never", outside)}`;
  return `grep -q ready a.txt || exit 1; test -e spoiler.txt || exit 0; test -e c.txt || { ${held}; }; exit 1`;
}

test("kill -9 while a regression is traced: resume traces it again, its task mends it, and no session is lost.", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", { checks: [spoilt(outside)] }),
        "02-b": makes("b.txt", { files: { create: ["b.txt", "spoiler.txt"] } }),
        "03-c": makes("c.txt"),
        "04-d": makes("d.txt"),
      },
    }),
    config: { run: { attempts: 1 } },
    moves: {
      "01-a": writes("a.txt"),
      "02-b": { 1: [...writes("b.txt"), { write: "spoiler.txt", text: "" }], "*": [{ delete: "spoiler.txt" }] },
      "03-c": writes("c.txt"),
      "04-d": writes("d.txt"),
    },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await run.kill("SIGKILL"), null);
  expect(rig.events("final-verified")).toMatchObject([{ ok: false }]);
  expect(rig.events("bisected")).toEqual([]);
  rig.release("open");

  expectCode(await rig.stint(["resume"]), 0);

  expect(rig.processes()).toEqual([]);
  expect(rig.events("bisected")).toMatchObject([{ regressions: [{ task: "02-b" }] }]);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b", "03-c", "04-d", "02-b"]);
  expect(sessionsOf(rig)).toEqual(["01-a 1", "02-b 1", "03-c 1", "04-d 1", "02-b 2"]);
});

test.each(["final-verified", "bisected", "task-reopened"])(
  "kill -9 as soon as %s is in the journal: the regression is mended once.",
  async (type) => {
    await using rig = await createRig({
      plan: {
        tasks: {
          "01-a": makes("a.txt", { checks: ["grep -q ready a.txt && test ! -e spoiler.txt"] }),
          "02-b": makes("b.txt", { files: { create: ["b.txt", "spoiler.txt"] } }),
        },
      },
      config: { run: { attempts: 1 } },
      moves: {
        "01-a": writes("a.txt"),
        "02-b": { 1: [...writes("b.txt"), { write: "spoiler.txt", text: "" }], "*": [{ delete: "spoiler.txt" }] },
      },
    });
    const run = rig.start(["run", "--yes"]);
    await run.waitForEvent(type);
    await run.kill("SIGKILL");

    expectCode(await rig.stint(["resume"]), 0);

    expect(commitsOf(rig)).toEqual(["01-a", "02-b", "02-b"]);
    expect(rig.events("task-reopened")).toHaveLength(1);
    expect(rig.processes()).toEqual([]);
  },
);
