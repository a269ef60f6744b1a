import { expect, test } from "vitest";
import { advise } from "../../../src/plan/lint/advice/advise.ts";
import { lintPlan } from "../../../src/plan/lint/lint.ts";
import { parsePlan } from "../../../src/plan/parse.ts";
import { scaffold } from "../../../src/plan/scaffold.ts";

/** What lint and its advice say about a text as a plan of one file. */
function said(text: string): string[] {
  const files = new Map([["plans/p.md", { bytes: Buffer.from(text) }]]);
  const { plan, rules, problems } = parsePlan(files, "p");
  const repoFiles = new Set(["src/greet.js"]);
  const found = [
    ...problems,
    ...lintPlan({ plan: plan!, rules, repoFiles }),
    ...advise({ plan: plan!, rules, repoFiles }),
  ];
  return found.map(({ line, code }) => `${text.split("\n")[line - 1]?.split(/ {2,}#/)[0]}: ${code}`);
}

test("lint names every gap of a new plan, each where it is, and nothing else", () => {
  expect(said(scaffold("greet-people"))).toEqual([
    "files:: no-files",
    "checks: []: no-checks",
    "### Goal: no-goal",
    "## [ ] 01-first TODO: vague-title",
  ]);
});

test("once the gaps are filled, nothing is left to say", () => {
  const filled = scaffold("greet-people")
    .replace("TODO\n", "Greet people by name\n")
    .replace("modify: []", "modify: [src/greet.js]")
    .replace("checks: []", "checks: [node --test]")
    .replace("### Goal\n", "### Goal\n\nPeople are greeted.\n")
    .replace("### Test plan\n", "### Test plan\n\nA name, and none.\n");
  expect(said(filled)).toEqual([]);
});

test("the title is made of the name, and lines fit a terminal", () => {
  const text = scaffold("2-factor-login");
  expect(text).toContain('title: "2 factor login"');
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
