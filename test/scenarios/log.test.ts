import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("The log shows how the output of a session ended that crashed, neutralised; of one that ended well it does not.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: {
      "01-a": {
        1: [{ print: "looking\n" }, { print: '{"of": "programs"}\n\u{1b}[31mno such key\n' }, { exit: 4 }],
        2: [{ print: "done\n" }, ...writes("a.txt")],
      },
    },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);

  const lines = (await rig.stint(["log", "01-a"])).stdout.split("\n");

  const crash = lines.findIndex((line) => line.endsWith("01-a #1 agent stopped: crashed (exit 4)"));
  expect(lines.slice(crash + 1, crash + 3)).toEqual(["            | looking", "            | \\u{1b}[31mno such key"]);
  expect(lines.filter((line) => line.startsWith("            | "))).toHaveLength(2);
});
