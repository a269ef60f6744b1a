import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { canLayer } from "../rig/layers.ts";
import { canConfine } from "../rig/sandbox-world.ts";

/** Set-up counts itself, asks for the network, and finds an empty home. */
async function rigWithSetup(workspace: Record<string, unknown>): Promise<Rig> {
  const rig = await createRig({
    sandbox: "bwrap",
    files: { lock: "lib\n", ".gitignore": "vendor/\n" },
    plan: (outside) => ({
      tasks: {
        "01-a": makes("a.txt", { checks: ["grep -q lib vendor/lib && grep -q ready a.txt"] }),
        "02-b": makes("b.txt", { depends: ["01-a"], checks: [`test -e ${outside}/counted && grep -q ready b.txt`] }),
      },
    }),
    moves: { "01-a": [{ shell: "grep -q lib vendor/lib" }, ...writes("a.txt")], "02-b": writes("b.txt") },
  });
  const setup = `test -z "$(ls -A "$HOME")" && echo ran >> '${rig.outside}/counted' && mkdir -p vendor && cp lock vendor/lib`;
  const config = readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8");
  const more = Object.entries({ setup, ...workspace }).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
  rig.write(".stint/config.yaml", config.replace("workspace:\n", `workspace:\n${more.join("")}`));
  rig.commit("Set up");
  return rig;
}

const counted = (rig: Rig) => readFileSync(join(rig.outside, "counted"), "utf8").split("\n").length - 1;

test.skipIf(!canConfine)(
  "With set-up inputs named, set-up runs once for a whole run and not again for the next.",
  async () => {
    await using rig = await rigWithSetup({ setup_inputs: ["lock"] });
    expectCode(await rig.stint(["run", "--yes"]), 0);
    expect(counted(rig)).toBe(1);
    await rig.stint(["check"]);
    expect(counted(rig)).toBe(1);
  },
);

test.skipIf(!canConfine)("Without them it runs for every commit, or for every workspace and every room.", async () => {
  await using rig = await rigWithSetup({});
  expectCode(await rig.stint(["run", "--yes"]), 0);
  // The base and two commits; or else two workspaces and two rooms. Of the final tip all is known from the tree that landed last.
  expect(counted(rig)).toBe(canLayer ? 3 : 4);
});
