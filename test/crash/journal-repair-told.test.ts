import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A torn tail that was cut by a resume that came to nothing is reported by the next one, once.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ hold: "go" }], "*": writes("a.txt") } },
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("go");
  await run.kill("SIGKILL");
  rig.tearJournal('{"v":1,"seq":99,"ep');
  const { run: id } = await rig.status();
  const [ref, tip] = [`refs/stint/runs/${id}`, rig.git("rev-parse", "HEAD")];
  rig.controlGit("update-ref", ref, rig.git("commit-tree", "-m", "Stray", "HEAD^{tree}"));

  const refused = await rig.stint(["resume"]);
  expectCode(refused, 1);
  expect(refused.stderr).toContain("another program moved it");
  expect(rig.events("journal-repaired")).toEqual([]);

  rig.controlGit("update-ref", ref, tip);
  expectCode(await rig.stint(["resume"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("journal-repaired")).toMatchObject([
    { bytes: 19, keptAt: expect.stringMatching(/journal\.jsonl\.torn-1$/) as string },
  ]);
});
