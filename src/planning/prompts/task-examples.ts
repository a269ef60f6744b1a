/** Kinds of projects that have a worked example; all others are `unknown`. */
export type ExampleKind = "node" | "python" | "go" | "rust" | "unknown";

/** A worked task, and advice on good checks in such a project. */
interface TaskExample {
  readonly checks: string;
  readonly task: string;
}

/** A planner copies what it sees, so lint accepts each of these task files, and their checks fail before the work. */
export const taskExamples: Readonly<Record<ExampleKind, TaskExample>> = {
  node: {
    checks:
      "Run the test files of the task alone, by the project's own runner: `node --test test/x.test.js`, `npx vitest run test/x.test.ts` or `npx jest test/x.test.ts`. `npm test` as a whole belongs in `checks` of plan.md, or into the task with `red: false`. `npx` runs only what set-up has installed: a check has no network.",
    task: example({
      title: "Limit how often a client may log in",
      create: ["src/login-limit.js", "test/login-limit.test.js"],
      checks: ["node --test test/login-limit.test.js", "{ run: npm test, red: false }"],
      goal: "`src/login-limit.js` exports `isAllowed(client, now)`, which is false after five calls of one client within a minute.",
      test: "The fifth and the sixth call; a call after a minute; two clients.",
    }),
  },
  python: {
    checks:
      "Run the tests of the task alone: `python -m pytest tests/test_x.py` or `python -m unittest tests.test_x`. Call the interpreter that set-up made where there is one, such as `.venv/bin/python`.",
    task: example({
      title: "Read the opening hours from a calendar file",
      create: ["shop/hours.py", "tests/test_hours.py"],
      checks: ["python3 -m unittest tests.test_hours", "exists: shop/hours.py"],
      goal: "`shop.hours.read(path)` returns the opening hours of each weekday as a list of seven pairs.",
      test: "A closed day; a line that cannot be read raises `ValueError` with its number.",
    }),
  },
  go: {
    checks:
      'Name package and test: `go test ./hours -run TestRead`. A package without such a test passes with "no tests to run", so add `exists` or `contains` for the test file. `go vet ./...` is a good check with `red: false`.',
    task: example({
      title: "Parse opening hours in package hours",
      create: ["hours/parse.go", "hours/parse_test.go"],
      checks: ["go test ./hours -run TestParse", "exists: hours/parse_test.go"],
      goal: "`hours.Parse` turns `Mon 09:00-17:00` into a day and two times, and says what is wrong with any other line.",
      test: "A closed day; hours past midnight; an unknown day.",
    }),
  },
  rust: {
    checks:
      "Name the test: `cargo test --offline hours::` or `cargo test --offline --test hours`. A filter that matches nothing is green, so add `exists` or `contains` for the test. Set-up must have fetched the dependencies: a check has no network.",
    task: example({
      title: "Parse opening hours in module hours",
      create: ["src/hours.rs", "tests/hours.rs"],
      modify: ["src/lib.rs"],
      checks: ["cargo test --offline --test hours", "exists: src/hours.rs"],
      goal: "`hours::parse` turns `Mon 09:00-17:00` into a day and two times, and returns an error for any other line.",
      test: "A closed day; hours past midnight; an unknown day.",
    }),
  },
  unknown: {
    checks:
      'Run what the project itself runs, for the part that the task is about. Where there are no tests, compare what a program prints: `test "$(sh tool.sh 2)" = 4`. `exists` and `contains` say that a file is there, not that it works: use them only together with a command.',
    task: example({
      title: "Print the size of the largest files",
      create: ["tools/largest.sh", "tools/largest-test.sh"],
      checks: ["sh tools/largest-test.sh", "exists: tools/largest.sh"],
      goal: "`tools/largest.sh <folder> <n>` prints the n largest files of a folder with their sizes, the largest first.",
      test: "A folder with three files, an empty one, and one that is not there.",
    }),
  },
};

function example(task: {
  readonly title: string;
  readonly create: readonly string[];
  readonly modify?: readonly string[];
  readonly checks: readonly string[];
  readonly goal: string;
  readonly test: string;
}): string {
  const modify = task.modify === undefined ? "" : `  modify: [${task.modify.join(", ")}]\n`;
  return `---
title: ${task.title}
files:
  create: [${task.create.join(", ")}]
${modify}estimate: 30m
checks:
${task.checks.map((check) => `  - ${check}`).join("\n")}
---

## Goal

${task.goal}

## Test plan

${task.test}
`;
}
