import { expect, test } from "vitest";
import { pageFor } from "../../../rig/page.ts";
import { everything } from "../../../rig/page-plans.ts";
import { makes, plan } from "../../../rig/plan.ts";

test("the page lists every command that an approval allows, with what runs it", () => {
  const { commands } = pageFor({ files: everything });
  expect(commands.map(({ by, of, command }) => [by, of, command.split("\n")[0]])).toEqual([
    ["prerequisite", null, "node --version | grep -q v2"],
    ["set-up", null, "npm ci"],
    ["agent", "mine", "./my-agent.sh --fast"],
    ["agent", "claude", "claude"],
    ["tool server", "issues", "npx -y issue-server"],
    ["hook", null, "notify-send Stint"],
    ["task", "01-deps", "grep -q ready src/deps.ts"],
    ["task", "02-model", "test -f src/user.ts"],
    ["task", "03-docs", "grep -q ready docs/auth.md"],
    ["rules", null, "npm run lint"],
    ["plan", null, "npm run build"],
  ]);
});

test("an approval of the same hash is current; without one there is none", () => {
  const files = plan({ tasks: { "01-a": makes("a.txt") } });
  const previous = { plan: "work", hash: "0123456789abcdef", at: "2026", by: "me", commit: "c", programs: {} };
  expect(pageFor({ files, previous }).approved?.current).toBe(true);
  expect(pageFor({ files, previous: { ...previous, hash: "other" } }).approved?.current).toBe(false);
  expect(pageFor({ files }).approved).toBe(null);
});

test("inputs are listed by name with their sizes, and proposed rules with the command that adopts them", () => {
  const files = {
    ...plan({ tasks: { "01-a": makes("a.txt") } }),
    "plans/work/inputs/b.md": "four",
    "plans/work/inputs/a.md": "five!",
  };
  expect(pageFor({ files, proposed: ["+x"] })).toMatchObject({
    inputs: [
      { path: "plans/work/inputs/a.md", bytes: 5 },
      { path: "plans/work/inputs/b.md", bytes: 4 },
    ],
    proposed_rules: { take_over: "cp plans/work/proposed-rules.md .stint/rules.md", difference: ["+x"] },
  });
});
