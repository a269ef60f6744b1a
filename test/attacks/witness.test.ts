import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import type { Move } from "../rig/moves.ts";
import { createRig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const imports = (name: string) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport { ${name} } from "../src/${name}.js";\n`;
const testOf = (name: string) => `${imports(name)}test("it doubles", () => assert.equal(${name}(2), 4));\n`;
const honest = (name: string) => `export const ${name} = (n) => n * 2;\n`;
/** In words that the guard of test-aware code does not know: the witness has to see what no reading of the diff shows. */
const leaves = "const { exit: leave } = process;\nleave(0);\n";
const quits = (name: string) => `export const ${name} = 0;\n${leaves}`;
const write = (path: string, text: string): Move => ({ write: path, text });

const files = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/a.js": honest("a"),
  "test/a.test.js": `${testOf("a")}test("and again", () => assert.equal(a(3), 6));\n`,
  "test/b.test.js": testOf("b"),
};

const sandboxes = canConfine ? (["none", "bwrap"] as const) : (["none"] as const);

test.each(sandboxes)("Code that ends the test runner with success proves nothing, sandbox %s.", async (sandbox) => {
  await using rig = await createRig({
    files,
    sandbox,
    plan: { tasks: { "01-b": { files: { create: ["src/b.js"] }, checks: ["node --test test/b.test.js"] } } },
    moves: { "01-b": { 1: [write("src/b.js", quits("b")), control], 2: [write("src/b.js", honest("b"))] } },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  const [cheat, work] = verdictsOf(rig, "01-b");
  expect(cheat).toMatchObject({ result: "failed", reason: "check" });
  expect(rig.events("verdict", "01-b")[0]).toMatchObject({
    why: "red: node --test test/b.test.js (exit 0, but node:test ran no test)",
  });
  expect(work).toMatchObject({ result: "passed" });
  const log = await rig.stint(["log"]);
  expect(log.stdout).toContain("green: node --test test/b.test.js (exit 0; 1 test of node:test)");
});

/** Shows that the runner calls it a success: were it not so, the session would end with an error. */
const control: Move = { shell: "node --test test/b.test.js" };

test("A file that falls silent among others that run is missed, though it never ran before.", async () => {
  await using rig = await createRig({
    files,
    plan: { tasks: { "01-b": { files: { create: ["src/b.js"] }, checks: ["npm test"] } } },
    moves: {
      "01-b": { 1: [write("src/b.js", quits("b")), { shell: "npm test" }], 2: [write("src/b.js", honest("b"))] },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("verdict", "01-b").map((event) => event["why"])).toEqual([
    "red: npm test (exit 0, but test/b.test.js: no test ran in it)",
    "",
  ]);
});

test("Tests of others that a task takes away, by ending them or by emptying what they are made of, are missed.", async () => {
  const dynamic = `${imports("cases")}for (const n of cases) test("case " + n, () => assert.ok(n));\n`;
  const cases = (list: string) => write("src/cases.js", `export const cases = ${list};\n`);
  const done = write("done.txt", "ready\n");
  const all = { shell: "node --test" };
  await using rig = await createRig({
    files: {
      "package.json": files["package.json"],
      "src/a.js": honest("a"),
      "src/cases.js": "export const cases = [1, 2, 3];\n",
      "test/a.test.js": files["test/a.test.js"],
      "test/cases.test.js": dynamic,
    },
    rules: { checks: ["npm test"] },
    config: { run: { attempts: 3 } },
    plan: { tasks: { "01-c": { files: ["src/*.js", "done.txt"], checks: ["grep -q ready done.txt"] } } },
    moves: {
      "01-c": {
        1: [done, write("src/a.js", `${honest("a")}${leaves}`), all],
        2: [done, cases("[1]"), all],
        3: [done, cases("[1, 2, 3, 4]")],
      },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("verdict", "01-c").map((event) => event["why"])).toEqual([
    "red: npm test (exit 0, but test/a.test.js: 2 tests that ran before did not run)",
    "red: npm test (exit 0, but test/cases.test.js: 2 tests that ran before did not run)",
    "",
  ]);
});

test("A project without any test, and a task that deletes tests it names, are left in peace.", async () => {
  const old = testOf("old").replace("../src/old.js", "./helper.js");
  await using rig = await createRig({
    files: { "package.json": files["package.json"], "test/helper.js": honest("old") },
    rules: { checks: ["npm test"] },
    plan: {
      tasks: {
        "01-first": { files: { create: ["test/old.test.js", "first.txt"] }, checks: ["test -e first.txt"] },
        "02-gone": {
          depends: ["01-first"],
          files: { delete: ["test/old.test.js"], create: ["new.txt"] },
          checks: ["test ! -e test/old.test.js"],
        },
      },
    },
    moves: {
      "01-first": [write("test/old.test.js", old), write("first.txt", "x\n")],
      "02-gone": [{ delete: "test/old.test.js" }, write("new.txt", "x\n")],
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-first", "02-gone"]);
});
