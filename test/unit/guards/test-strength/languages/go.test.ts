import { expect, test } from "vitest";
import { modelOf } from "../../../../rig/strength-model.ts";
import { lossesOf } from "../../../../rig/strength.ts";

test("Tests of Go are read as testing and testify run them.", async () => {
  expect((await modelOf("cart.go", "go")).split("\n")).toEqual(model.trim().split("\n"));
});

const model = `
TestTotal: 9-33 12:weak 15:strong 18:strong 21:weak 24:vacuous 31:strong; muted: are in a branch that never runs
TestTable: 35-50 40:strong*2 46:strong*2
TestSub: 52-66 testThree()
TestSub > one: 53-60 54:strong 55:weak 56:vacuous 57:strong 58:vacuous 59:weak
TestSub > two: 61-64 63:strong; skipped: t.Skip()
TestShort: 79-84 checkTotal(); skipped: t.Skip() in an if
TestCI: 97-100 skipOnCI() checkTotal(); skipped: t.SkipNow()
TestReturns: 102-110 108:strong checkTotal(); muted: come after a return
TestReturned: 112-115; muted: come after a return
TestLogged: 117-122
CartSuite > TestAdd: 127-131 128:strong 129:strong 130:weak
ExampleTotal: 133-136 135:strong
FuzzTotal: 142-149 146:weak
helper "": 1-1 126:weak
helper "testThree": 68-77 70:strong check()
helper "check": 71-75 73:strong
helper "checkTotal": 86-91 89:strong
helper "skipOnCI": 93-95
helper "ExampleNothing": 138-140
helper "BenchmarkTotal": 151-155 153:strong
helper "TestNoArgs": 157-157
helper "Testing": 158-158
loads testing
`;

const path = "cart_test.go";
const before = `package cart

import "testing"

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d", got)
	}
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
}

func TestEmpty(t *testing.T) {
	assert.Equal(t, 0, Total())
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
    `func TestEmpty(t *testing.T) {
	assert.Equal(t, 0, Total())
}
`,
    ``,
    'the test "TestEmpty" is gone',
  ],
  ["rename it so that nobody runs it", `func TestEmpty`, `func testEmpty`, 'the test "TestEmpty" is gone'],
  [
    "skip",
    `func TestEmpty(t *testing.T) {
`,
    `func TestEmpty(t *testing.T) {
	t.Skip()
`,
    'the test "TestEmpty" is skipped now: t.Skip()',
  ],
  [
    "skip in short runs",
    `func TestEmpty(t *testing.T) {
`,
    `func TestEmpty(t *testing.T) {
	if testing.Short() {
		t.SkipNow()
	}
`,
    'the test "TestEmpty" is skipped now: t.SkipNow() in an if',
  ],
  [
    "compare with nothing specific",
    `assert.Equal(t, 0, Total())`,
    `assert.NotNil(t, Total())`,
    'the test "TestEmpty" asserts less: 0 of 1 specific assertion left',
  ],
  [
    "drop an assertion",
    `	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    ``,
    'the test "TestTotal" asserts less: 1 of 2 assertions left',
  ],
  [
    "only log",
    `t.Errorf("Total(5) = %d", got)`,
    `t.Logf("Total(5) = %d", got)`,
    'the test "TestTotal" asserts less: 1 of 2 assertions left',
  ],
  [
    "compare a value with itself",
    `assert.Equal(t, 0, Total())`,
    `got := Total()
	assert.Equal(t, got, got)`,
    'the test "TestEmpty" no longer asserts anything',
  ],
  [
    "return early",
    `func TestEmpty(t *testing.T) {
`,
    `func TestEmpty(t *testing.T) {
	if os.Getenv("CI") != "" {
		return
	}
`,
    'the test "TestEmpty" can no longer fail: its assertions come after a return',
  ],
  [
    "put it into a branch that never runs",
    `	assert.Equal(t, 0, Total())
`,
    `	if false {
		assert.Equal(t, 0, Total())
	}
`,
    'the test "TestEmpty" can no longer fail: its assertions are in a branch that never runs',
  ],
])("A cheat is refused: %s.", async (_, from, to, why) => {
  expect(await becomes(from, to)).toEqual([`${path} was changed, but ${why}`]);
});

test.each([
  ["rename a test", `TestEmpty`, `TestTotalOfNothing`],
  [
    "put cases into a table",
    `	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d", got)
	}
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    `	tests := []struct {
		name string
		in   []int
		want int
	}{
		{"two", []int{1, 2}, 3},
		{"one", []int{5}, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Total(tt.in...); got != tt.want {
				t.Errorf("Total(%v) = %d", tt.in, got)
			}
		})
	}
`,
  ],
  [
    "make subtests",
    `	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d", got)
	}
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    `	t.Run("two", func(t *testing.T) {
		if got := Total(1, 2); got != 3 {
			t.Errorf("Total(1, 2) = %d", got)
		}
	})
	t.Run("one", func(t *testing.T) {
		if got := Total(5); got != 5 {
			t.Errorf("Total(5) = %d", got)
		}
	})
`,
  ],
  [
    "extract a helper",
    `	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d", got)
	}
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
}
`,
    `	checkTotal(t, 3, 1, 2)
	checkTotal(t, 5, 5)
}

func checkTotal(t *testing.T, want int, in ...int) {
	t.Helper()
	if got := Total(in...); got != want {
		t.Errorf("Total(%v) = %d", in, got)
	}
}
`,
  ],
  [
    "split a test",
    `	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    `}

func TestTotalOfOne(t *testing.T) {
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
  ],
  [
    "write it with testify",
    `	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d", got)
	}
	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    `	assert.Equal(t, 3, Total(1, 2))
	assert.Equal(t, 5, Total(5))
`,
  ],
  [
    "assert more",
    `assert.Equal(t, 0, Total())`,
    `assert.Equal(t, 0, Total())
	assert.Equal(t, 0, Total(0))`,
  ],
  [
    "stop after an error",
    `	if got := Total(5); got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
    `	got, err := TryTotal(5)
	if err != nil {
		t.Error(err)
		return
	}
	if got != 5 {
		t.Errorf("Total(5) = %d", got)
	}
`,
  ],
])("An honest edit passes: %s.", async (_, from, to) => {
  expect(await becomes(from, to)).toEqual([]);
});

test("A TestMain that ends with 0 whatever its tests say skips them; one that hands their code on does not.", async () => {
  const main = (body: string) => `${before}\nfunc TestMain(m *testing.M) {\n${body}\n}\n`;
  const skipped = "is skipped now: TestMain with os.Exit(0)";
  expect(await lossesOf({ [path]: [before, main("\tm.Run()\n\tos.Exit(0)")] })).toEqual([
    `${path} was changed, but the test "TestTotal" ${skipped}`,
    `${path} was changed, but the test "TestEmpty" ${skipped}`,
  ]);
  expect(await lossesOf({ [path]: [before, main("\tcode := m.Run()\n\tclose()\n\tos.Exit(code)")] })).toEqual([]);
  expect(await lossesOf({ [path]: [before, main("\tos.Exit(m.Run())")] })).toEqual([]);
});

test("A helper that is given several values asserts for each of them.", async () => {
  const single = `package cart

func TestShares(t *testing.T) {
	parts := Split(10, 3)
	want := []int{4, 3, 3}
	for i := range want {
		if parts[i] != want[i] {
			t.Errorf("share %d is %d", i, parts[i])
		}
	}
}
`;
  const helped = (parameter: string, values: string) => `package cart

func checkShares(t *testing.T, amount int, ${parameter}) {
	t.Helper()
	for i, part := range want {
		if Split(amount, len(want))[i] != part {
			t.Errorf("share %d of %d", i, amount)
		}
	}
}

func TestShares(t *testing.T) {
	checkShares(t, 10, ${values})
}
`;
  expect(await lossesOf({ [path]: [single, helped("want ...int", "4, 3, 3")] })).toEqual([]);
  expect(await lossesOf({ [path]: [single, helped("want []int", "[]int{4, 3, 3}")] })).toEqual([]);
  const less = (left: number) => [
    `${path} was changed, but the test "TestShares" ${left === 0 ? "no longer asserts anything" : `asserts less: ${left} of 3 assertions left`}`,
  ];
  expect(await lossesOf({ [path]: [single, helped("want ...int", "4")] })).toEqual(less(1));
  expect(await lossesOf({ [path]: [helped("want ...int", "4, 3, 3"), helped("want ...int", "4, 3")] })).toEqual(
    less(2),
  );
  expect(await lossesOf({ [path]: [single, helped("want []int", "[]int{}")] })).toEqual(less(0));
});

test("A cheat is refused: a build tag that no run sets skips every test of the file, one for a platform none.", async () => {
  const skipped = "is skipped now: //go:build never";
  expect(await becomes("package cart", "//go:build never\n\npackage cart")).toEqual([
    `${path} was changed, but the test "TestTotal" ${skipped}`,
    `${path} was changed, but the test "TestEmpty" ${skipped}`,
  ]);
  expect(await becomes("package cart", "//go:build linux || !windows\n\npackage cart")).toEqual([]);
});

const small = `package cart\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n`;

test.each(["sum_plan9_test.go", "_sum_test.go"])(
  "A cheat is refused: tests move to %s, which is not built here.",
  async (name) => {
    expect(await lossesOf({ "sum_test.go": [small, null], [name]: [null, small] })).toEqual([
      `${name} was created, but the test "TestSum" is skipped now: built only if its name ${name} allows it`,
    ]);
  },
);

test("An honest edit passes: tests move to another name, or are new and for another system.", async () => {
  expect(await lossesOf({ "sum_test.go": [small, null], "sum_linux_test.go": [null, small] })).toEqual([]);
  expect(await lossesOf({ "sum_windows_test.go": [null, small] })).toEqual([]);
  expect(await lossesOf({ "sum_windows_test.go": [small, small.replace("no", "wrong sum")] })).toEqual([]);
});

const tagged = (tag: string) =>
  `${tag}package a\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n`;

test("A build tag of Go that a plain build lacks skips; one that is to be absent does not.", async () => {
  expect(await lossesOf({ "a_test.go": [tagged(""), tagged("//go:build !integration\n\n")] })).toEqual([]);
  expect(await lossesOf({ "a_test.go": [tagged(""), tagged("//go:build integration\n\n")] })).toEqual([
    'a_test.go was changed, but the test "TestAdd" is skipped now: //go:build integration',
  ]);
});
