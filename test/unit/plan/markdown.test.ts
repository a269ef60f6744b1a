import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { classifyLines, headingOf, sectionsOf } from "../../../src/plan/markdown.ts";

function headings(body: string): string[] {
  return classifyLines(body)
    .filter(({ kind }) => kind === "heading")
    .map(({ text, number }) => `${number}:${headingOf(text).depth}:${headingOf(text).title}`);
}

/** What a full CommonMark parser says, for the same question. */
function headingsByCommonMark(body: string): string[] {
  return fromMarkdown(body).children.flatMap((node) => {
    if (node.type !== "heading") return [];
    const title = node.children.map((child) => ("value" in child ? child.value : "")).join("");
    return [`${node.position?.start.line}:${node.depth}:${title}`];
  });
}

test("sections run from one heading of level two to the next", () => {
  const body = "intro\n## A\r\none\r\n### deeper\r\n## B ##\ntwo\n# Title\nin none\n## C#\n";
  const sections = sectionsOf(classifyLines(body));
  expect(sections.map(({ heading, number, lines }) => [heading, number, lines.map(({ text }) => text)])).toEqual([
    ["A", 2, ["one", "### deeper"]],
    ["B", 5, ["two"]],
    ["C#", 9, [""]],
  ]);
});

test.each([
  ["a fence", "```\n## no\n```\n## yes\n"],
  ["a longer fence", "````md\n```\n## no\n````\n## yes\n"],
  ["a fence of tildes", "~~~ `x`\n## no\n```\n~~~\n## yes\n"],
  ["an unclosed fence", "## yes\n```\n## no\n"],
  ["backticks that are no fence", "``` `\n\n## yes\n"],
  ["a fence in a list", "- a\n\n  ```\n  ## no\n  ```\n\n## yes\n"],
  ["a fence on the line of a list marker", "- ```\n  ## no\n  ```\n\n## yes\n"],
  ["a comment", "<!-- a\n## no\n-->\n## yes\n"],
  ["a comment that holds a fence", "<!-- ```\n## no\n-->\n## yes\n"],
  ["a comment of one line", "<!-- ## no -->\n## yes\n"],
  ["a pre block", "<pre>\n## no\n\n## no\n</pre>\n## yes\n"],
  ["indented code", "a\n\n    ## no\n\n## yes\n"],
  ["a quote", "> ## no\n\n## yes\n"],
  ["seven marks and no space", "####### no\n#no\n## yes\n"],
])("%s fools neither us nor CommonMark", (_name, body) => {
  expect(headings(body).map((heading) => heading.split(":")[2])).toEqual(["yes"]);
  expect(headings(body)).toEqual(headingsByCommonMark(body));
});

test("on plans as people write them, headings are those of CommonMark", () => {
  const line = fc.constantFrom(
    "## Goal",
    "# Title #",
    "### C#",
    "##",
    "words and words",
    "",
    "```",
    "```ts",
    "````",
    "~~~",
    "<!-- hidden",
    "-->",
    "<!-- x -->",
    "> quoted",
    "    ## code",
    "#hash",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const body = lines.join(end);
      expect(headings(body)).toEqual(headingsByCommonMark(body));
    }),
    { numRuns: 1_000 },
  );
});

test.each(["+ ", "> ", "- - ", "a\n-\n", "[", "`", "``` `", "<!--\n", "1. ", "# ", "#", " ", "~~~\n"])(
  "a megabyte of %j is read before the test times out",
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const lines = classifyLines(text);
    expect(lines).toHaveLength(text.split("\n").length);
    expect(sectionsOf(lines).length).toBeLessThanOrEqual(lines.length);
  },
);
