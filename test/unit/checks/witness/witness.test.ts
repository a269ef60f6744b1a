import { expect, test } from "vitest";
import { scene } from "../../../rig/heard.ts";

const suite = `
import test, { describe, it } from "node:test";
for (const n of [1, 2]) test("dynamic " + n, () => {});
test("not here", { skip: "another platform" }, () => {});
test.todo("later");
describe("a suite", () => { it("inner", async (t) => { await t.test("sub", () => {}); }); });
`;
const quits = `import test from "node:test"; import "../src/quits.js"; test("never", () => {});`;
const files = {
  "package.json": '{"type":"module","scripts":{"test":"node --test --test-reporter=dot test/"}}',
  "src/quits.js": "process.exit(0);",
  "test/a.test.js": suite,
};
const ofSuite = { runner: "node:test", run: 4, skipped: 2, groups: { "test/a.test.js": 4 } };

test.each(["node --test test/a.test.js", "node test/a.test.js", "npm test -- test/a.test.js"])(
  "tests of node:test are heard and skipped ones are not counted: %s",
  async (command) => {
    const { hear, plainly } = scene({ ...files, "package.json": files["package.json"].replace(" test/", "") });
    const heard = await hear(command);
    expect(heard).toMatchObject({ code: 0, tests: [ofSuite], unended: [] });
    expect(times(heard.output)).toBe(times(plainly(command).output));
  },
);

function times(output: string): string {
  return output.replace(/[\d.]+ ?ms|duration_ms.*|heard-\w+/g, "");
}

test("code that ends its process while it is loaded takes its tests along, and is heard", async () => {
  const { hear, plainly } = scene({ ...files, "test/b.test.js": quits });
  expect(plainly("node --test test/b.test.js").code).toBe(0);
  const together = await hear("node --test test/a.test.js test/b.test.js");
  expect(together).toMatchObject({ code: 0, unended: [] });
  expect(together.tests).toEqual([{ ...ofSuite, groups: { "test/a.test.js": 4, "test/b.test.js": 0 } }]);
  const nothing = { runner: "node:test", run: 0, skipped: 0, groups: {} };
  expect(await hear("node test/b.test.js")).toMatchObject({ code: 0, tests: [nothing], unended: [] });
});

test("code that ends its process past exit handlers is heard, too", async () => {
  const { hear } = scene({ ...files, "src/quits.js": "process.reallyExit(0);", "test/b.test.js": quits });
  expect(await hear("node test/b.test.js")).toMatchObject({ code: 0, tests: [{ run: 0 }] });
});

test("a test that ends the process with success leaves a runner that did not end", async () => {
  const text = 'import test from "node:test"; test("one", () => {}); test("two", () => process.exit(0));';
  const { hear } = scene({ ...files, "test/c.test.js": text });
  expect(await hear("node test/c.test.js")).toMatchObject({ code: 0, tests: [{ run: 1 }], unended: ["node:test"] });
});

test("a failure is heard where the process ends with success, and a last hook may end it when all is done", async () => {
  const hides = 'process.on("exit", () => (process.exitCode = 0));';
  const fails = `import test from "node:test"; ${hides} test("one", () => { throw new Error("no"); });`;
  const hook = 'import test, { after } from "node:test"; test("one", () => {}); after(() => process.exit(0));';
  const { hear } = scene({ ...files, "test/d.test.js": fails, "test/e.test.js": hook });
  expect(await hear("node test/d.test.js")).toMatchObject({ code: 0, tests: [{ run: 1 }], failed: 1 });
  expect(await hear("node test/e.test.js")).toMatchObject({ code: 0, tests: [{ run: 1 }], unended: [], failed: 0 });
});

test("an empty test file and a filter that nothing matches run no test", async () => {
  const { hear } = scene({ ...files, "test/empty.test.js": "" });
  expect(await hear("node --test test/empty.test.js")).toMatchObject({
    code: 0,
    tests: [{ run: 0, groups: { "test/empty.test.js": 0 } }],
  });
  expect(await hear("node --test --test-name-pattern=nothing test/a.test.js")).toMatchObject({
    code: 0,
    tests: [{ run: 0 }],
  });
});

test("a file that cannot be loaded is no group", async () => {
  const { hear } = scene({ ...files, "test/b.test.js": 'import "./gone.js";' });
  expect(await hear("node --test test/b.test.js")).toMatchObject({ code: 1, tests: [{ run: 0, groups: {} }] });
});

test("tests find nothing of the witness in their environment, and runners they start are not heard", async () => {
  const text = `
import test from "node:test";
import assert from "node:assert";
import { spawnSync } from "node:child_process";
test("outer", () => {
  assert.equal(process.env.ROOM_WITNESS, undefined);
  assert.equal(process.env.NODE_OPTIONS, "--no-warnings");
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  assert.equal(spawnSync(process.execPath, ["--test", "test/a.test.js"], { env }).status, 0);
});`;
  const { hear } = scene({ ...files, "test/outer.test.js": text });
  const own = { NODE_OPTIONS: "--no-warnings" };
  const heard = { code: 0, tests: [{ run: 1, groups: { "test/outer.test.js": 1 } }], unended: [] };
  expect(await hear("node --test test/outer.test.js", own)).toMatchObject(heard);
  expect(await hear("node test/outer.test.js", own)).toMatchObject(heard);
});

test("what runs no test runner is not heard, and not changed", async () => {
  const { hear, plainly } = scene({ ...files, "src/main.js": "console.log(process.execArgv, process.argv.length);" });
  const heard = await hear("node src/main.js");
  expect(heard).toMatchObject({ code: 0, tests: [], unended: [] });
  expect(heard.output).toBe(plainly("node src/main.js").output);
});
