import { expect, test } from "vitest";
import { VerifyWorld } from "../../../rig/verify-world.ts";

const jobs = {
  "01-a": { check: "test a", files: ["src/a.ts", "test/named.test.ts"] },
  "02-b": { check: "test b", files: ["src/b.ts"] },
};
const a = "placed 01-a on base";
const onA = `placed 02-b on ${a}`;

/** Both candidates are made on the base, and the rules ask for all tests. */
function world(): VerifyWorld {
  const made = new VerifyWorld(jobs, {}, { rules: "npm test" });
  made.candidate("01-a");
  made.candidate("02-b");
  return made;
}

test("what a check ran before is looked at on the tip, where the journal does not tell", async () => {
  const made = world();
  made.ran[a] = { "npm test": { "test/x.test.ts": 2 } };
  made.ran["base"] = { "npm test": { "test/x.test.ts": 5 } };
  const verdict = await made.verify("01-a", "base");
  expect(verdict).toMatchObject({
    result: "failed",
    why: "red: npm test (exit 0, but test/x.test.ts: 3 tests that ran before did not run)",
  });
  expect(made.rooms).toEqual([`${a}: test a, npm test`, "base: npm test", `${a}: npm test`]);
});

test("what landed is the measure of the next, and is looked at no more", async () => {
  const made = world();
  made.ran["base"] = { "npm test": { "test/x.test.ts": 1 } };
  made.ran[a] = { "npm test": { "test/x.test.ts": 4 } };
  made.ran[onA] = { "npm test": { "test/x.test.ts": 3 } };
  expect((await made.verify("01-a", "base")).result).toBe("passed");
  made.land("01-a");
  made.rooms.length = 0;
  const verdict = await made.verify("02-b", a);
  expect(made.rooms).not.toContain(`${a}: npm test`);
  expect(verdict.why).toContain("test/x.test.ts: 1 test that ran before did not run");
});

test("tests that a task in front deletes, because it names the file, are not missed behind it", async () => {
  const made = world();
  made.ran["base"] = { "npm test": { "test/named.test.ts": 2, "test/x.test.ts": 1 } };
  made.ran[a] = made.ran[onA] = { "npm test": { "test/x.test.ts": 1 } };
  expect((await made.verify("01-a", "base")).result).toBe("passed");
  expect((await made.verify("02-b", a)).result).toBe("passed");
});

test("a command without a test runner is run once", async () => {
  const made = world();
  await made.verify("01-a", "base");
  expect(made.rooms).toEqual([`${a}: test a, npm test`]);
});

test("a task's own check that runs no test is red", async () => {
  const made = world();
  made.ran[a] = { "test a": {} };
  expect(await made.verify("01-a", "base")).toMatchObject({
    result: "failed",
    why: "red: test a (exit 0, but vitest ran no test)",
  });
});

test("whoever may create any file names none of the tests that ran before", async () => {
  const made = new VerifyWorld({ "01-a": { check: "test a", files: ["**"] } }, {}, { rules: "npm test" });
  made.candidate("01-a");
  made.ran["base"] = { "npm test": { "test/x.test.ts": 3 } };
  made.ran[a] = { "npm test": { "test/x.test.ts": 2, "test/new.test.ts": 1 } };
  expect((await made.verify("01-a", "base")).why).toBe(
    "red: npm test (exit 0, but test/x.test.ts: 1 test that ran before did not run)",
  );
});
