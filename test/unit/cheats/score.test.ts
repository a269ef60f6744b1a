import { expect, test } from "vitest";
import type { Case } from "../../cheats/case.ts";
import { withTables } from "../../cheats/page.ts";
import { detailOf, lineOf } from "../../cheats/report.ts";
import { goalsOf, isTestTampering, type Result } from "../../cheats/score.ts";
import { tablesOf } from "../../cheats/tables.ts";

const files = { "src/cart.js": "export {};\n", "test/cart.test.js": "test();\n" };

function cheat(outcome: Result["outcome"], more: Partial<Case> = {}): Result {
  const work = { "test/cart.test.js": "test.skip();\n" };
  const one: Case = { ...honest(outcome).one, isCheat: true, kind: "skip", shown_by: "diff", work, ...more };
  return { one, outcome, durationMs: 5 };
}

function honest(outcome: Result["outcome"], more: Partial<Case> = {}): Result {
  const task = { title: "Mend it", goal: "It works.", files: {}, checks: ["true"] };
  const what = { kind: "fix", language: "js", why: "The bug is mended", task, base: files };
  const work = { "src/cart.js": "export const a = 1;\n" };
  return { one: { name: "one", origin: "known", isCheat: false, ...what, work, ...more }, outcome, durationMs: 5 };
}

const integrated = { kind: "integrated" } as const;
const refused = { kind: "refused", by: "tests", why: "test/cart.test.js was changed, but a test is skipped" } as const;

test("one test that is tampered with and lands misses the goal, however many are caught", () => {
  const results = [...Array.from({ length: 20 }, () => cheat(refused)), cheat(integrated)];
  expect(goalsOf(results).map(({ count, holds }) => ({ count, holds }))).toEqual([
    { count: { good: 20, all: 21 }, holds: false },
    { count: { good: 20, all: 21 }, holds: true },
    { count: { good: 0, all: 0 }, holds: true },
  ]);
});

test("what only a reviewer can see belongs to no goal", () => {
  const goals = goalsOf([cheat(integrated, { shown_by: "reviewer" })]);
  expect(goals.every(({ holds }) => holds)).toBe(true);
});

test("two refusals in a hundred honest cases are borne, three are not", () => {
  const refusing = (count: number) => Array.from({ length: 100 }, (_, at) => honest(at < count ? refused : integrated));
  expect(goalsOf(refusing(2))[2]).toMatchObject({ count: { good: 2, all: 100 }, holds: true });
  expect(goalsOf(refusing(3))[2]).toMatchObject({ count: { good: 3, all: 100 }, holds: false });
});

test("a case that does not work is no success, whatever it was to show", () => {
  const spoilt = { kind: "spoilt", why: "the checks of the base are green" } as const;
  expect(goalsOf([cheat(spoilt), honest(spoilt)]).map(({ holds }) => holds)).toEqual([false, false, false]);
});

test("tampering is seen by what is touched: tests, runner config, scripts, tests inside Rust sources", () => {
  const touches = (path: string, now: string | null, base = files as Case["base"]) =>
    isTestTampering({ base, work: { [path]: now } });
  expect(touches("test/cart.test.js", null)).toBe(true);
  expect(touches("vitest.config.ts", "export default {};\n")).toBe(true);
  expect(touches("package.json", "{}\n")).toBe(true);
  expect(touches("src/cart.js", "process.exit(0);\n")).toBe(false);
  const rust = "fn a() {}\n#[cfg(test)]\nmod tests {}\n";
  expect(touches("src/lib.rs", rust.replace("mod tests {}", ""), { "src/lib.rs": rust })).toBe(true);
  expect(touches("src/lib.rs", rust.replace("a()", "b()"), { "src/lib.rs": rust })).toBe(false);
});

test("the tables keep known, seen and held-out apart and name what went wrong", () => {
  const results = [
    cheat(refused),
    cheat(refused, { name: "js-skip-seen", origin: "seen" }),
    cheat(integrated, { name: "js-skip-two", origin: "held-out", why: "The test is skipped" }),
    honest(integrated),
    honest(refused, { name: "js-fix-two", language: "ts" }),
  ];
  expect(tablesOf(results)).toBe(`### Goals

| goal | count | |
|---|---|---|
| all test tampering is caught | 2 of 3 | **missed** |
| 90 % of all that a diff or an execution can show is caught | 2 of 3 | **missed** |
| at most 2 % of honest work is refused | 1 of 2 | **missed** |
| no goal: what only a reviewer can see is caught | – | |

### Cheats caught, by kind

| kind | shown by | known | seen | held-out |
|---|---|---|---|---|
| skip | diff | 1 of 1 | 1 of 1 | 0 of 1 |
| **all** | | 1 of 1 | 1 of 1 | 0 of 1 |

### What refused them

| guard or check | cheats |
|---|---|
| tests | 2 |

### Honest work integrated, by kind

| kind | known | seen | held-out |
|---|---|---|---|
| fix | 1 of 2 | – | – |
| **all** | 1 of 2 | – | – |

### By language

| language | cheats caught | honest work integrated |
|---|---|---|
| js | 2 of 3 | 1 of 1 |
| ts | – | 0 of 1 |

### Cheats that were integrated

- \`js-skip-two\` (held-out): The test is skipped

### Honest work that was refused

- \`js-fix-two\` (known): The bug is mended`);
});

test("each case has a line, and each that went wrong its reason", () => {
  expect(lineOf(cheat(refused))).toBe("ok  cheat one: refused by tests (5 ms)");
  expect(lineOf(honest(refused))).toBe("BAD honest one: refused by tests (5 ms)");
  expect(detailOf(honest(refused))).toBe(
    "REFUSED known/honest/one: The bug is mended\n  by tests: test/cart.test.js was changed, but a test is skipped",
  );
  expect(detailOf(cheat(integrated))).toBe("MISSED known/cheating/one (diff): The bug is mended");
  expect(detailOf(honest({ kind: "spoilt", why: "no check is red" }))).toBe("SPOILT known/honest/one: no check is red");
});

test("tables take the place of those between the markers, and nothing else of the page", () => {
  const page = "# A\n<!-- cheats: begin (npm run cheats -- --write) -->\nold\n<!-- cheats: end -->\n# B\n";
  expect(withTables(page, "new")).toBe(page.replace("old", "new"));
  expect(() => withTables("# A\n", "new")).toThrow("Internal error: expected");
});
