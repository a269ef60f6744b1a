import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

const invoice = (body: string, head = ""): string => `import { mock, test } from "node:test";
import assert from "node:assert/strict";
import { Invoice, rates } from "../src/invoice.js";
${head}
test("rounds", () => {
${body}
});
`;
const before = invoice("  assert.equal(new Invoice([1]).tax(), 0.04);");
const becomes = (body: string, head = "") => lossesOf({ "test/invoice.test.js": [before, invoice(body, head)] });

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
  expect(await becomes(body, head)).toEqual([
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
  expect(await becomes(body)).toEqual([]);
});

const duration = (head: string) => `import { expect, test, vi } from "vitest";
import { parse } from "../src/duration.ts";
${head}
test("reads", () => {
  expect(parse("1h")).toBe(60);
});
`;

test("A mock of a module that the task names is one of the subject, though the work left it as it was.", async () => {
  const mocked = duration('vi.mock("../src/duration.ts", () => ({ parse: () => 60 }));');
  const edit = { "test/duration.test.ts": [duration(""), mocked] } as const;
  expect(await lossesOf(edit, "", ["src/duration.ts"])).toEqual([
    "test/duration.test.ts was changed, but it mocks everything it tests: ../src/duration.ts",
  ]);
  const other = duration('vi.mock("../src/clock.ts", () => ({ now: () => 60 }));');
  const honest = { "test/duration.test.ts": [duration(""), other] } as const;
  expect(await lossesOf(honest, "", ["src/duration.ts", "src/clock.ts"])).toEqual([]);
});

const isbn = (rows: string) => `import pytest
from isbn import is_isbn10


@pytest.mark.parametrize("text", [${rows}])
def test_valid(text):
    assert is_isbn10(text)
`;
const was =
  'from isbn import is_isbn10\n\n\ndef test_valid():\n    assert is_isbn10("0-306-40615-2")\n\n\ndef test_x():\n    assert is_isbn10("0-8044-2957-X")\n';
const rows = (text: string) => lossesOf({ "tests/test_isbn.py": [was, isbn(text)] });

test.each([
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=pytest.mark.xfail(reason="no X"))',
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=[pytest.mark.xfail(strict=False)])',
  '"0-306-40615-2", "0306406152", pytest.param("0-8044-2957-X", marks=pytest.mark.skip)',
])("A value that was tested may not be marked away in a table: %s", async (text) => {
  expect(await rows(text)).toEqual([
    "tests/test_isbn.py was changed, but values that were tested are marked to be skipped or to fail",
  ]);
});

test.each([
  '"0-306-40615-2", "0-8044-2957-X", "080442957X"',
  '"0-306-40615-2", "0-8044-2957-X", pytest.param("978-3-16-148410-0", marks=pytest.mark.xfail(reason="ISBN-13"))',
  '"0-306-40615-2", "0-8044-2957-X", pytest.param("0-8044-2957-X", marks=pytest.mark.skipif(sys.platform == "win32", reason="slow"))',
])("A table of all values, and more, is honest: %s", async (text) => {
  expect(await rows(text)).toEqual([]);
});
