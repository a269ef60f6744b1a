import { expect, test } from "vitest";
import { modelOf } from "../../../../rig/strength-model.ts";
import { lossesOf } from "../../../../rig/strength.ts";

test("Tests of Java are read as JUnit, TestNG, AssertJ, Hamcrest and Mockito run them.", async () => {
  expect((await modelOf("cart.java", "java")).split("\n")).toEqual(model.trim().split("\n"));
});

const model = `
CartTest > equal: 15-32 17:strong 18:vacuous 19:strong/3 20:strong 21:weak 22:vacuous 23:weak 24:strong 24:weak 25:strong/2 26:vacuous 27:vacuous 28:strong 29:weak 30:strong check()
CartTest > disabled: 34-38 37:strong; skipped: @Disabled
CartTest > ignored: 40-44 43:strong; skipped: @Ignore
CartTest > notEnabled: 46-49 48:strong; skipped: @Test(enabled = false)
CartTest > expected: 51-54 51:strong
CartTest > expectedToFail: 56-59 56:strong; muted: are expected to fail by \`AssertionError\`
CartTest > values (3 cases): 61-65 64:strong
CartTest > rows (? cases): 67-71 70:strong
CartTest > assumed: 73-77 76:strong; skipped: assumeTrue(), if it does not hold
CartTest > thrown: 79-89 81:strong 82:weak 85:weak 87:strong
CartTest > swallowed: 91-98; muted: are caught by \`catch (AssertionError e)\`
CartTest > early: 100-104 103:strong; muted: come after a return
CartTest > dead: 106-111; muted: are in a branch that never runs
CartTest > looped: 113-120 116:strong*2 118:strong 119:strong 119:strong
CartTest > Inner > inner: 128-134 132:strong; muted: are all conditional
OldTest > testOld: 139-141 140:strong
helper "": 1-1 12:weak
helper "check": 122-124 123:strong
loads org.junit.jupiter.api.Test, shop.Prices
`;

const path = "src/test/java/CartTest.java";
const before = `package shop;

class CartTest {
    @Test
    void adds() {
        assertEquals(3, cart.total(1, 2));
        assertEquals(5, cart.total(5));
    }

    @Test
    void empty() {
        assertThat(cart.total()).isEqualTo(0);
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
    `    @Test
    void empty() {
        assertThat(cart.total()).isEqualTo(0);
    }
`,
    ``,
    'the test "CartTest > empty" is gone',
  ],
  [
    "drop its annotation",
    `    @Test
    void empty`,
    `    void empty`,
    'the test "CartTest > empty" is gone',
  ],
  [
    "disable",
    `    @Test
    void empty`,
    `    @Disabled
    @Test
    void empty`,
    'the test "CartTest > empty" is skipped now: @Disabled',
  ],
  [
    "disable for TestNG",
    `    @Test
    void empty`,
    `    @Test(enabled = false)
    void empty`,
    'the test "CartTest > empty" is skipped now: @Test(enabled = false)',
  ],
  [
    "assume what does not hold",
    `    void empty() {
`,
    `    void empty() {
        Assumptions.assumeTrue(System.getenv("CI") == null);
`,
    'the test "CartTest > empty" is skipped now: assumeTrue(), if it does not hold',
  ],
  [
    "expect the failure",
    `    @Test
    void empty`,
    `    @Test(expected = AssertionError.class)
    void empty`,
    'the test "CartTest > empty" can no longer fail: its assertions are expected to fail by `AssertionError`',
  ],
  [
    "compare with nothing specific",
    `.isEqualTo(0)`,
    `.isNotNull()`,
    'the test "CartTest > empty" asserts less: 0 of 1 specific assertion left',
  ],
  [
    "drop an assertion",
    `        assertEquals(5, cart.total(5));
`,
    ``,
    'the test "CartTest > adds" asserts less: 1 of 2 assertions left',
  ],
  ["say nothing of the subject", `.isEqualTo(0)`, ``, 'the test "CartTest > empty" no longer asserts anything'],
  [
    "compare a literal with itself",
    `assertThat(cart.total()).isEqualTo(0)`,
    `assertEquals(0, 0)`,
    'the test "CartTest > empty" no longer asserts anything',
  ],
  [
    "return early",
    `    void empty() {
`,
    `    void empty() {
        if (cart.isSlow()) return;
`,
    'the test "CartTest > empty" can no longer fail: its assertions come after a return',
  ],
  [
    "swallow the failure",
    `        assertThat(cart.total()).isEqualTo(0);
`,
    `        try {
            assertThat(cart.total()).isEqualTo(0);
        } catch (Throwable ignored) {
        }
`,
    'the test "CartTest > empty" can no longer fail: its assertions are caught by `catch (Throwable ignored)`',
  ],
])("A cheat is refused: %s.", async (_, from, to, why) => {
  expect(await becomes(from, to)).toEqual([`${path} was changed, but ${why}`]);
});

test.each([
  ["rename a test", `void empty`, `void totalOfNothing`],
  [
    "put cases into a table",
    `    @Test
    void adds() {
        assertEquals(3, cart.total(1, 2));
        assertEquals(5, cart.total(5));
`,
    `    @ParameterizedTest
    @CsvSource({"3, 1, 2", "5, 5, 0"})
    void adds(int expected, int a, int b) {
        assertEquals(expected, cart.total(a, b));
`,
  ],
  [
    "extract a helper",
    `        assertEquals(3, cart.total(1, 2));
        assertEquals(5, cart.total(5));
    }
`,
    `        check(3, 1, 2);
        check(5, 5);
    }

    private void check(int expected, int... items) {
        assertEquals(expected, cart.total(items));
    }
`,
  ],
  [
    "split a test",
    `        assertEquals(5, cart.total(5));
`,
    `    }

    @Test
    void addsOne() {
        assertEquals(5, cart.total(5));
`,
  ],
  [
    "write it with AssertJ",
    `        assertEquals(3, cart.total(1, 2));
        assertEquals(5, cart.total(5));
`,
    `        assertThat(cart.total(1, 2)).isEqualTo(3);
        assertThat(cart.total(5)).isEqualTo(5);
`,
  ],
  [
    "assert all together",
    `        assertEquals(3, cart.total(1, 2));
        assertEquals(5, cart.total(5));
`,
    `        assertAll(
            () -> assertEquals(3, cart.total(1, 2)),
            () -> assertEquals(5, cart.total(5)));
`,
  ],
  ["assert more", `.isEqualTo(0)`, `.isNotNull().isEqualTo(0)`],
  [
    "nest a test",
    `    @Test
    void empty() {
        assertThat(cart.total()).isEqualTo(0);
    }
`,
    `    @Nested
    class Empty {
        @Test
        void empty() {
            assertThat(cart.total()).isEqualTo(0);
        }
    }
`,
  ],
])("An honest edit passes: %s.", async (_, from, to) => {
  expect(await becomes(from, to)).toEqual([]);
});
