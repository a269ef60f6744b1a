import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";

const suite = `
import { describe, expect, test } from "vitest";
test.each([1, 2])("case %d", (n) => expect(n).toBeGreaterThan(0));
test.skipIf(true)("not here", () => {});
test.todo("later");
describe("a suite", () => { test("inner", () => expect([process.env.ROOM_WITNESS, process.env.NODE_OPTIONS]).toEqual([undefined, undefined])); });
`;
const files = {
  "package.json": '{"type":"module","scripts":{"test":"vitest run"}}',
  "vitest.config.js": 'export default { test: { reporters: [["junit", { outputFile: "junit.xml" }]] } };',
  "test/a.test.js": suite,
};
const modules = resolve("node_modules");

test("tests of vitest are heard through a script and in any pool, beside the reporters of the project", async () => {
  const { dir, hear } = scene(files, modules);
  const heard = { runner: "vitest", run: 3, skipped: 2, groups: { "test/a.test.js": 3 } };
  for (const command of ["npm test", "npx vitest run --pool=threads"]) {
    expect(await hear(command)).toMatchObject({ code: 0, tests: [heard], unended: [] });
  }
  expect(existsSync(join(dir, "junit.xml"))).toBe(true);
});

test("without any test, vitest is heard to have run none, though it is told to pass", async () => {
  const { hear } = scene({ ...files, "test/a.test.js": "" }, modules);
  const nothing = { runner: "vitest", run: 0, skipped: 0, groups: {} };
  expect(await hear("npx vitest run --passWithNoTests nowhere")).toMatchObject({ code: 0, tests: [nothing] });
});

test("a set-up of all tests that ends vitest leaves a runner that ran nothing or did not end", async () => {
  const config = 'export default { test: { globalSetup: "./setup.js" } };';
  const setup = "export default () => process.exit(0);";
  const { hear, plainly } = scene({ ...files, "vitest.config.js": config, "setup.js": setup }, modules);
  expect(plainly("npx vitest run").code).toBe(0);
  const heard = await hear("npx vitest run");
  expect(heard).toMatchObject({ code: 0, tests: [{ run: 0 }], unended: ["vitest"] });
});
