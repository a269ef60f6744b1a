import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type RigOptions } from "../rig/rig.ts";

const two: RigOptions = {
  plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
  moves: { "01-a": [{ hold: "mid" }, ...writes("a.txt")], "02-b": writes("b.txt") },
};

/** Of what a person reads. */
const lines = (text: string) => text.trimEnd().split("\n");

test("Without a terminal `status --watch` prints the lines that `run` prints, until the run ends, then how it stands.", async () => {
  await using rig = await createRig(two);
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("mid");
  const watching = rig.start(["status", "--watch"]);
  const asJson = rig.start(["status", "--watch", "--json"]);
  rig.release("mid");
  const [driven, watched, told] = [await run.ended, await watching.ended, await asJson.ended];
  for (const ended of [driven, watched, told]) expectCode(ended, 0);
  expect(lines(watched.stdout)).toEqual(lines(driven.stdout));
  expect(watched.stderr).toContain("When you are happy with it: `git merge stint/work`");
  expect(lines(told.stdout).map((line) => JSON.parse(line) as unknown)).toEqual(rig.journal());
  for (const { stdout, stderr } of [driven, watched, told]) expect(stdout + stderr).not.toContain("\u{1b}");
});

test("A run that nobody drives is told as far as it is; in a repository without runs there is nothing to watch.", async () => {
  await using rig = await createRig(two);
  const none = await rig.stint(["status", "--watch"]);
  expectCode(none, 2);
  expect(none.stderr).toBe("stint: no run yet. Start one with `stint run`.\n");
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("mid");
  await run.kill("SIGKILL");
  const watched = await rig.stint(["status", "--watch"]);
  expectCode(watched, 0);
  expect(watched.stdout).toMatch(/01-a #1 agent started \(pid \d+\)\n\nrun \S+: not running \(interrupted\)\n/);
  expect(watched.stderr).toMatch(/^Nothing is lost\. Resume with `stint resume \S+`\.\n$/);
});
