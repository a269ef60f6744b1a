import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { approvalHash } from "../../../src/plan/hash.ts";
import { parsePlan } from "../../../src/plan/parse.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Pieces that YAML and markdown care about, so that chance gets past the first line. */
const piece = fc.oneof(
  fc.constantFrom(
    "---\n",
    "title: T\n",
    "checks:\n",
    "  - ",
    "- ",
    "a: ",
    "&a ",
    "*a",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "|\n",
  ),
  fc.constantFrom(
    "## Tasks\n",
    "## Goal\n",
    "- [ ] [a](tasks/a.md)\n",
    "```\n",
    "<!--",
    "-->",
    "\r\n",
    "\t",
    "!!x ",
    "? ",
    "%",
  ),
  fc.constantFrom(
    "__proto__: 1\n",
    "files: ",
    "depends: ",
    "~",
    "<<: ",
    "0x1",
    ".inf",
    "model: m\n",
    "\u2028",
    "\uFEFF",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(piece, { maxLength: 25 }).map((pieces) => encode(`---\n${pieces.join("")}`)),
  fc.array(piece, { maxLength: 12 }).map((pieces) => encode(`---\ntitle: T\n${pieces.join("")}\n---\n## Tasks\n`)),
);

test("whatever the bytes, the answer is a list of placed problems and never an exception", () => {
  fc.assert(
    fc.property(bytes, bytes, (plan, other) => {
      const files = new Map([
        ["plans/p/plan.md", { bytes: plan }],
        ["plans/p/scope.md", { bytes: other }],
        ["plans/p/tasks/a.md", { bytes: other }],
        [".stint/rules.md", { bytes: plan }],
      ]);
      const { problems } = parsePlan(files, "p");
      const all = [...problems, ...loadConfig({ project: { file: "c", bytes: other } }).problems];
      for (const { line, column, message } of all) {
        expect(line).toBeGreaterThan(0);
        expect(column).toBeGreaterThan(0);
        expect(message).toMatch(/^[^\n]+$/);
      }
      expect(approvalHash(files, "p")).toMatch(/^[0-9a-f]{64}$/);
    }),
    { numRuns: 2_000 },
  );
});
