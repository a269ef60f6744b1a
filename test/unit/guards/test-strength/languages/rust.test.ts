import { expect, test } from "vitest";
import { modelOf } from "../../../../rig/strength-model.ts";
import { lossesOf } from "../../../../rig/strength.ts";

test("Tests of Rust are read as cargo, rstest and proptest run them.", async () => {
  expect((await modelOf("cart.rs", "rust")).split("\n")).toEqual(model.trim().split("\n"));
});

const model = `
tests > equal: 14-28 16:strong 17:strong/3 18:weak 19:strong 20:weak 21:strong 22:vacuous 23:vacuous 24:weak 26:strong 27:vacuous check()
tests > ignored: 30-34 33:strong; skipped: #[ignore]
tests > panics: 36-40 38:strong
tests > hidden: 42-46 44:weak; muted: are expected to fail by #[should_panic]
tests > cfgd: 48-52 51:strong; skipped: #[cfg(feature = "slow")]
tests > unix: 54-58 57:strong
tests > maybe: 60-65 63:strong; muted: are all conditional
tests > either: 67-73 70:strong 71:weak
tests > swallowed: 75-80; muted: are caught by \`catch_unwind\`
tests > rows: 82-91 85:strong*2 check()*3
tests > early: 93-99 98:strong; muted: come after a return
tests > returned: 101-105; muted: come after a return
tests > parametrised (2 cases): 111-116 115:strong
tests > prop: 120-123 121:strong check()
tests > prop_two: 126-128 127:weak; skipped: #[ignore]
helper "": 1-1
helper "check": 107-109 108:strong
loads crate::cart::total, super::*
`;

const path = "src/cart.rs";
const before = `pub fn total(items: &[i32]) -> i32 {
    items.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3);
        assert_eq!(total(&[5]), 5);
    }

    #[test]
    fn empty() {
        assert_eq!(total(&[]), 0);
    }
}
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
    `    #[test]
    fn empty() {
        assert_eq!(total(&[]), 0);
    }
`,
    ``,
    'the test "tests > empty" is gone',
  ],
  [
    "drop its attribute",
    `    #[test]
    fn empty`,
    `    #[allow(dead_code)]
    fn empty`,
    'the test "tests > empty" is gone',
  ],
  [
    "ignore",
    `    #[test]
    fn empty`,
    `    #[test]
    #[ignore]
    fn empty`,
    'the test "tests > empty" is skipped now: #[ignore]',
  ],
  [
    "build it nowhere",
    `    #[test]
    fn empty`,
    `    #[test]
    #[cfg(any())]
    fn empty`,
    'the test "tests > empty" is skipped now: #[cfg(any())]',
  ],
  [
    "expect a panic",
    `    #[test]
    fn empty`,
    `    #[test]
    #[should_panic]
    fn empty`,
    'the test "tests > empty" can no longer fail: its assertions are expected to fail by #[should_panic]',
  ],
  [
    "compare with nothing specific",
    `assert_eq!(total(&[]), 0)`,
    `assert_ne!(total(&[]), 7)`,
    'the test "tests > empty" asserts less: 0 of 1 specific assertion left',
  ],
  [
    "drop an assertion",
    `        assert_eq!(total(&[5]), 5);
`,
    ``,
    'the test "tests > adds" asserts less: 1 of 2 assertions left',
  ],
  [
    "assert what is always true",
    `assert_eq!(total(&[]), 0)`,
    `assert!(total(&[]) == 0 || true)`,
    'the test "tests > empty" no longer asserts anything',
  ],
  [
    "only look",
    `assert_eq!(total(&[]), 0);`,
    `let _ = total(&[]) == 0;`,
    'the test "tests > empty" no longer asserts anything',
  ],
  [
    "return early",
    `    fn empty() {
`,
    `    fn empty() {
        return;
`,
    'the test "tests > empty" can no longer fail: its assertions come after a return',
  ],
  [
    "catch the panic",
    `assert_eq!(total(&[]), 0);`,
    `let _ = std::panic::catch_unwind(|| assert_eq!(total(&[]), 0));`,
    'the test "tests > empty" can no longer fail: its assertions are caught by `catch_unwind`',
  ],
  [
    "assert only where it fits",
    `assert_eq!(total(&[]), 0);`,
    `if let 0 = total(&[]) {
            assert_eq!(total(&[]), 0);
        }`,
    'the test "tests > empty" can no longer fail: its assertions are all conditional',
  ],
])("A cheat is refused: %s.", async (_, from, to, why) => {
  expect(await becomes(from, to)).toEqual([`${path} was changed, but ${why}`]);
});

test.each([
  ["rename a test", `fn empty`, `fn total_of_nothing`],
  [
    "loop over cases",
    `        assert_eq!(total(&[1, 2]), 3);
        assert_eq!(total(&[5]), 5);
`,
    `        for (items, expected) in [(vec![1, 2], 3), (vec![5], 5)] {
            assert_eq!(total(&items), expected);
        }
`,
  ],
  [
    "put cases into a table",
    `    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3);
        assert_eq!(total(&[5]), 5);
`,
    `    #[rstest]
    #[case(&[1, 2], 3)]
    #[case(&[5], 5)]
    fn adds(#[case] items: &[i32], #[case] expected: i32) {
        assert_eq!(total(items), expected);
`,
  ],
  [
    "extract a helper",
    `        assert_eq!(total(&[1, 2]), 3);
        assert_eq!(total(&[5]), 5);
    }
`,
    `        check(&[1, 2], 3);
        check(&[5], 5);
    }

    fn check(items: &[i32], expected: i32) {
        assert_eq!(total(items), expected);
    }
`,
  ],
  [
    "split a test",
    `        assert_eq!(total(&[5]), 5);
`,
    `    }

    #[test]
    fn adds_one() {
        assert_eq!(total(&[5]), 5);
`,
  ],
  [
    "assert more",
    `assert_eq!(total(&[]), 0);`,
    `assert_eq!(total(&[]), 0);
        assert_eq!(total(&[0]), 0);`,
  ],
  [
    "make it async",
    `    #[test]
    fn empty() {
        assert_eq!(total(&[]), 0);`,
    `    #[tokio::test]
    async fn empty() {
        assert_eq!(total(&[]).await, 0);`,
  ],
  [
    "drop an assertion of the product",
    `    items.iter().sum()
`,
    `    debug_assert!(items.len() < 9);
    items.iter().sum()
`,
  ],
])("An honest edit passes: %s.", async (_, from, to) => {
  expect(await becomes(from, to)).toEqual([]);
});
