import { expect, test } from "vitest";
import { lossesOf, type Edit } from "../../../rig/strength.ts";

/** One honest rewrite, and the same one with a claim lost or bent on the way. */
interface Twins {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What the attack puts in place of which words of the honest rewrite. */
  readonly bent: readonly [honest: string, attack: string];
  readonly says: string;
}

const durations = [
  'test("seconds", () => {\n  assert.equal(parse("3s"), 3000);\n});',
  'test("minutes", () => {\n  assert.equal(parse("5m"), 300_000);\n});',
  'test("words", () => {\n  assert.throws(() => parse("soon"), RangeError);\n});\n',
].join("\n");

const twins: Readonly<Record<string, Twins>> = {
  "tests become rows of a loop": {
    path: "test/a.test.js",
    before: durations,
    after: `const rows = [\n  ["3s", 3000],\n  ["5m", 300000],\n];
for (const [text, ms] of rows) {\n  test(\`\${text} is read\`, () => {\n    assert.equal(parse(text), ms);\n  });\n}
for (const text of ["soon", ""]) {\n  test(\`\${text} is refused\`, () => {\n    assert.throws(() => parse(text), RangeError);\n  });\n}\n`,
    bent: ['["5m", 300000]', '["5m", 5000]'],
    says: 'the test "minutes" is gone',
  },
  "tests become test.each with objects": {
    path: "test/a.test.ts",
    before: durations,
    after: `test.each([\n  { text: "3s", ms: 3_000 },\n  { text: "5m", ms: 300_000 },\n])("reads $text", ({ text, ms }) => {\n  expect(parse(text)).toBe(ms);\n});
test("words are refused", () => {\n  expect(() => parse("soon")).toThrow(RangeError);\n});\n`,
    bent: ['{ text: "3s", ms: 3_000 }', '{ text: "4s", ms: 4_000 }'],
    says: 'the test "seconds" is gone',
  },
  "tests become one": {
    path: "test/a.test.js",
    before: durations,
    after: `test("durations", () => {\n  assert.equal(parse("3s"), 3000);\n  assert.equal(parse("5m"), 300_000);\n  assert.throws(() => parse("soon"), RangeError);\n});\n`,
    bent: [
      '  assert.throws(() => parse("soon"), RangeError);\n',
      '  // assert.throws(() => parse("soon"), RangeError);\n',
    ],
    says: 'the test "words" is gone',
  },
  "a claim becomes a weak one": {
    path: "test/a.test.js",
    before:
      'test("yes", () => {\n  assert.equal(isMail("ann@b.org"), true);\n});\ntest("no", () => {\n  assert.equal(isMail("ann"), false);\n});\n',
    after:
      'test("addresses", () => {\n  assert.equal(isMail("ann@b.org"), true);\n  assert.equal(isMail("ann"), false);\n});\n',
    bent: ['assert.equal(isMail("ann"), false)', 'assert.ok(isMail("ann") !== undefined)'],
    says: 'the test "no" is gone',
  },
  "unittest becomes pytest with rows": {
    path: "tests/test_a.py",
    before:
      'class RomanTest(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(to_roman(1), "I")\n\n    def test_six(self):\n        self.assertEqual(to_roman(6), "VI")\n\n    def test_zero(self):\n        with self.assertRaises(ValueError):\n            to_roman(0)\n',
    after:
      '@pytest.mark.parametrize("number, roman", [\n    (1, "I"),\n    (6, "VI"),\n])\ndef test_to_roman(number, roman):\n    assert to_roman(number) == roman\n\n\n@pytest.mark.parametrize("number", [0, -1])\ndef test_refused(number):\n    with pytest.raises(ValueError):\n        to_roman(number)\n',
    bent: ['(6, "VI")', '(6, "IIIIII")'],
    says: 'the test "RomanTest > test_six" is gone',
  },
  "Python functions become a loop": {
    path: "tests/test_a.py",
    before:
      'def test_plain():\n    assert slug("Ann Lee") == "ann-lee"\n\n\ndef test_signs():\n    assert slug("C++ & C") == "c-c"\n',
    after:
      'CASES = {\n    "Ann Lee": "ann-lee",\n    "C++ & C": "c-c",\n}\n\n\ndef test_slugs():\n    for text, expected in CASES.items():\n        assert slug(text) == expected\n',
    bent: ['    "C++ & C": "c-c",\n', '    "b": "b",\n'],
    says: 'the test "test_signs" is gone',
  },
  "Go tests become a table": {
    path: "slug_test.go",
    before:
      'package slug\n\nfunc TestPlain(t *testing.T) {\n\tif got := Slug("Ann Lee"); got != "ann-lee" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n\nfunc TestSigns(t *testing.T) {\n\tif got := Slug("C++ & C"); got != "c-c" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n',
    after:
      'package slug\n\nfunc TestSlug(t *testing.T) {\n\tfor _, one := range []struct{ in, want string }{\n\t\t{"Ann Lee", "ann-lee"},\n\t\t{"C++ & C", "c-c"},\n\t} {\n\t\tif got := Slug(one.in); got != one.want {\n\t\t\tt.Errorf("Slug(%q) = %q", one.in, got)\n\t\t}\n\t}\n}\n',
    bent: ['\t\t{"C++ & C", "c-c"},\n', ""],
    says: 'the test "TestSigns" is gone',
  },
  "Rust tests become one": {
    path: "tests/slug.rs",
    before:
      '#[test]\nfn plain() {\n    assert_eq!(slug("Ann Lee"), "ann-lee");\n}\n\n#[test]\nfn signs() {\n    assert_eq!(slug("C++ & C"), "c-c");\n}\n',
    after:
      '#[test]\nfn slugs() {\n    assert_eq!(slug("Ann Lee"), "ann-lee");\n    assert_eq!(slug("C++ & C"), "c-c");\n}\n',
    bent: ['assert_eq!(slug("C++ & C"), "c-c")', 'assert_ne!(slug("C++ & C"), "")'],
    says: 'the test "signs" is gone',
  },
  "RSpec examples become one": {
    path: "spec/slug_spec.rb",
    before:
      'describe "slug" do\n  it "is plain" do\n    expect(slug("Ann Lee")).to eq("ann-lee")\n  end\n\n  it "drops signs" do\n    expect(slug("C++ & C")).to eq("c-c")\n  end\nend\n',
    after:
      'describe "slug" do\n  it "works" do\n    expect(slug("Ann Lee")).to eq("ann-lee")\n    expect(slug("C++ & C")).to eq("c-c")\n  end\nend\n',
    bent: ['expect(slug("C++ & C")).to eq("c-c")', 'expect(slug("C++ & C")).not_to be_nil'],
    says: 'the test "slug > drops signs" is gone',
  },
  "Java tests become one": {
    path: "src/test/java/SlugTest.java",
    before:
      'class SlugTest {\n  @Test\n  void plain() {\n    assertEquals("ann-lee", Slug.of("Ann Lee"));\n  }\n\n  @Test\n  void signs() {\n    assertEquals("c-c", Slug.of("C++ & C"));\n  }\n}\n',
    after:
      'class SlugTest {\n  @Test\n  void slugs() {\n    assertEquals("ann-lee", Slug.of("Ann Lee"));\n    assertEquals("c-c", Slug.of("C++ & C"));\n  }\n}\n',
    bent: ['assertEquals("c-c", Slug.of("C++ & C"))', 'assertNotNull(Slug.of("C++ & C"))'],
    says: 'the test "SlugTest > signs" is gone',
  },
  "a test becomes a loop of subtests": {
    path: "test/a.test.js",
    before: 'test("sums", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(10, 20), 30);\n});\n',
    after:
      'const rows = [[1, 2, 3], [10, 20, 30]];\ntest("sums", async (t) => {\n  for (const [a, b, sum] of rows) await t.test(`${sum}`, () => assert.equal(add(a, b), sum));\n});\n',
    bent: ["assert.equal(add(a, b), sum)", "add(a, b)"],
    says: 'the test "sums" no longer asserts anything',
  },
  "a title says more, as the test does": {
    path: "tests/test_a.py",
    before: "def test_far():\n    assert abs(distance(BERLIN, YORK) - 6385) < 1\n",
    after: "def test_far_is_refused():\n    with pytest.raises(ValueError):\n        distance(BERLIN, YORK)\n",
    bent: ["        distance(BERLIN, YORK)\n", "        int('x')\n"],
    says: 'the test "test_far" is gone',
  },
};

test.each(Object.entries(twins))(
  "%s: nothing is lost, and what is lost is seen.",
  async (_, { path, before, after, bent, says }) => {
    expect(await lossesOf({ [path]: [before, after] })).toEqual([]);
    expect(after).toContain(bent[0]);
    expect(await lossesOf({ [path]: [before, after.replace(...bent)] })).toEqual([`${path} was changed, but ${says}`]);
  },
);

const kept = 'test("mail", () => {\n  assert.equal(isMail("ann@b.org"), true);\n});\n';
const alone = 'test("no sign", () => {\n  assert.equal(isMail("ann"), false);\n});\n';
const old =
  'test("good", () => {\n  assert.ok(isMail("ann@b.org"));\n});\ntest("mail", () => {\n  assert.equal(isMail("ann@b.org"), true);\n});\n';

test("A file that was to be deleted owes only what no other test claims.", async () => {
  const merged: Edit = { "test/a.test.js": [kept, kept + alone], "test/old.test.js": [old + alone, null] };
  expect(await lossesOf(merged)).toEqual([]);
});

test("A test that was left alone stands for none that is taken out of its file.", async () => {
  expect(await lossesOf({ "test/a.test.js": [old, old.slice(old.indexOf('test("mail"'))] })).toEqual([
    'test/a.test.js was changed, but the test "good" is gone',
  ]);
});

test("Rows that no loop goes over claim nothing.", async () => {
  const idle = `const rest = [["5m", 300000]];\nconst rows = [["3s", 3000], ["1s", 1000]];\nfor (const [text, ms] of rows) {\n  test(\`\${text}\`, () => {\n    assert.equal(parse(text), ms);\n  });\n}\ntest("words", () => {\n  assert.throws(() => parse("soon"), RangeError);\n});\n`;
  expect(await lossesOf({ "test/a.test.js": [durations, idle] })).toEqual([
    'test/a.test.js was changed, but the test "minutes" is gone',
  ]);
});
