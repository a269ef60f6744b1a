import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleFiles, examples } from "./rig/example.ts";
import { expectCode } from "./rig/facts.ts";
import { createRig } from "./rig/rig.ts";

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
