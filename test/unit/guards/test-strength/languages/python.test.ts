import { expect, test } from "vitest";
import { modelOf } from "../../../../rig/strength-model.ts";
import { lossesOf } from "../../../../rig/strength.ts";

test("Tests of Python are read as pytest and unittest run them.", async () => {
  expect((await modelOf("cart.py", "python")).split("\n")).toEqual(model.trim().split("\n"));
});

const model = `
test_equal: 10-19 11:strong 12:strong 13:weak 14:weak 15:vacuous 16:vacuous 17:vacuous 18:vacuous 19:vacuous
test_rows (4 cases): 22-25 25:strong
test_no_rows (0 cases): 28-30 30:strong; skipped: @pytest.mark.parametrize([])
test_unknown_rows (? cases): 33-35 35:strong
test_alias: 38-40 40:strong; skipped: @pytest.mark.skipif(…)
test_not_skipped: 43-45 45:strong
test_xfail: 48-50 50:strong; skipped: @pytest.mark.xfail
test_skip_inside: 53-56 56:strong; skipped: pytest.skip() in an if
test_raises: 59-64 61:strong 63:weak
test_loop: 67-71 69:strong*2; muted: are in a loop over an empty list
test_swallowed: 74-78; muted: are caught by \`except AssertionError\`
test_heard: 81-86 84:weak 86:strong
test_early_return: 89-92 92:strong; muted: come after a return
test_after_return: 95-97; muted: come after a return
test_only_if: 100-102 102:strong; muted: are all conditional
test_helper: 109-110 check_total()
TestCart > test_mock: 122-126 125:strong 126:weak
TestCart > TestInner > test_inner: 132-135 133:weak 134:vacuous 135:weak
Old > test_old: 143-149 144:strong 145:strong 146:weak 147:vacuous 148:strong; skipped: @unittest.skip
Flaky > test_flaky: 156-157 157:strong; skipped: self.skipTest()
test_dead: 167-168; muted: are in a branch that never runs
test_twice: 171-172; muted: belong to a test that another of its name replaces
test_twice: 175-176
helper "": 1-1 115:strong 141:weak
helper "check_total": 105-106 106:strong
helper "helper": 128-129 129:strong
helper "test_nothing": 161-162 162:strong
loads sys, unittest, unittest, unittest, pytest, app.cart
`;

const path = "test/test_cart.py";
const before = `import pytest
from app.cart import total


def test_total():
    assert total([1, 2]) == 3
    assert total([5]) == 5


def test_empty():
    assert total([]) is None


@pytest.mark.parametrize("items,expected", [([1], 1), ([2], 2)])
def test_rows(items, expected):
    assert total(items) == expected
`;

/** What the guard says when the text `from` of the file becomes `to`. */
async function becomes(from: string, to: string): Promise<string[]> {
  expect(before).toContain(from);
  return await lossesOf({ [path]: [before, before.replace(from, () => to)] });
}

test("The same file twice is no loss.", async () => {
  expect(await lossesOf({ [path]: [before, before] })).toEqual([]);
});

test.each([
  [
    "delete a test",
    `def test_empty():
    assert total([]) is None
`,
    ``,
    'the test "test_empty" is gone',
  ],
  ["rename it so that nobody collects it", `def test_empty`, `def _test_empty`, 'the test "test_empty" is gone'],
  [
    "skip",
    `def test_empty`,
    `@pytest.mark.skip
def test_empty`,
    'the test "test_empty" is skipped now: @pytest.mark.skip',
  ],
  [
    "expect failure",
    `def test_empty`,
    `@pytest.mark.xfail(strict=False)
def test_empty`,
    'the test "test_empty" is skipped now: @pytest.mark.xfail',
  ],
  [
    "skip inside",
    `def test_empty():
`,
    `def test_empty():
    pytest.skip()
`,
    'the test "test_empty" is skipped now: pytest.skip()',
  ],
  [
    "compare with nothing specific",
    `assert total([]) is None`,
    `assert total([]) is not 5`,
    'the test "test_empty" asserts less: 0 of 1 specific assertion left',
  ],
  [
    "drop an assertion",
    `    assert total([5]) == 5
`,
    ``,
    'the test "test_total" asserts less: 1 of 2 assertions left',
  ],
  [
    "drop the word assert",
    `assert total([]) is None`,
    `total([]) is None`,
    'the test "test_empty" no longer asserts anything',
  ],
  [
    "assert what is always true",
    `assert total([]) is None`,
    `assert total([]) is None or True`,
    'the test "test_empty" no longer asserts anything',
  ],
  [
    "assert a tuple",
    `assert total([]) is None`,
    `assert (total([]) is None, 'empty')`,
    'the test "test_empty" no longer asserts anything',
  ],
  [
    "return early",
    `def test_empty():
`,
    `def test_empty():
    return
`,
    'the test "test_empty" can no longer fail: its assertions come after a return',
  ],
  [
    "swallow the failure",
    `    assert total([]) is None
`,
    `    try:
        assert total([]) is None
    except Exception:
        pass
`,
    'the test "test_empty" can no longer fail: its assertions are caught by `except Exception`',
  ],
  [
    "assert under a condition",
    `    assert total([]) is None
`,
    `    if total([]) is None:
        assert total([]) is None
`,
    'the test "test_empty" can no longer fail: its assertions are all conditional',
  ],
  ["drop a row", `, ([2], 2)]`, `]`, 'the test "test_rows" asserts less: 1 of 2 assertions left'],
  [
    "define it again",
    `def test_empty():
    assert total([]) is None
`,
    `def test_empty():
    assert total([]) is None


def test_empty():
    pass
`,
    'the test "test_empty" can no longer fail: its assertions belong to a test that another of its name replaces',
  ],
  [
    "hide a lost assertion behind rows",
    `def test_total():
    assert total([1, 2]) == 3
    assert total([5]) == 5
`,
    `@pytest.mark.parametrize("n", [1, 2])
def test_total(n):
    assert total([1, 2]) == 3
`,
    'the test "test_total" asserts less: 1 of 2 assertions left in each of its cases',
  ],
])("A cheat is refused: %s.", async (_, from, to, why) => {
  expect(await becomes(from, to)).toEqual([`${path} was changed, but ${why}`]);
});

test.each([
  ["rename a test", `test_empty`, `test_total_of_nothing`],
  [
    "put cases into a table",
    `def test_total():
    assert total([1, 2]) == 3
    assert total([5]) == 5
`,
    `@pytest.mark.parametrize("items,expected", [([1, 2], 3), ([5], 5)])
def test_total(items, expected):
    assert total(items) == expected
`,
  ],
  [
    "loop over cases",
    `    assert total([1, 2]) == 3
    assert total([5]) == 5
`,
    `    for items, expected in [([1, 2], 3), ([5], 5)]:
        assert total(items) == expected
`,
  ],
  [
    "extract a helper",
    `def test_total():
    assert total([1, 2]) == 3
    assert total([5]) == 5
`,
    `def check(items, expected):
    assert total(items) == expected


def test_total():
    check([1, 2], 3)
    check([5], 5)
`,
  ],
  [
    "split a test",
    `    assert total([5]) == 5
`,
    `

def test_total_of_one():
    assert total([5]) == 5
`,
  ],
  [
    "assert more",
    `    assert total([]) is None
`,
    `    assert total([]) is None
    assert total(()) is None
`,
  ],
  [
    "expect an exception instead of nothing",
    `    assert total([]) is None
`,
    `    with pytest.raises(ValueError):
        total([])
`,
  ],
  ["change an expected value", `== 5`, `== 6`],
  [
    "put tests into a class",
    `def test_empty():
    assert total([]) is None
`,
    `class TestEmpty:
    def test_empty(self):
        assert total([]) is None
`,
  ],
  [
    "write it for unittest",
    `def test_empty():
    assert total([]) is None
`,
    `class TestEmpty(unittest.TestCase):
    def test_empty(self):
        self.assertIsNone(total([]))
`,
  ],
])("An honest edit passes: %s.", async (_, from, to) => {
  expect(await becomes(from, to)).toEqual([]);
});

test("A helper that is given several values asserts for each of them.", async () => {
  const single = `def test_shares():
    parts = split(10, 3)
    assert parts[0] == 4
    assert parts[1] == 3
    assert parts[2] == 3
`;
  const helped = (parameter: string, list: string, values: string) => `def check_shares(amount, ${parameter}):
    for part, wanted in ${list}:
        assert part == wanted


def test_shares():
    check_shares(10, ${values})
`;
  const zipped = "zip(split(10, 3), want)";
  expect(await lossesOf({ [path]: [single, helped("*want", zipped, "4, 3, 3")] })).toEqual([]);
  expect(await lossesOf({ [path]: [single, helped("want: list", zipped, "[4, 3, 3]")] })).toEqual([]);
  expect(await lossesOf({ [path]: [single, helped("*want", zipped, "4, 3")] })).toEqual([
    `${path} was changed, but the test "test_shares" asserts less: 2 of 3 assertions left`,
  ]);
  expect(await lossesOf({ [path]: [single, helped("*want", "zip(split(10, 3), rest)", "4, 3, 3")] })).toHaveLength(1);
});

const invoices = `import unittest
from unittest.mock import patch
from billing import invoice as module
from billing.invoice import Invoice


class InvoiceTest(unittest.TestCase):
    def setUp(self):
        self.invoice = Invoice()

    def test_net(self):
        self.assertEqual(self.invoice.net(), 10)

    def test_gross(self):
        self.assertEqual(self.invoice.gross(), 119)

    def test_rounded(self):
        total = module.rounded(5)
        assert total == 5
`;
const inGross = (before: string, within: string) =>
  invoices
    .replace("    def test_gross(self", `${before}    def test_gross(self`)
    .replace("self.assertEqual(self.invoice.gross(), 119)", within);
const gross = "self.assertEqual(self.invoice.gross(), 119)";

test.each([
  ["a decorator", inGross('    @patch("billing.invoice.Invoice.gross", return_value=119)\n', gross)],
  ["patch.object", inGross('    @patch.object(Invoice, "gross", return_value=119)\n', gross)],
  ["a with", inGross("", `with patch("billing.invoice.Invoice.gross", return_value=119):\n            ${gross}`)],
  ["an assignment", inGross("", `Invoice.gross = lambda self: 119\n        ${gross}`)],
  ["a member of an object", inGross("", `self.invoice.gross = MagicMock(return_value=119)\n        ${gross}`)],
  ["a new object", inGross('    @patch.object(Invoice, "gross")\n', "assert Invoice().gross() == 119")],
  ["set-up", invoices.replace("self.invoice = ", 'patch.object(Invoice, "gross").start()\n        self.invoice = ')],
])("A test that asserts what a mock returns asserts nothing: %s.", async (_, after) => {
  expect(await lossesOf({ [path]: [invoices, after] })).toEqual([
    `${path} was changed, but the test "InvoiceTest > test_gross" no longer asserts anything`,
  ]);
});

test("So does one that keeps the answer in a variable.", async () => {
  const after = invoices.replace("total = ", "module.rounded = Mock(return_value=5)\n        total = ");
  expect(await lossesOf({ [path]: [invoices, after] })).toEqual([
    `${path} was changed, but the test "InvoiceTest > test_rounded" no longer asserts anything`,
  ]);
});

test.each([
  ["of what it uses", inGross('    @patch("billing.invoice.Invoice.net", return_value=100)\n', gross)],
  ["of a namesake", inGross('    @patch("billing.tax.Tax.gross", return_value=119)\n', gross)],
  ["that is over", inGross("", `with patch.object(Invoice, "gross"):\n            pay()\n        ${gross}`)],
  ["that looks on", inGross('    @patch.object(Invoice, "gross", wraps=Invoice.gross)\n', gross)],
  [
    "of another class of tests",
    `${invoices}\n\n@patch.object(Invoice, "gross")\nclass PayTest(unittest.TestCase):\n    def test_pay(self):\n        self.assertEqual(pay(), 3)\n`,
  ],
])("A mock %s is fair.", async (_, after) => {
  expect(await lossesOf({ [path]: [invoices, after] })).toEqual([]);
});

test("A mock of all that a test calls is refused, a mock of what that uses is not.", async () => {
  const source = { "app/cart.py": ["", "def total(items):\n    return fetch(items)\n"] } as const;
  const mocked = (name: string) =>
    before.replace("def test_empty():", `@mock.patch("app.cart.${name}")\ndef test_empty(fake):`);
  const only = (text: string) =>
    text.slice(0, text.indexOf("def test_total")) + text.slice(text.indexOf("@mock"), text.indexOf("@pytest"));
  expect(await lossesOf({ ...source, [path]: [null, only(mocked("total"))] })).toEqual([
    `${path} was created, but it mocks everything it tests: app.cart`,
  ]);
  expect(await lossesOf({ ...source, [path]: [null, only(mocked("fetch"))] })).toEqual([]);
  expect(await lossesOf({ ...source, [path]: [before, mocked("total")] })).toEqual([]);
});
