import { expect, test } from "vitest";
import type { TaskFiles } from "../../../src/plan/types.ts";
import { checkKey } from "../../../src/checks/checks.ts";
import type { Asked } from "../../../src/checks/asked.ts";
import { aloneLook, turnedAlone } from "../../../src/guards/tests-alone.ts";
import { VerifyWorld } from "../../rig/verify-world.ts";

function asks(run: string, isGoal = true): Asked {
  const place = { timeoutMs: 1000, env: {}, cwd: ".", network: false, at: { line: 1, column: 1 } };
  const check = { kind: "run", run, red: isGoal, ...place } as const;
  return { check, key: checkKey(check), of: null, isGoal };
}

const npmTest = asks("npm test");
const both: TaskFiles = { create: [], modify: ["src/cart.js", "test/cart.test.js"], delete: [], touch: [] };
const changed = { status: "M", path: "test/cart.test.js" } as const;
const failing = ["test/cart.test.js: rounds"];

function look(changes: Parameters<typeof aloneLook>[1], asked = npmTest, files = both) {
  return aloneLook(files, changes, { asked: [asked], redBefore: new Map([[asked.key, failing]]) });
}

test("Changed tests are looked at without the code, and with what failed before.", () => {
  const code = { status: "M", path: "src/cart.js" } as const;
  const helper = { status: "A", path: "test/support/assert.js" } as const;
  expect(look([code, changed, helper])).toEqual({
    paths: new Set(["test/cart.test.js", "test/support/assert.js"]),
    asked: [npmTest],
    watched: failing,
  });
});

test.each([
  "test/carts.json",
  "vitest.config.ts",
  "src/testing/expect-total.js",
  "src/test-setup.ts",
  "lib/test_helpers.py",
  "spec/fixtures/a.yml",
])("%s is on the side of the tests", (path) => {
  expect(look([{ status: "M", path }])?.paths).toEqual(new Set([path]));
});

test.each([
  ["no test was changed", [{ status: "M", path: "src/cart.js" }]],
  ["tests were only added", [{ status: "A", path: "test/other.test.js" }]],
] as const)("There is nothing to look at where %s.", (_, changes) => {
  expect(look(changes)).toBeUndefined();
});

test.each([
  ["a check that was green before", asks("npm run other")],
  ["a check that only has to stay green", asks("npm test", false)],
])("Nothing is asked of %s.", (_, asked) => {
  expect(aloneLook(both, [changed], { asked: [asked], redBefore: new Map([[npmTest.key + asked.isGoal, []]]) })).toBe(
    undefined,
  );
});

test("Style and types of tests are fixed in tests, and a new test that a check names is all it may ask for.", () => {
  expect(look([changed], asks("npx eslint ."))).toBeUndefined();
  const added = { status: "A", path: "test/new.test.js" } as const;
  expect(look([changed, added], asks("node --test test/new.test.js"))).toBeUndefined();
  expect(look([changed, added], asks("node --test test/"))).toBeDefined();
});

test("A task that names nothing but tests and prose may change them as it likes.", () => {
  const files = { ...both, modify: ["test/**", "docs/testing.md", "vitest.config.ts"] };
  expect(look([changed], npmTest, files)).toBeUndefined();
  expect(look([changed], npmTest, { ...files, create: ["src/**"] })).toBeDefined();
});

test("What the tests did alone is said.", () => {
  const shown = { label: "npm test", why: "", tail: "", durationMs: 1 };
  expect(turnedAlone({ ...shown, state: "green" })).toBe("`npm test` is green");
  expect(turnedAlone({ ...shown, state: "red" })).toBeUndefined();
  expect(turnedAlone({ ...shown, state: "red", unfailing: failing })).toBe(
    "test/cart.test.js: rounds does not fail any more",
  );
});

const jobs = { "01-a": { check: "npm test", files: ["a.js", "a.test.js"] } };

async function verdictWith(alone: "green" | "red") {
  const world = new VerifyWorld(jobs, { "part of candidate 01-a on base": { "npm test": [alone] } });
  world.candidate("01-a");
  const checks = [{ key: npmTest.key, label: "npm test", state: "red" as const, why: "", tail: "", durationMs: 1 }];
  world.add({ type: "baseline", task: "01-a", attempt: 1, state: "red", why: "", checks });
  world.candidate("01-a", 2);
  return await world.verify("01-a", "base");
}

test("Work whose tests alone turn the check green is refused, and the message says how to fix it.", async () => {
  const { result, guards } = await verdictWith("green");
  expect(result).toBe("failed");
  expect(guards).toEqual([
    {
      guard: "tests",
      path: "a.test.js",
      why: "was changed, and with nothing but the tests changed, on the code as it was, `npm test` is green. Put the tests back and change the code; where only tests are wrong, let a task name nothing else.",
    },
  ]);
});

test("Work that the code needed passes with its changed tests.", async () => {
  expect((await verdictWith("red")).result).toBe("passed");
});

test.each([
  "grep -q 't.Run(' short_test.go",
  "! grep -n time.Sleep session/store_test.go",
  "test -s test/cart.test.js && wc -l test/cart.test.js | grep -q 12",
])("A check that only reads files, such as %s, may be about the text of tests.", (run) => {
  expect(look([changed], asks(run))).toBeUndefined();
});

test("A check that reads and runs is asked.", () => {
  expect(look([changed], asks("grep -q it test/cart.test.js && npm test"))).toBeDefined();
});
