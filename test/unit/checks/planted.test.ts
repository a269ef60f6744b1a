import { expect, test } from "vitest";
import { couldDecideTests, isForeignProgram } from "../../../src/checks/planted.ts";

test.each([
  "test/a.test.js",
  "tests/conftest.py",
  "vitest.config.ts",
  "pytest.ini",
  "package.json",
  "Makefile",
  "sitecustomize.py",
  ".venv/lib/python3.12/site-packages/usercustomize.py",
])("%s could decide what tests find.", (path) => {
  expect(couldDecideTests(path)).toBe(true);
});

test.each([
  "src/a.js",
  "test/data/words.txt",
  "node_modules/left-pad/test/a.test.js",
  "node_modules/left-pad/package.json",
  "target/debug/build/a/Makefile",
  "web/dist/a.test.js",
  ".venv/lib/python3.12/site-packages/a/conftest.py",
])("%s could not, or tools fill its folder.", (path) => {
  expect(couldDecideTests(path)).toBe(false);
});

test("A program of packages is foreign where its link leads out of them.", () => {
  expect(isForeignProgram("node_modules/.bin/vitest", "../../scripts/fake.js")).toBe(true);
  expect(isForeignProgram("web/node_modules/.bin/tsc", "/tmp/tsc")).toBe(true);
  expect(isForeignProgram("node_modules/.bin/vitest", "../vitest/vitest.mjs")).toBe(false);
  expect(isForeignProgram("node_modules/.bin/a/b", "../../fake.js")).toBe(false);
  expect(isForeignProgram("bin/vitest", "../../fake.js")).toBe(false);
});
