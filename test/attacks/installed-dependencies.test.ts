import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import type { Move } from "../rig/moves.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const runner = "node_modules/.bin/runner";

/** Set-up installs a runner that tells the truth; the agent commits one that does not, which is put back over it. */
async function rigWith(files: unknown): Promise<Rig> {
  const cheat: readonly Move[] = [
    { write: "a.txt", text: "not yet\n" },
    { write: ".gitignore", text: "!node_modules\n" },
    { write: runner, text: "exit 0\n" },
  ];
  return createRig({
    files: { ".gitignore": "node_modules\n" },
    plan: { tasks: { "01-a": { files, checks: [`sh ${runner}`] } } },
    config: {
      run: { attempts: 1 },
      workspace: {
        setup: `rm -rf node_modules && mkdir -p node_modules/.bin && echo 'grep -q ready a.txt' > ${runner}`,
      },
    },
    moves: { "01-a": cheat },
  });
}

test("An agent cannot commit a runner of its own in the place of the one that set-up installs.", async () => {
  await using rig = await rigWith(["**"]);

  expectCode(await rig.stint(["run", "--yes"]), 3);

  expect(verdictsOf(rig, "01-a")).toMatchObject([{ result: "failed", guards: [`protected ${runner}`] }]);
});

test("Control: where the task names that folder, the very cheat is green; nothing else stands in its way.", async () => {
  await using rig = await rigWith(["**", "node_modules/**"]);

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
