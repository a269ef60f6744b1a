import { expect, test } from "vitest";
import { guardContents } from "../../../src/guards/contents.ts";
import { judged } from "../../rig/contents.ts";

const asserts = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';

test("Every guard that reads contents is asked, and each says what it found.", async () => {
  const found = await judged(guardContents, {
    checks: ["make test"],
    edits: {
      "test/add.test.js": [asserts, asserts.replace("assert.equal(add(1, 2), 3);", "add(1, 2);")],
      Makefile: ["test:\n\tnode --test\n", "test:\n\ttrue\n"],
      "src/key.js": [null, 'export const key = "ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6";\n'],
      "src/add.js": [
        "export const add = f;\n",
        "/* eslint-disable */\nexport const add = process.env.VITEST ? g : f;\n",
      ],
    },
  });
  expect(found.map(({ guard, path }) => `${guard} ${path}`)).toEqual([
    "tests test/add.test.js",
    "definition Makefile",
    "secret src/key.js",
    "test-aware src/add.js",
    "silenced src/add.js",
  ]);
});

test("Honest work passes all of them; work that changes a comment only does not count.", async () => {
  const edited = (after: string) => judged(guardContents, { edits: { "src/add.js": ["f();\n", after] } });
  expect(await edited("f();\ng();\n")).toEqual([]);
  expect((await edited("f(); // later\n")).map(({ guard }) => guard)).toEqual(["empty"]);
});
