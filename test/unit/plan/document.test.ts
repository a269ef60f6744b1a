import { expect, test } from "vitest";
import { parseDocument } from "../../../src/plan/document.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseDocument("plan.md", bytes(text));

/** `line:column code: message` of everything that is wrong. */
function complaints(input: string | Uint8Array): string[] {
  const parsed = parseDocument("plan.md", typeof input === "string" ? bytes(input) : input);
  if (!("problems" in parsed)) return [];
  return parsed.problems.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

function understood(text: string) {
  const parsed = parse(text);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed;
}

test("a document is its data, its body and the places of its keys", () => {
  const document = understood("---\ntitle: A\nfiles:\n  create: [a, b]\n---\n\n## Goal\n");
  expect(document).toMatchObject({
    data: { title: "A", files: { create: ["a", "b"] } },
    body: "\n## Goal\n",
    bodyLine: 6,
    text: "---\ntitle: A\nfiles:\n  create: [a, b]\n---\n\n## Goal\n",
  });
  expect(document.at(["files"])).toEqual({ line: 3, column: 1 });
  expect(document.at(["files", "create", 1])).toEqual({ line: 4, column: 15 });
});

test("an absent key stands where its nearest parent stands", () => {
  const { at } = understood("---\ntitle: A\nfiles:\n  create: []\n---\n");
  expect(at(["files", "delete", 3])).toEqual({ line: 3, column: 1 });
  expect(at(["goal"])).toEqual({ line: 1, column: 1 });
});

test("a byte order mark and CRLF are nobody's business", () => {
  const document = understood("\uFEFF---\r\ntitle: A\r\nlist:\r\n  - x\r\n--- \r\nbody\r\n");
  expect(document).toMatchObject({ data: { title: "A", list: ["x"] }, body: "body\r\n", bodyLine: 6 });
  expect(document.at(["list", 0])).toEqual({ line: 4, column: 5 });
  expect(document.text.startsWith("---")).toBe(true);
});

test("front matter may be empty, and the file may end with it", () => {
  expect(understood("---\n---")).toMatchObject({ data: {}, body: "", bodyLine: 2 });
  expect(understood("---\n# nothing yet\n---\n")).toMatchObject({ data: {} });
});

test("only a line of its own closes the front matter", () => {
  expect(understood("---\na: |\n  ---\n  x\n---\nb")).toMatchObject({ data: { a: "---\nx\n" }, body: "b" });
  expect(complaints("---\na: 1\n\u2028---\n")).toEqual([
    '1:1 unclosed-front-matter: the front matter that starts here is not closed: add a line "---" after its last key',
  ]);
});

test("a document without front matter says what to write", () => {
  const message = '1:1 no-front-matter: expected front matter: the first line must be "---"';
  expect(complaints("# Title\n")).toEqual([message]);
  expect(complaints("")).toEqual([message]);
  expect(complaints("\n---\na: 1\n---\n")).toEqual([message]);
});

test("invalid UTF-8 is placed exactly", () => {
  const before = bytes("---\ntitle: ä");
  expect(complaints(Uint8Array.of(...before, 0xc3, 0x28, ...bytes("\n---\n")))).toEqual([
    "2:9 not-utf8: the file is not valid UTF-8 here",
  ]);
  expect(complaints(Uint8Array.of(...before, 0xe2, 0x82))).toEqual(["2:9 not-utf8: the file is not valid UTF-8 here"]);
});

test("a binary file is named as one", () => {
  expect(complaints("---\na: \0\n---\n")).toEqual([
    "2:4 binary: the file contains a NUL byte here, so it is binary and not a document",
  ]);
  expect(complaints('---\na: "x\\0y"\n---\n')).toEqual(["2:4 yaml: YAML: a text must not contain a NUL character"]);
});

test("YAML mistakes are one line each, at their place", () => {
  expect(complaints("---\na:\n\tb: 1\n---\n")).toEqual(["3:1 yaml: YAML: Tabs are not allowed as indentation"]);
  expect(complaints('---\na: "x\n---\n')).toEqual(['3:1 yaml: YAML: Missing closing "quote']);
  expect(complaints("---\na: *x\n---\n")).toEqual(["2:4 yaml: YAML: there is no anchor &x before the alias *x"]);
  expect(complaints("---\na: !!foo x\n---\n")).toEqual(["2:4 yaml: YAML: Unresolved tag: tag:yaml.org,2002:foo"]);
  expect(complaints("---\n? [a]\n: b\n---\n")).toEqual(["2:1 yaml: YAML: a key must be a word or a text"]);
  expect(complaints("---\na: 1\n...\nb: 2\n---\n")).toEqual([
    "4:1 yaml: a second YAML document starts here; only one is read",
  ]);
});

test("front matter that is not a map is refused", () => {
  expect(complaints("---\n- a\n---\n")).toEqual(['2:1 not-a-map: expected keys and values such as "title: …"']);
  expect(complaints("---\njust words\n---\n")).toEqual(['2:1 not-a-map: expected keys and values such as "title: …"']);
});

test("duplicate keys are all named", () => {
  expect(complaints("---\na: 1\nb: {c: 1, c: 2}\na: 3\n---\n")).toEqual([
    '3:11 duplicate-key: the key "c" appears twice',
    '4:1 duplicate-key: the key "a" appears twice',
  ]);
});

test("__proto__ is no key, and other names of Object's are keys like any", () => {
  expect(complaints("---\n__proto__: {polluted: true}\n---\n")).toEqual([
    '2:1 proto-key: the key "__proto__" is not allowed',
  ]);
  const { data } = understood("---\nconstructor: 1\ntoString: 2\n---\n");
  expect(Object.entries(data)).toEqual([
    ["constructor", 1],
    ["toString", 2],
  ]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("an alias is read, an alias bomb is not", () => {
  expect(understood("---\na: &x [1]\nb: *x\n---\n").data).toEqual({ a: [1], b: [1] });
  const bomb = ["a0: &a0 [x]", ...Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];
  expect(complaints(`---\n${bomb.join("\n")}\n---\n`)).toEqual([
    expect.stringContaining(
      "yaml-aliases: the YAML repeats itself through more than 100 aliases or 10000 aliased values",
    ),
  ]);
  expect(complaints("---\na: &a [*a]\n---\n")).toHaveLength(1);
  const wide = `---\na: &a [${"1,".repeat(20_000)}]\nb: *a\n---\n`;
  expect(complaints(wide)).toEqual([expect.stringContaining("yaml-aliases")]);
});

test.each([
  ["brackets", "a: ", "["],
  ["braces", "a: ", "{"],
  ["dashes", "", "- "],
  ["question marks", "", "? "],
  ["colons", "", "a: {b: "],
])("a hundred thousand nested %s end at once", (_name, lead, piece) => {
  const started = performance.now();
  expect(complaints(`---\n${lead}${piece.repeat(100_000)}\n---\n`)).toEqual([
    expect.stringMatching(/^2:\d+ yaml-depth: the YAML is nested deeper than 64 levels$/),
  ]);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("sixty-four levels are fine", () => {
  expect(complaints(`---\na: ${"[".repeat(63)}${"]".repeat(63)}\n---\n`)).toEqual([]);
});

test.each(["1,", ",", "&a ", "! ", "k: 1\n", "#\n", "]", "\n"])("a megabyte of %j ends soon", (piece) => {
  const started = performance.now();
  const lead = piece === "1," || piece === "," ? "a: [" : "";
  expect(complaints(`---\n${lead}${piece.repeat(999_000 / piece.length)}\n---\n`)).toEqual([
    expect.stringContaining("yaml-size: the YAML has more than 100000 tokens"),
  ]);
  expect(performance.now() - started).toBeLessThan(10_000);
});
