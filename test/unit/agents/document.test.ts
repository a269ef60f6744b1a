import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verifiedTables } from "../../agents/document.ts";

test("docs/agents.md says what the suite with real agents verifies, and with which versions", () => {
  const document = readFileSync("docs/agents.md", "utf8");
  const { versions, outcomes } = verifiedTables();
  expect(document).toContain(versions);
  expect(document).toContain(outcomes);
});
