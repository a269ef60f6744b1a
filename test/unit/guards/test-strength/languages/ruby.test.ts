import { expect, test } from "vitest";
import { modelOf } from "../../../../rig/strength-model.ts";
import { lossesOf } from "../../../../rig/strength.ts";

test("Tests of Ruby are read as minitest, test-unit and RSpec run them.", async () => {
  expect((await modelOf("cart.rb", "ruby")).split("\n")).toEqual(model.trim().split("\n"));
});

const model = `
CartTest > test_equal: 10-23 11:strong 12:strong/3 13:vacuous 14:strong 15:weak 16:vacuous 17:weak 18:strong 19:weak 20:strong 21:weak check_total()
CartTest > test_skipped: 25-28 27:strong; skipped: skip
CartTest > test_skipped_sometimes: 30-33 32:strong; skipped: skip in an if
CartTest > test_rescued: 35-39; muted: are caught by \`rescue Minitest::Assertion\`
CartTest > test_begin: 41-47 43:strong 45:weak
CartTest > test_early: 49-52 51:strong; muted: come after a return
CartTest > test_rows: 54-59 56:strong*2; muted: are in a loop over an empty list
CartTest > test_if: 61-65 63:strong; muted: are all conditional
CartTest > test_empty: 67-68
CartTest > a block: 70-72 71:strong
Cart > when empty > is nil: 83-95 84:strong 85:strong 86:strong/2 87:weak 88:weak 89:weak 90:vacuous 91:strong 92:weak 93:strong 94:strong
Cart > when empty > is_expected.to be_valid: 97-97 97:weak
Cart > when empty > is to be written: 98-98; skipped: it without a body
Cart > when empty > is crossed out: 99-101 100:strong; skipped: xit
Cart > when empty > is focused: 102-104 103:strong; focused: fit
Cart > when empty > is focused by a mark: 105-107 106:strong; focused: focus: true
Cart > when empty > is skipped by a mark: 108-110 109:strong; skipped: skip: "later"
Cart > when empty > is pending: 111-114 113:strong; skipped: pending
Cart > when empty > adds #{n} (2 cases): 116-119 118:strong
helper "": 1-1 7:weak 80:weak
helper "check_total": 74-76 75:strong
loads ../lib/cart
`;

const path = "spec/cart_spec.rb";
const before = `RSpec.describe Cart do
  it "adds" do
    expect(cart.total(1, 2)).to eq(3)
    expect(cart.total(5)).to eq(5)
  end

  it "is empty" do
    expect(cart.total).to be_nil
  end
end

class CartTest < Minitest::Test
  def test_total
    assert_equal 7, cart.total(3, 4)
  end
end
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
    `  it "is empty" do
    expect(cart.total).to be_nil
  end
`,
    ``,
    'the test "Cart > is empty" is gone',
  ],
  ["rename it so that nobody runs it", `def test_total`, `def check_total`, 'the test "CartTest > test_total" is gone'],
  ["cross it out", `it "is empty"`, `xit "is empty"`, 'the test "Cart > is empty" is skipped now: xit'],
  [
    "mark it as pending",
    `it "is empty" do`,
    `it "is empty", :pending do`,
    'the test "Cart > is empty" is skipped now: :pending',
  ],
  [
    "skip inside",
    `  def test_total
`,
    `  def test_total
    skip
`,
    'the test "CartTest > test_total" is skipped now: skip',
  ],
  ["focus another", `it "is empty"`, `fit "is empty"`, 'the test "Cart > is empty" keeps others from running: fit'],
  [
    "focus by a mark",
    `it "is empty" do`,
    `it "is empty", focus: true do`,
    'the test "Cart > is empty" keeps others from running: focus: true',
  ],
  [
    "compare with nothing specific",
    `to be_nil`,
    `not_to eq(7)`,
    'the test "Cart > is empty" asserts less: 0 of 1 specific assertion left',
  ],
  [
    "drop an assertion",
    `    expect(cart.total(5)).to eq(5)
`,
    ``,
    'the test "Cart > adds" asserts less: 1 of 2 assertions left',
  ],
  [
    "compare a literal with itself",
    `assert_equal 7, cart.total(3, 4)`,
    `assert_equal 7, 7`,
    'the test "CartTest > test_total" no longer asserts anything',
  ],
  [
    "return early",
    `  def test_total
`,
    `  def test_total
    return if ENV["CI"]
`,
    'the test "CartTest > test_total" can no longer fail: its assertions come after a return',
  ],
  [
    "swallow the failure",
    `    assert_equal 7, cart.total(3, 4)
`,
    `    assert_equal 7, cart.total(3, 4)
  rescue Exception
    nil
`,
    'the test "CartTest > test_total" can no longer fail: its assertions are caught by `rescue Exception`',
  ],
  [
    "swallow it in a line",
    `    assert_equal 7, cart.total(3, 4)
`,
    `    assert_equal(7, cart.total(3, 4)) rescue nil
`,
    'the test "CartTest > test_total" can no longer fail: its assertions are caught by `rescue`',
  ],
])("A cheat is refused: %s.", async (_, from, to, why) => {
  expect(await becomes(from, to)).toEqual([`${path} was changed, but ${why}`]);
});

test.each([
  ["rename a test", `"is empty"`, `"has no total of nothing"`],
  [
    "put cases into a table",
    `  it "adds" do
    expect(cart.total(1, 2)).to eq(3)
    expect(cart.total(5)).to eq(5)
  end
`,
    `  [[[1, 2], 3], [[5], 5]].each do |items, expected|
    it "adds #{items}" do
      expect(cart.total(*items)).to eq(expected)
    end
  end
`,
  ],
  [
    "extract a helper",
    `  def test_total
    assert_equal 7, cart.total(3, 4)
  end
`,
    `  def test_total
    check_total 7, 3, 4
  end

  def check_total(expected, *items)
    assert_equal expected, cart.total(*items)
  end
`,
  ],
  [
    "split a test",
    `    expect(cart.total(5)).to eq(5)
`,
    `  end

  it "adds one" do
    expect(cart.total(5)).to eq(5)
`,
  ],
  [
    "assert more",
    `to be_nil`,
    `to be_nil
    expect(cart.items).to eq([])`,
  ],
  [
    "nest a test",
    `  it "is empty" do
    expect(cart.total).to be_nil
  end
`,
    `  context "with nothing" do
    it "is empty" do
      expect(cart.total).to be_nil
    end
  end
`,
  ],
  [
    "write it as a spec of minitest",
    `  def test_total
    assert_equal 7, cart.total(3, 4)
  end
`,
    `  it "totals" do
    _(cart.total(3, 4)).must_equal 7
  end
`,
  ],
])("An honest edit passes: %s.", async (_, from, to) => {
  expect(await becomes(from, to)).toEqual([]);
});
