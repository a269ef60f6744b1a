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
