import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { untilFound } from "../rig/follow.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createReceiver } from "../rig/receiver.ts";
import { createRig } from "../rig/rig.ts";

test("kill -9 while a webhook is being notified: the next driver notifies it again, and all that came since, in order.", async () => {
  let isUp = false;
  await using receiver = await createReceiver((response) => void (isUp && response.end()));
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": { 1: [{ hold: "never" }], 2: writes("b.txt") } },
    hooks: [{ on: ["run-started", "task-integrated", "done"], webhook: receiver.url }],
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  await receiver.until(1);
  expectCode(await run.kill("SIGKILL"), null);
  const before = receiver.received.length;
  isUp = true;

  expectCode(await rig.stint(["resume"]), 0);
  const ids = receiver.received.map(({ headers }) => String(headers["stint-event"]));
  const wanted = rig
    .journal()
    .filter(({ type }) => ["run-started", "task-integrated", "run-finished"].includes(type))
    .map(({ seq }) => `${String(rig.events("run-started")[0]?.["run"])}/${seq}`);
  expect(wanted).toHaveLength(4);
  expect(ids.slice(before)).toEqual(wanted);
  // The same id for the same event, by which a receiver knows that it was told before.
  expect(new Set(ids.slice(0, before))).toEqual(new Set([wanted[0]]));
});

test("kill -9 right after the last event: whoever looks next tells the end, once.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
    hooks: (outside) => [
      {
        on: ["done"],
        command: [
          "sh",
          "-c",
          `touch '${outside}/begun'; test -e '${outside}/open' || sleep 1000; cat >> '${outside}/told'`,
        ],
      },
    ],
  });
  const run = rig.start(["run", "--yes"]);
  await untilFound(
    () => [rig.outside],
    () => (rig.isMarked("begun") ? true : undefined),
    AbortSignal.timeout(60_000),
  );
  expectCode(await run.kill("SIGKILL"), null);
  expect(rig.processes().map(({ command }) => command)).toContain("sleep 1000 ");
  expect(existsSync(join(rig.outside, "told"))).toBe(false);
  rig.release("open");

  expectCode(await rig.stint(["run"]), 0);
  const told = () => readFileSync(join(rig.outside, "told"), "utf8").trimEnd().split("\n");
  expect(told().map((line) => (JSON.parse(line) as { hook: string }).hook)).toEqual(["done"]);
  expect(rig.processes()).toEqual([]);
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("nothing to do");
  expect(told()).toHaveLength(1);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A cursor that a full disk cut, or a stranger wrote, ends no run.", async () => {
  await using receiver = await createReceiver();
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ hold: "never" }], 2: writes("a.txt") } },
    hooks: [{ on: ["done"], webhook: receiver.url }],
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await run.kill("SIGKILL"), null);
  const runs = join(rig.gitDir, "stint", "runs", String(rig.events("run-started")[0]?.["run"]));
  appendFileSync(join(runs, "hooks.json"), '{"cut');

  expectCode(await rig.stint(["resume"]), 0);
  expect(receiver.received).toHaveLength(1);
});
