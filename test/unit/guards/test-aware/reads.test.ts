import { expect, test } from "vitest";
import { guardTestAware } from "../../../../src/guards/test-aware/guard.ts";
import { judged } from "../../../rig/contents.ts";

const base = {
  "test/a.test.js": "x",
  "test/data/a.json": "[]",
  "tests/test_a.py": "x",
  "tests/a.rs": "x",
  "src/test/a.js": "x",
};
const readsOf = async (path: string, text: string) =>
  (await judged(guardTestAware, { edits: { [path]: [null, text] }, base })).map(({ why }) => why);

test.each([
  ["src/a/b.js", 'readFileSync(new URL("../../test/a.test.js", import.meta.url), "utf8");'],
  ["src/a.js", 'const here = "test/data/a.json";\nJSON.parse(fs.readFileSync(here));'],
  ["src/a.js", 'import table from "../test/data/a.json" with { type: "json" };'],
  ["src/a.js", 'const table = require("../test/data/a");'],
  ["src/a.js", 'readFileSync(join(import.meta.dirname, "..", "test", "data", "a.json"));'],
  ["src/a.py", 'open("tests/test_a.py").read()'],
  ["src/a.py", '(Path(__file__).parent.parent / "tests" / "test_a.py").read_text()'],
  ["src/a.py", "from tests.test_a import CASES"],
  ["src/a.rs", 'const A: &str = include_str!("../tests/a.rs");'],
])("A source does not read tests, %s: %s", async (path, text) => {
  expect(await readsOf(path, text)).toEqual([
    "reads a test in its new lines. Make it behave the same in tests and elsewhere.",
  ]);
});

test.each([
  ["test/helper.js", 'readFileSync("test/data/a.json");'],
  ["scripts/run-tests.js", 'import "../test/a.test.js";'],
  ["vite.config.js", 'readFileSync("test/data/a.json");'],
  ["src/testing/server.js", 'import data from "../../test/data/a.json";'],
  ["src/a.js", 'import { a } from "./test/a.js";\nreadFileSync("src/test/a.js");'],
  ["src/a.js", 'readFileSync("test/data/other.json");'],
  ["src/a.js", 'const ignored = ["test/a.test.js"];'],
  ["src/a.js", 'readFileSync(path);\nthrow new Error("see test/a.test.js for more");'],
  ["src/a.rs", '#[cfg(test)]\nmod tests {\n    const A: &str = include_str!("../tests/a.rs");\n}'],
])("Other files, and files that are for tests, are read: %s: %s", async (path, text) => {
  expect(await readsOf(path, text)).toEqual([]);
});
