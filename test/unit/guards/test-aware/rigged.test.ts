import { expect, test } from "vitest";
import { foundIn } from "../../../rig/test-aware.ts";

test.each([
  ["src/a.js", 'import assert from "node:assert";\nassert.equal = () => {};'],
  ["src/a.js", "Object.is = () => true;"],
  ["a.py", "unittest.TestCase.assertEqual = lambda *a: None"],
  ["src/a.js", 'import check from "node:assert/strict";\ncheck.deepEqual = () => {};'],
  ["src/a.js", 'const { strict: a } = require("assert");\nconst b = require("node:assert").strict;\nb.ok = f;'],
  ["src/a.js", 'import { expect as e } from "vitest";\nObject.assign(e, { extend: f });'],
  ["src/a.js", "const start = 1;\nperformance.now = () => start;"],
  ["src/a.js", "Date.now = () => 0;"],
  ["src/a.ts", "process.hrtime.bigint = () => 0n;"],
  ["src/a.js", 'Object.defineProperty(performance, "now", { value: f });'],
  ["a.py", "import time as clock\nclock.perf_counter = lambda: 0"],
  ["a.py", 'import time\nsetattr(time, "time", lambda: 0)'],
  ["a.py", "from unittest import TestCase as T\nT.assertEqual = f"],
  ["a.py", "import builtins\nbuiltins.sorted = f"],
])("Code that replaces what tests rely on is refused, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual(["changes what tests rely on"]);
});

test.each([
  ["src/a.js", 'import assert from "node:assert";\nassert.equal(a, b);\nconst ok = assert.ok;'],
  ["src/a.js", "if (!globalThis.performance) globalThis.performance = { now: Date.now };"],
  ["src/a.js", "if (typeof Date.now !== 'function') { Date.now = () => +new Date(); }"],
  ["src/a.js", "this.expect = 1;\nclock.now = () => 0;\nstats.test = a;\nchai.config.truncateThreshold = 0;"],
  ["a.py", "self.time = f\nclock.time = g\nimport builtins\nbuiltins._ = gettext"],
])("Code that uses it, or fills in what is missing, is honest, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});
