import { expect, test } from "vitest";
import { planningLimits } from "../../src/planning/limits.ts";
import { expectCode } from "../rig/facts.ts";
import { createRig } from "../rig/rig.ts";

const files = {
  "src/money.ts": "export function money(x: number): number {\n  return x;\n}\n",
  "src/cart.ts": 'import { money } from "./money.ts";\nexport function cart() {\n  return money(1);\n}\n',
  "lib/tool.py": "def tool(name):\n    return name\n",
  ".gitignore": "ignored.ts\n",
};

test("`stint map` prints what the committed code defines, and says on standard error what it counted.", async () => {
  await using rig = await createRig({ files });
  rig.write("ignored.ts", "export const ignored = 1;\n");
  rig.write("src/uncommitted.ts", "export const uncommitted = 1;\n");

  const ended = await rig.stint(["map"]);

  expectCode(ended, 0);
  expect(ended.stdout).toContain(
    "src/cart.ts\n 2 function cart()\nsrc/money.ts\n 1 function money(x: number): number\n",
  );
  expect(ended.stdout).toContain("lib/tool.py\n 1 def tool(name)\n");
  expect(ended.stdout).not.toMatch(/uncommitted|ignored = /);
  const head = rig.git("rev-parse", "HEAD").slice(0, 12);
  expect(ended.stderr).toMatch(
    new RegExp(`^\\d+ of \\d+ files and 3 definitions, about \\d+ tokens, as committed at ${head}\\. `),
  );
});

test("A file that is ignored but tracked is in the map.", async () => {
  await using rig = await createRig({ files });
  rig.write("ignored.ts", "export const ignored = 1;\n");
  rig.git("add", "-f", "ignored.ts");
  rig.commit("Track it all the same");

  expect((await rig.stint(["map"])).stdout).toContain("ignored.ts\n 1 ignored = 1\n");
});

test("With --json, --tokens and --goal a program gets the same, within the budget.", async () => {
  await using rig = await createRig({ files });

  const ended = await rig.stint(["map", "--json", "--tokens", "70", "--goal", "the tool"]);

  expectCode(ended, 0);
  const made = JSON.parse(ended.stdout) as {
    commit: string;
    files: number;
    filesInAll: number;
    tokens: number;
    text: string;
  };
  expect(made.commit).toBe(rig.git("rev-parse", "HEAD"));
  expect(Buffer.byteLength(made.text)).toBeLessThanOrEqual(70 * planningLimits.mapTokenBytes);
  expect(made.tokens).toBeLessThanOrEqual(70);
  expect(made.filesInAll).toBe(rig.git("ls-files").split("\n").length);
  expect(made.text).toContain("lib/tool.py\n 1 def tool(name)\n");
});

test.each(["0", "-1", "x", "200001", "1.5"])(
  "A budget of %s is bad usage, and the message says how to fix it.",
  async (tokens) => {
    await using rig = await createRig({ files });

    const ended = await rig.stint(["map", `--tokens=${tokens}`]);

    expectCode(ended, 2);
    expect(ended.stderr).toContain("It must be a whole number from 1 to 200000.");
  },
);

test("A budget of one token gives an empty map, not an error.", async () => {
  await using rig = await createRig({ files });

  const ended = await rig.stint(["map", "--tokens", "1"]);

  expectCode(ended, 0);
  expect(ended.stdout).toBe("");
});

test("Outside a repository there is no map.", async () => {
  await using rig = await createRig({ files });

  expectCode(await rig.stint(["map"], { cwd: rig.outside }), 1);
});

test("Names and texts of a repository cannot steer the terminal.", async () => {
  await using rig = await createRig({
    files: { ...files, "src/\u001b[31m.ts": "export const evil = '\u001b]0;x\u0007';\n" },
  });

  const ended = await rig.stint(["map"]);

  expectCode(ended, 0);
  expect(ended.stdout).toContain("src/\\u{1b}[31m.ts\n");
  expect(ended.stdout).not.toContain("\u001b");
});
