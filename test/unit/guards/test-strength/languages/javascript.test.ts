import { expect, test } from "vitest";
import { lossesOf } from "../../../../rig/strength.ts";
import { adds, becomes, before, file, head, rejects } from "../../../../rig/strength-add.ts";

test.each([
  ["test.skip(", "test.skip"],
  ["test.todo(", "test.todo"],
  ["test.failing(", "test.failing"],
  ["test.fails(", "test.fails"],
  ["xtest(", "xtest"],
  ["xit(", "xit"],
  ["test.concurrent.skip(", "test.concurrent.skip"],
  ["test.skipIf(process.env.CI)(", "test.skipIf(process.env.CI)"],
  ["test.runIf(process.env.DEEP)(", "test.runIf(process.env.DEEP)"],
  ["test.fixme(", "test.fixme"],
  ['test["skip"](', "test.skip"],
])("A test that begins with %s is skipped.", async (start, how) => {
  const after = head + adds.replace("test(", start) + rejects;
  expect(await becomes(after)).toEqual([`${file} the test "adds" is skipped now: ${how}`]);
});

test.each([
  ["{ skip: true }", "{ skip: true }"],
  ['{ skip: "flaky" }', '{ skip: "flaky" }'],
  ["{ todo: true }", "{ todo: true }"],
  ["{ timeout: 5, skip }", "{ skip }"],
])("A test with the options %s is skipped.", async (options, how) => {
  const after = head + adds.replace('"adds", ', `"adds", ${options}, `) + rejects;
  expect(await becomes(after)).toEqual([`${file} the test "adds" is skipped now: ${how}`]);
});

test.each([
  ["t.skip();", "t.skip()"],
  ['t.skip("later");', "t.skip()"],
  ["this.skip();", "this.skip()"],
  ["t.todo();", "t.todo()"],
  ["test.skip(true);", "test.skip()"],
  ["if (process.env.CI) t.skip();", "t.skip()"],
])("A test that says %s skips itself.", async (line, how) => {
  const after = head + adds.replace("() => {", `(t) => {\n  ${line}`) + rejects;
  expect(await becomes(after)).toEqual([`${file} the test "adds" is skipped now: ${how}`]);
});

test("A suite that is skipped or focused does it to each of its tests.", async () => {
  const suite = (word: string) => `${head}${word}("add", () => {\n${adds}});\n`;
  expect(await becomes(suite("describe.skip"), suite("describe"))).toEqual([
    `${file} the test "add > adds" is skipped now: describe.skip`,
  ]);
  expect(await becomes(suite("xdescribe"), suite("describe"))).toEqual([
    `${file} the test "add > adds" is skipped now: xdescribe`,
  ]);
  expect(await becomes(suite("describe.only"), suite("describe"))).toEqual([
    `${file} the test "add > adds" keeps others from running: describe.only`,
  ]);
});

test("A test is skipped where its declaration stands behind a condition that was not there.", async () => {
  expect(await becomes(`${head}${adds}if (process.env.DEEP) {\n${rejects}}\n`)).toEqual([
    `${file} the test "rejects text" is skipped now: if (process.env.DEEP)`,
  ]);
});

const vacuous = [
  "assert.ok(true);",
  "assert(true);",
  "assert.equal(1, 1);",
  'assert.equal("a", "a");',
  "assert.ok(add || true);",
  "assert.equal(add, add);",
  "const sum = 3;\n  assert.equal(sum, 3);",
  "expect(true).toBe(true);",
  "expect(1 + 1).toBe(2);",
  "expect(typeof add).toBeDefined();",
  "t.pass();",
  "expect([].length).toBeGreaterThanOrEqual(0);",
  "expect(true).to.be.true;",
  "expect.assertions(0);",
  "// assert.throws(() => add('1', 2), /numbers/);",
];

test.each(vacuous)("An assertion that cannot fail is none: %s", async (line) => {
  const after = before.replace('assert.throws(() => add("1", 2), /numbers/);', line);
  expect(await becomes(after)).toEqual([`${file} the test "rejects text" no longer asserts anything`]);
});

const weak = [
  "assert.ok(add(1, 2));",
  "assert(add(1, 2));",
  "assert.notEqual(add(1, 2), 4);",
  "assert.doesNotThrow(() => add(1, 2));",
  "expect(add(1, 2)).toBeTruthy();",
  "expect(add(1, 2)).toBeDefined();",
  "expect(add(1, 2)).not.toBeNull();",
  "expect(add(1, 2)).not.toBe(4);",
  "expect(add(1, 2)).toBeInstanceOf(Number);",
  "expect(add(1, 2)).toEqual(expect.anything());",
  "expect(add(1, 2)).toEqual(expect.any(Number));",
  "expect(add(1, 2)).toBeGreaterThan(0);",
  "expect(String(add(1, 2))).toMatch(/.*/);",
  "expect(add(1, 2)).toMatchSnapshot();",
  "expect(add(1, 2)).toMatchObject({});",
  "expect(add(1, 2)).to.exist;",
  "expect(add(1, 2)).to.be.ok;",
  "should.exist(add(1, 2));",
  "t.truthy(add(1, 2));",
];

test.each(weak)("What nearly anything satisfies is weaker than an equality: %s", async (line) => {
  const after = before.replace("assert.equal(add(1, 2), 3);", line);
  expect(await becomes(after)).toEqual([`${file} the test "adds" asserts less: 1 of 2 specific assertions left`]);
});

test("An error of any kind is weaker than the one that was expected.", async () => {
  const less = [`${file} the test "rejects text" asserts less: 0 of 1 specific assertion left`];
  expect(await becomes(before.replace(", /numbers/", ""))).toEqual(less);
  const was = before.replace(
    'assert.throws(() => add("1", 2), /numbers/)',
    'expect(() => add("1", 2)).toThrow("numbers")',
  );
  expect(await becomes(was.replace('toThrow("numbers")', "toThrow()"), was)).toEqual(less);
});

test("Assertions of the file's own making are none.", async () => {
  const body = 'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n';
  const none = [`${file} the test "adds" no longer asserts anything`];
  expect(await becomes(`const expect = () => ({ toBe() {} });\n${body}`, body)).toEqual(none);
  expect(await becomes(`function expect() {\n  return { toBe() {} };\n}\n${body}`, body)).toEqual(none);
  const plain = `${head}test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n`;
  expect(await becomes(plain.replace(/import assert.*\n/, "const assert = { equal() {} };\n"), plain)).toEqual(none);
  expect(await becomes(`${plain}assert.equal = () => {};\n`, plain)).toEqual(none);
});

const old = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
const skippedBy = (option: string, above = "") =>
  `${above}${old}test("links", { skip: ${option} }, () => {\n  assert.equal(size("a"), 5);\n});\n`;

test.each([
  ["noLinks", 'const noLinks = process.platform === "win32" && "needs rights";\n'],
  ['process.platform === "win32"', ""],
  ["!hasGit()", ""],
])("A new test may be skipped where something holds: %s", async (option, above) => {
  expect(await lossesOf({ "test/a.test.js": [old, skippedBy(option, above)] })).toEqual([]);
});

test.each([
  ["true", ""],
  ["!0", ""],
  ['"only if needed"', ""],
  ["never", "const never = true;\n"],
])("A new test that is always skipped is none: %s", async (option, above) => {
  expect(await lossesOf({ "test/a.test.js": [old, skippedBy(option, above)] })).toEqual([
    `test/a.test.js was changed, but the new test "links" is skipped: { skip: ${option} }`,
  ]);
});

test("A test that ran may not be skipped under a condition.", async () => {
  const now = old.replace('"adds", ', '"adds", { skip: isSlow }, ');
  expect(await lossesOf({ "test/a.test.js": [old, now] })).toEqual([
    'test/a.test.js was changed, but the test "adds" is skipped now: { skip: isSlow }, if that holds',
  ]);
});

const written = (body: string, start = "() => {"): string => `import { expect, test } from "vitest";
import { add } from "../src/add.ts";

test("adds", ${start}
${body}
});
`;
const plain = written("  expect(add(1, 2)).toBe(3);");
const later = written("  await expect(add(1, 2)).resolves.toBe(3);", "async () => {");

/** What the guard says when the test nowSays this. */
const nowSays = (after: string, before = plain) => lossesOf({ "test/add.test.ts": [before, after] });
const muted = (how: string) => [
  `test/add.test.ts was changed, but the test "adds" can no longer fail: its assertions ${how}`,
];

test.each([
  ["  return;\n  expect(add(1, 2)).toBe(3);", "come after a return"],
  ["  if (true) return;\n  expect(add(1, 2)).toBe(3);", "come after a return"],
  ["  process.exit(0);\n  expect(add(1, 2)).toBe(3);", "come after the end of the process"],
  ["  if (false) {\n    expect(add(1, 2)).toBe(3);\n  }", "stand behind `(false)`"],
  ["  if (!1) expect(add(1, 2)).toBe(3);", "stand behind `(!1)`"],
  ["  false && expect(add(1, 2)).toBe(3);", "stand behind `false`"],
  ["  while (false) expect(add(1, 2)).toBe(3);", "stand behind `(false)`"],
  ["  if (add(1, 2)) {\n    expect(add(1, 2)).toBe(3);\n  }", "stand behind `if (add(1, 2))`"],
  ["  add(1, 2) && expect(add(1, 2)).toBe(3);", "stand behind `add(1, 2)`"],
  ["  if (process.env.CI) return;\n  expect(add(1, 2)).toBe(3);", "stand behind `if (process.env.CI) return`"],
  ["  try {\n    expect(add(1, 2)).toBe(3);\n  } catch {}", "stand in a try whose catch swallows them"],
  [
    "  try {\n    expect(add(1, 2)).toBe(3);\n  } catch (error) {\n    console.log(error); // throw error;\n  }",
    "stand in a try whose catch swallows them",
  ],
  ["  try {\n    expect(add(1, 2)).toBe(3);\n  } finally {\n    return;\n  }", "stand in a try whose finally returns"],
  ["  for (const sum of []) expect(add(1, 2)).toBe(sum);", "run over an empty list"],
  ["  [].forEach((sum) => expect(add(1, 2)).toBe(sum));", "run over an empty list"],
  ["  () => {\n    expect(add(1, 2)).toBe(3);\n  };", "stand in a function that nothing calls"],
  ["  (async () => {\n    expect(await add(1, 2)).toBe(3);\n  })();", "are not awaited"],
  ["  add(1, 2).then((sum) => {\n    expect(sum).toBe(3);\n  });", "are not awaited"],
  ["  return add(1, 2).then((sum) => expect(sum).toBe(3)).catch(() => {});", "end in a catch that swallows them"],
  [
    "  try {\n    add(1, 2);\n  } catch (error) {\n    expect(error).toBe(3);\n  }",
    "stand in a catch that nothing has to reach",
  ],
])("A test can no longer fail that says %j", async (body, how) => {
  expect(await nowSays(written(body))).toEqual(muted(how));
});

test("A promise that nobody awaits any more mutes its assertion.", async () => {
  expect(await nowSays(later.replace("await expect", "expect"), later)).toEqual(muted("are not awaited"));
  const rejects = later.replace("expect(add(1, 2)).resolves.toBe(3)", 'assert.rejects(add("1"), /numbers/)');
  expect(await nowSays(rejects.replace("await assert", "assert"), rejects)).toEqual(muted("are not awaited"));
});

test("A nested function that is never called asserts nothing.", async () => {
  expect(await nowSays(written("  function later() {\n    expect(add(1, 2)).toBe(3);\n  }"))).toEqual([
    'test/add.test.ts was changed, but the test "adds" no longer asserts anything',
  ]);
});

test("A test after the end of its file, or in a function that nothing calls, is muted.", async () => {
  const [imports = "", ...rest] = plain.split("\n\n");
  expect(await nowSays(`${imports}\nprocess.exit(0);\n\n${rest.join("\n\n")}`)).toEqual(
    muted("come after the end of the process"),
  );
  expect(await nowSays(`${imports}\nfunction never() {\n${rest.join("\n\n")}}\n`)).toEqual(
    muted("stand in a function that nothing calls"),
  );
});

const honest = [
  '  const sum = add(1, 2);\n  if (sum === undefined) throw new Error("no sum");\n  expect(sum).toBe(3);',
  "  expect(add(1, 2)).toBe(3);\n  if (add(0) === null) return;\n  expect(add(0)).toBe(0);",
  "  try {\n    expect(add(1, 2)).toBe(3);\n  } finally {\n    close();\n  }",
  '  try {\n    expect(add(1, 2)).toBe(3);\n  } catch (error) {\n    throw new Error("in add", { cause: error });\n  }',
  '  try {\n    add();\n    expect.fail();\n  } catch (error) {\n    expect(error.message).toBe("numbers");\n  }',
  '  let caught;\n  try {\n    add();\n  } catch (error) {\n    caught = error;\n  }\n  expect(caught.message).toBe("numbers");',
  '  expect.assertions(1);\n  try {\n    add();\n  } catch (error) {\n    expect(error.message).toBe("numbers");\n  }',
  "  if (add.length === 2) {\n    expect(add(1, 2)).toBe(3);\n  } else {\n    expect(add(1)).toBe(3);\n  }",
  "  for (const sum of [3]) expect(add(1, 2)).toBe(sum);",
  "  for (const sum of sums()) expect(add(1, 2)).toBe(sum);",
  "  return add(1, 2).then((sum) => expect(sum).toBe(3));",
  "  const pending = expect(add(1, 2)).resolves.toBe(3);\n  go();\n  return pending;",
  "  function check(sum) {\n    expect(sum).toBe(3);\n  }\n  check(add(1, 2));",
  "  onSum((sum) => {\n    expect(sum).toBe(3);\n  });\n  add(1, 2);",
];

test.each(honest)("A test can still fail that says %j", async (body) => {
  expect(await nowSays(written(body))).toEqual([]);
});

test("A test that calls back when it is done is heard.", async () => {
  const body = "  add(1, 2).then((sum) => {\n    expect(sum).toBe(3);\n    done();\n  });";
  expect(await nowSays(written(body, "(done) => {"))).toEqual([]);
});

const invoice = (body: string, head = ""): string => `import { mock, test } from "node:test";
import assert from "node:assert/strict";
import { Invoice, rates } from "../src/invoice.js";
${head}
test("rounds", () => {
${body}
});
`;
const unfaked = invoice("  assert.equal(new Invoice([1]).tax(), 0.04);");
const invoiceBecomes = (body: string, head = "") =>
  lossesOf({ "test/invoice.test.js": [unfaked, invoice(body, head)] });

test.each([
  ['  mock.method(Invoice.prototype, "tax", () => 0.04);\n  assert.equal(new Invoice([1]).tax(), 0.04);', ""],
  ['  const one = new Invoice([1]);\n  mock.method(one, "tax", () => 0.04);\n  assert.equal(one.tax(), 0.04);', ""],
  [
    '  const one = new Invoice([1]);\n  vi.spyOn(Invoice.prototype, "tax").mockReturnValue(0.04);\n  expect(one.tax()).toBe(0.04);',
    "",
  ],
  ["  Invoice.prototype.tax = () => 0.04;\n  assert.equal(new Invoice([1]).tax(), 0.04);", ""],
  ['  sinon.stub(rates, "of").returns(4);\n  assert.equal(rates.of(1), 4);', ""],
  [
    "  assert.equal(new Invoice([1]).tax(), 0.04);",
    'beforeEach(() => {\n  mock.method(Invoice.prototype, "tax", () => 0.04);\n});',
  ],
])("What a test answers itself proves nothing: %s %s", async (body, head) => {
  expect(await invoiceBecomes(body, head)).toEqual([
    'test/invoice.test.js was changed, but the test "rounds" no longer asserts anything',
  ]);
});

test.each([
  '  mock.method(rates, "of", () => 19);\n  assert.equal(new Invoice([1]).tax(), 0.04);',
  '  mock.method(Invoice.prototype, "tax");\n  assert.equal(new Invoice([1]).tax(), 0.04);',
  '  vi.spyOn(rates, "tax").mockReturnValue(1);\n  assert.equal(new Invoice([1]).tax(), 0.04);',
  '  assert.equal(new Invoice([1]).tax(), 0.04);\n  mock.method(Invoice.prototype, "tax", () => 1);\n  assert.equal(new Invoice([1]).gross(), 2);',
  "  const load = mock.fn(() => 1);\n  assert.equal(new Invoice(load()).tax(), 0.04);\n  assert.equal(load.mock.callCount(), 1);",
])("A stub of what the subject uses is honest: %s", async (body) => {
  expect(await invoiceBecomes(body)).toEqual([]);
});
