import { expect, test } from "vitest";
import { expectCode, pathsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("What the agent leaves untracked and ignored in its workspace does not reach the checks.", async () => {
  await using rig = await createRig({
    files: { ".gitignore": "build/\n" },
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt && test ! -e build/out.txt"] }) } },
    moves: { "01-a": [...writes("a.txt"), { write: "build/out.txt", text: "made by the agent\n" }] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});

test("A check sees a checkout with its own git, an empty home and none of Stint's variables.", async () => {
  const check =
    'grep -q ready a.txt && git rev-parse HEAD && test -z "$(ls -A "$HOME")" && ! env | grep -E "^(STINT|RIG)_"';
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    moves: { "01-a": writes("a.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"], { env: { STINT_SECRET: "1" } }), 0);
});

test("A check's own environment, folder and time are honoured.", async () => {
  await using rig = await createRig({
    files: { "sub/here.txt": "" },
    plan: {
      tasks: {
        "01-a": makes("sub/a.txt", {
          checks: [
            { run: 'test -e here.txt && grep -q "$WORD" a.txt', cwd: "sub", env: { WORD: "ready" }, timeout: "30s" },
          ],
        }),
      },
    },
    moves: { "01-a": writes("sub/a.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});

test("What a check leaves behind on the base reaches neither the agent nor its diff.", async () => {
  const check = "mkdir -p out && echo made > out/by-check.txt && echo changed >> README.md && grep -q ready a.txt";
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [check] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ shell: "test ! -e out/by-check.txt && ! grep changed README.md" }, ...writes("a.txt")] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(pathsOf(rig, "stint/work")).toEqual(["a.txt", "plans/work/plan.md"]);
});

test("What a check changes in git's own folder does not reach the agent.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["git config user.name Check && grep -q ready a.txt"] }) } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ shell: 'test "$(git config user.name)" != Check' }, ...writes("a.txt")] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
});
