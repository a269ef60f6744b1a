import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { exampleFiles, exampleMoves, examples } from "../rig/example.ts";
import { expectCode, verdictsOf } from "../rig/facts.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const kinds = Object.keys(examples) as (keyof typeof examples)[];

test.each(kinds)("The example of %s is linted without an error or a warning.", async (kind) => {
  await using rig = await createRig({ files: exampleFiles(kind) });

  const lint = await rig.stint(["lint"]);

  expect(lint).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^plans\/\w+: no problems found\n\d tasks in \d waves; .* in all\n$/) as string,
    stderr: "",
  });
});

test.each(kinds)("Settings and rules of the example of %s are those that init writes.", async (kind) => {
  const files = exampleFiles(kind);
  await using rig = await createRig({ files });
  rmSync(join(rig.repo, ".stint"), { recursive: true });

  expectCode(await rig.stint(["init"], { env: { PATH: "/usr/bin:/bin" } }), 0);

  for (const path of [".stint/config.yaml", ".stint/rules.md"])
    expect(readFileSync(join(rig.repo, path), "utf8")).toBe(files[path]);
});

/** The agent is the user's, so that the example's own settings stay as they are. */
function useAgentOf(rig: Rig, kind: keyof typeof examples): void {
  const moves = join(rig.outside, "example.json");
  writeFileSync(moves, JSON.stringify(exampleMoves(kind)));
  mkdirSync(join(rig.root, "config", "stint"));
  const settings = {
    agents: { embedded: { driver: "scripted", command: [moves] } },
    roles: { executor: { agent: "embedded" } },
    run: { sandbox: "none", parallel: 2 },
  };
  writeFileSync(join(rig.root, "config", "stint", "config.yaml"), stringify(settings));
}

test.each(kinds)("The example of %s runs to its end: every task is integrated at the first attempt.", async (kind) => {
  await using rig = await createRig({ files: exampleFiles(kind) });
  useAgentOf(rig, kind);

  expectCode(await rig.stint(["run", "--yes"]), 0);

  const { state, tasks } = await rig.status();
  expect(state).toBe("finished");
  expect(tasks.map(({ id, state: of, attempts }) => `${id} ${of} ${attempts}`)).toEqual(
    Object.keys(exampleMoves(kind))
      .toSorted()
      .map((id) => `${id} integrated 1`),
  );
});

test("An agent that leaves out a rule of the example is refused by a check of the plan's author, not by its own tests.", async () => {
  await using rig = await createRig({ files: exampleFiles("node") });
  useAgentOf(rig, "node");
  const { "02-fee": honest } = exampleMoves("node");
  const fee = "export const fee = (days) => days * 10;\nexport const euros = (cents) => (cents / 100).toFixed(2);\n";
  const ownTest =
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { fee } from "../src/fee.js";\n\ntest("a day costs 10 cents", () => {\n  assert.equal(fee(1), 10);\n});\n';
  const careless = [
    { edit: "src/fee.js", write: fee },
    { edit: "test/fee.test.js", write: ownTest },
  ];
  writeFileSync(join(rig.outside, "example.json"), JSON.stringify({ "02-fee": { "1": careless, "*": honest } }));

  expectCode(await rig.stint(["run", "--yes", "--task", "02-fee"]), 0);

  expect(verdictsOf(rig, "02-fee").map(({ result, reason }) => [result, reason])).toEqual([
    ["failed", "check"],
    ["passed", null],
  ]);
  const [own, authors] = verdictsOf(rig, "02-fee")[0]?.checks ?? [];
  expect(own).toBe("green node --test test/fee.test.js");
  expect(authors).toMatch(/^red node --input-type=module --eval /);
});
