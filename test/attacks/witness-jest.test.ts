import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";

const [{ version }] = JSON.parse(readFileSync(join(import.meta.dirname, "runners.json"), "utf8")) as [
  { readonly version: string },
];
const folder = resolve(process.env["STINT_CI_CACHE"] ?? ".cache", "runners", `jest-${version}`);
const modules = join(folder, "node_modules");
const isThere = existsSync(join(folder, ".ok"));

const suite = `
test.each([1, 2])("case %d", (n) => expect(n).toBeGreaterThan(0));
test.skip("not here", () => {});
test.todo("later");
describe("a suite", () => { test("inner", () => expect([process.env.ROOM_WITNESS, process.env.NODE_OPTIONS]).toEqual([undefined, undefined])); });
`;
const files = {
  "package.json": '{"scripts":{"test":"jest"},"jest":{"reporters":["default","<rootDir>/mine.js"]}}',
  "mine.js": 'module.exports = class { onRunComplete() { require("fs").writeFileSync("mine.txt", "told"); } };',
  "src/quits.js": "process.exit(0);",
  "test/a.test.js": suite,
};
const ofSuite = { runner: "jest", run: 3, skipped: 2, groups: { "test/a.test.js": 3 } };

test.skipIf(!isThere)(
  "tests of jest are heard through a script, in workers and in band, beside the reporters of the project (needs jest in the cache)",
  async () => {
    const { dir, hear } = scene(files, modules);
    expect(await hear("npm test")).toMatchObject({ code: 0, tests: [ofSuite], unended: [] });
    expect(readFileSync(join(dir, "mine.txt"), "utf8")).toBe("told");
    const two = scene({ ...files, "test/b.test.js": suite }, modules);
    expect(await two.hear("npx jest --maxWorkers=2")).toMatchObject({ code: 0, tests: [{ run: 6 }], unended: [] });
  },
);

test.skipIf(!isThere)(
  "code that ends jest with success leaves a runner that did not end (needs jest in the cache)",
  async () => {
    const { hear, plainly } = scene(
      { ...files, "test/b.test.js": 'require("../src/quits"); test("never", () => {});' },
      modules,
    );
    expect(plainly("npx jest --runInBand test/b.test.js").code).toBe(0);
    expect(await hear("npx jest --runInBand test/b.test.js")).toMatchObject({
      code: 0,
      tests: [{ run: 0 }],
      unended: ["jest"],
    });
  },
);

test.skipIf(!isThere)(
  "jest without a test is heard to have run none, though it is told to pass (needs jest in the cache)",
  async () => {
    const { hear } = scene(files, modules);
    const nothing = { runner: "jest", run: 0, skipped: 0, groups: {} };
    expect(await hear("npx jest --passWithNoTests nowhere")).toMatchObject({ code: 0, tests: [nothing], unended: [] });
    expect(await hear("npx jest --listTests")).toMatchObject({ code: 0, tests: [] });
  },
);
