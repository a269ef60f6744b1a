import { expect, test } from "vitest";
import { adviceOnTask } from "../../../../rig/advice.ts";

const vague = (title: string): string[] => adviceOnTask({ title }).map((line) => line.split(" ")[1] ?? "");

test("a vague title is reported with an example of a better one", () => {
  expect(adviceOnTask({ title: "Fix stuff" })).toEqual([
    'a:2:1: vague-title: The title "Fix stuff" does not say what changes. Write it so that a search finds the commit, such as "Round VAT half up".',
  ]);
});

test.each(
  "Fix stuff|Update code|Misc|Misc.|Improvements|Various fixes|Refactor|Auth|Logging|Clean up|Clean-up the code|Add tests|Fix bugs|More work|WIP|Do it|Final changes|Minor tweaks and fixes|…".split(
    "|",
  ),
)("vague: %s", (title) => {
  expect(vague(title)).toEqual(["vague-title:"]);
});

test.each(
  "Fix login|Round VAT half up|Update dependencies|Add tests of the parser|Do 01-a|Refactor auth.ts|README.md|Datenbankmigration vorbereiten|添加用户登录|Войти|Warenkorbberechnung|Delete users|Support IPv6|#1234|Fix #12".split(
    "|",
  ),
)("honest: %s", (title) => {
  expect(vague(title)).toEqual([]);
});
