import { expect, test } from "vitest";
import { parseYaml } from "../../../src/plan/yaml.ts";

/** The text begins on line 2, as front matter does. */
const parse = (text: string) => parseYaml("plan.md", text, 2);

/** `line:column code: message` of everything that is wrong. */
function complaints(text: string): string[] {
  const parsed = parse(text);
  if (!("problems" in parsed)) return [];
  return parsed.problems.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

function understood(text: string) {
  const parsed = parse(text);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed;
}

test("an absent key stands where its nearest parent stands", () => {
  const { at } = understood("title: A\nfiles:\n  create: []\n");
  expect(at(["files", "delete", 3])).toEqual({ line: 3, column: 1 });
  expect(at(["goal"])).toEqual({ line: 1, column: 1 });
});

test("a text must not contain a NUL", () => {
  expect(complaints('a: "x\\0y"\n')).toEqual(["2:4 yaml: YAML: a text must not contain a NUL character"]);
});

test("YAML mistakes are one line each, at their place", () => {
  expect(complaints("a:\n\tb: 1\n")).toEqual(["3:1 yaml: YAML: Tabs are not allowed as indentation; use spaces"]);
  expect(complaints("a: Do: it\n")).toEqual([
    '2:4 yaml: YAML: Nested mappings are not allowed in compact mappings; put a text that contains ": " in quotes',
  ]);
  expect(complaints('a: "x\n')).toEqual(["2:4 yaml: YAML: the quote that opens here is not closed"]);
  expect(complaints("a: 1\nb: [x, 'y]\nc: 2\n")).toEqual(["3:8 yaml: YAML: the quote that opens here is not closed"]);
  expect(complaints("a: *x\n")).toEqual(["2:4 yaml: YAML: there is no anchor &x before the alias *x"]);
  expect(complaints("a: !!foo x\n")).toEqual(["2:4 yaml: YAML: Unresolved tag: tag:yaml.org,2002:foo"]);
  expect(complaints("? [a]\n: b\n")).toEqual(["2:1 yaml: YAML: a key must be a word or a text"]);
  expect(complaints("a: 1\n...\nb: 2\n")).toEqual(["4:1 yaml: a second YAML document starts here; only one is read"]);
});

test("a merge conflict is called by its name, where it starts", () => {
  expect(complaints("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> side\n")).toEqual([
    "3:1 yaml: a merge conflict starts here; resolve it, then remove its markers",
  ]);
  expect(understood('a: "<<<<<<< x"\n').data).toEqual({ a: "<<<<<<< x" });
});

test("YAML that is not a map is refused", () => {
  expect(complaints("- a\n")).toEqual(['2:1 not-a-map: expected keys and values such as "title: …"']);
  expect(complaints("just words\n")).toEqual(['2:1 not-a-map: expected keys and values such as "title: …"']);
});

test("duplicate keys are all named", () => {
  expect(complaints("a: 1\nb: {c: 1, c: 2}\na: 3\n")).toEqual([
    '3:11 duplicate-key: the key "c" appears twice',
    '4:1 duplicate-key: the key "a" appears twice',
  ]);
});

test("__proto__ is no key, and other names of Object's are keys like any", () => {
  expect(complaints("__proto__: {polluted: true}\n")).toEqual(['2:1 proto-key: the key "__proto__" is not allowed']);
  const { data } = understood("constructor: 1\ntoString: 2\n");
  expect(Object.entries(data)).toEqual([
    ["constructor", 1],
    ["toString", 2],
  ]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("an alias is read, an alias bomb is not", () => {
  expect(understood("a: &x [1]\nb: *x\n").data).toEqual({ a: [1], b: [1] });
  const bomb = ["a0: &a0 [x]", ...Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];
  expect(complaints(`${bomb.join("\n")}\n`)).toEqual([
    expect.stringContaining(
      "yaml-aliases: the YAML repeats itself through more than 100 aliases or 10000 aliased values",
    ),
  ]);
  expect(complaints("a: &a [*a]\n")).toHaveLength(1);
  const wide = `a: &a [${"1,".repeat(20_000)}]\nb: *a\n`;
  expect(complaints(wide)).toEqual([expect.stringContaining("yaml-aliases")]);
});

test.each([
  ["brackets", "a: ", "["],
  ["braces", "a: ", "{"],
  ["dashes", "", "- "],
  ["question marks", "", "? "],
  ["colons", "", "a: {b: "],
])("a hundred thousand nested %s end at once", (_name, lead, piece) => {
  expect(complaints(`${lead}${piece.repeat(100_000)}\n`)).toEqual([
    expect.stringMatching(/^2:\d+ yaml-depth: the YAML is nested deeper than 64 levels$/),
  ]);
});

test("sixty-four levels are fine", () => {
  expect(complaints(`a: ${"[".repeat(63)}${"]".repeat(63)}\n`)).toEqual([]);
});

test.each(["1,", ",", "&a ", "! ", "k: 1\n", "#\n", "]", "\n"])("a megabyte of %j ends soon", (piece) => {
  const lead = piece === "1," || piece === "," ? "a: [" : "";
  expect(complaints(`${lead}${piece.repeat(999_000 / piece.length)}\n`)).toEqual([
    expect.stringContaining("yaml-size: the YAML has more than 100000 tokens"),
  ]);
});
