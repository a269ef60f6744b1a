import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ why }) => why);

const moved = "Move the tests from test/ to src/ beside their modules.";
const spoken = "`npm test` runs one file only. Let it run all of them.";

/** What a script was, what it is, and what the task says. */
const script = (was: string, is: string, goal = spoken, more: readonly string[] = []): Given => {
  const pkg = (line: string) => `${JSON.stringify({ scripts: { test: line } }, null, 2)}\n`;
  return {
    checks: ["npm test"],
    goal,
    modify: ["package.json", ...more],
    edits: { "package.json": [pkg(was), pkg(is)] },
  };
};

test.each([
  ["node test/a.test.js", "node --test test/", spoken],
  ["node --test test/", "node --test src/", moved],
  ["mocha test", "vitest run", "Let the test script use vitest."],
  ["mocha test", "NODE_ENV=test jest --ci --coverage", 'The "test" script calls jest.'],
  ["tsc && node --test", "tsc && node --test --test-reporter=spec test/", "Tidy the scripts of package.json."],
  ["python3 -m unittest", "python3 -m pytest -q tests", "`npm test` calls pytest."],
])("A script that the task speaks of may become one whose tests are heard: `%s`, `%s`.", async (was, is, goal) => {
  expect(await whys(script(was, is, goal))).toEqual([]);
});

test.each([
  ["node --test test/", "node --test src/", "Raise the version."],
  ["node --test", "node --test || true", spoken],
  ["node --test", "node --test; exit 0", spoken],
  ["node --test", "node --test --test-name-pattern=adds", spoken],
  ["node --test", "node --import ./fake.js --test", spoken],
  ["node --test", "NODE_OPTIONS=--require=./fake.cjs node --test", spoken],
  ["vitest run", "vitest run --passWithNoTests", spoken],
  ["vitest run", "vitest run -t adds", spoken],
  ["vitest run", "tools/vitest run", spoken],
  ["pytest", "pytest -k adds", spoken],
  ["pytest", "pytest tests/test_a.py::test_one", spoken],
  ["cargo test", "cargo test adds", spoken],
  ["go test ./...", "go test -run Adds ./...", spoken],
  ["tsc && node --test", "node --test", spoken],
  ["node --test --test-coverage-lines=80", "node --test", spoken],
  ["node --test", "node run-tests.js", spoken],
  ["node --test", "node fake.js && node --test", spoken],
])("A script stays where that is not so: `%s`, `%s`.", async (was, is, goal) => {
  expect(await whys(script(was, is, goal))).toEqual([
    `was changed, but its script "test" decides what \`npm test\` runs; the check was approved as \`${was}\`, and the script was changed. Put it back.`,
  ]);
});

test("The new script must reach every test that the task names, for nobody else would miss them.", async () => {
  const given = (is: string) => script("node --test", is, spoken, ["test/a.test.js"]);
  expect(await whys(given("node --test test/"))).toEqual([]);
  expect(await whys(given("node --test test/b.test.js"))).toHaveLength(1);
});

const settings = (path: string, was: string, is: string, modify: readonly string[] = []): Given => {
  return { checks: ["python3 -m pytest", "npx vitest run"], modify, edits: { [path]: [was, is] } };
};
const toml = (more: string) => `[tool.pytest.ini_options]\npythonpath = ["."]\n${more}`;
const vite = (more: string) => `export default { test: { globals: true${more} } };\n`;

test.each([
  settings("pyproject.toml", toml(""), toml('testpaths = ["tests"]\n')),
  settings("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q\ntestpaths = tests\n", [
    "tests/test_a.py",
  ]),
  settings("vitest.config.ts", vite(""), vite(', include: ["test/**/*.test.ts"]')),
])("A first selection of folders in which tests lie is fine where they are heard.", async (given) => {
  expect(await whys(given)).toEqual([]);
});

test.each([
  settings("pyproject.toml", toml(""), toml('testpaths = ["docs"]\n')),
  settings("pyproject.toml", toml(""), toml('testpaths = ["tests/unit"]\n'), ["tests/test_a.py"]),
  settings("pyproject.toml", toml(""), toml('python_functions = ["test_adds*"]\n')),
  settings("vitest.config.ts", vite(""), vite(', include: ["test/a.test.ts"]')),
  { ...settings("pyproject.toml", toml(""), toml('testpaths = ["tests"]\n')), checks: ["tox"] },
])("Any other first selection proves less.", async (given) => {
  expect(await whys(given)).toHaveLength(1);
});
