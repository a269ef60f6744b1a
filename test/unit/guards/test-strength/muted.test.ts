import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

const adds = (body: string, start = "() => {"): string => `import { expect, test } from "vitest";
import { add } from "../src/add.ts";

test("adds", ${start}
${body}
});
`;
const plain = adds("  expect(add(1, 2)).toBe(3);");
const later = adds("  await expect(add(1, 2)).resolves.toBe(3);", "async () => {");

/** What the guard says when the test becomes this. */
const becomes = (after: string, before = plain) => lossesOf({ "test/add.test.ts": [before, after] });
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
  expect(await becomes(adds(body))).toEqual(muted(how));
});

test("A promise that nobody awaits any more mutes its assertion.", async () => {
  expect(await becomes(later.replace("await expect", "expect"), later)).toEqual(muted("are not awaited"));
  const rejects = later.replace("expect(add(1, 2)).resolves.toBe(3)", 'assert.rejects(add("1"), /numbers/)');
  expect(await becomes(rejects.replace("await assert", "assert"), rejects)).toEqual(muted("are not awaited"));
});

test("A nested function that is never called asserts nothing.", async () => {
  expect(await becomes(adds("  function later() {\n    expect(add(1, 2)).toBe(3);\n  }"))).toEqual([
    'test/add.test.ts was changed, but the test "adds" no longer asserts anything',
  ]);
});

test("A test after the end of its file, or in a function that nothing calls, is muted.", async () => {
  const [imports = "", ...rest] = plain.split("\n\n");
  expect(await becomes(`${imports}\nprocess.exit(0);\n\n${rest.join("\n\n")}`)).toEqual(
    muted("come after the end of the process"),
  );
  expect(await becomes(`${imports}\nfunction never() {\n${rest.join("\n\n")}}\n`)).toEqual(
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
  expect(await becomes(adds(body))).toEqual([]);
});

test("A test that calls back when it is done is heard.", async () => {
  const body = "  add(1, 2).then((sum) => {\n    expect(sum).toBe(3);\n    done();\n  });";
  expect(await becomes(adds(body, "(done) => {"))).toEqual([]);
});
