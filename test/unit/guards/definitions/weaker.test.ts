import { expect, test } from "vitest";
import { old, vitest, whys } from "../../../rig/definitions.ts";

test("A test that settings leave out is named.", async () => {
  const edits = { "vitest.config.ts": [vitest(old), vitest(old.replace('["a"]', '["a", "test/b.test.ts"]'))] } as const;
  expect(await whys(edits)).toEqual([
    "vitest.config.ts was changed, but test.exclude leaves out `test/b.test.ts`: checks would prove less. Put it back.",
  ]);
});

test.each([
  ['["test/**", "unit/**"]', '["test/**"]', "test.include no longer selects `unit/**`"],
  ["lines: 90", "lines: 10", "test.coverage.thresholds.lines falls from 90 to 10"],
  ["exclude:", "passWithNoTests: true, exclude:", "test.passWithNoTests is switched on"],
  ["exclude:", "retry: 3, exclude:", "test.retry is now 3"],
  ["exclude:", "bail: 1, exclude:", "test.bail is now 1"],
  ["exclude:", 'testNamePattern: "easy", exclude:', "test.testNamePattern selects only `easy`"],
  [
    "exclude:",
    "dangerouslyIgnoreUnhandledErrors: true, exclude:",
    "test.dangerouslyIgnoreUnhandledErrors is switched on",
  ],
])("Vitest: %s to %s is refused.", async (from, to, why) => {
  expect(await whys({ "vitest.config.ts": [vitest(old), vitest(old.replace(from, to))] })).toEqual([
    `vitest.config.ts was changed, but ${why}: checks would prove less. Put it back.`,
  ]);
});

test.each([
  ['["a"]', '["a", "**/dist/**", ...configDefaults.exclude]'],
  ['["test/**", "unit/**"]', '["test/**", "unit/**", "more/**"]'],
  ["lines: 90", "lines: 95"],
  ["exclude:", 'environment: "jsdom", setupFiles: ["./setup.ts"], testTimeout: 9000, exclude:'],
  ["exclude:", 'reporters: ["dot"], globals: true, exclude:'],
])("Vitest: %s to %s may change.", async (from, to) => {
  expect(await whys({ "vitest.config.ts": [vitest(old), vitest(old.replace(from, to))] })).toEqual([]);
});

const toml = (line: string) => `[tool.pytest.ini_options]\n${line}\n`;
const mypy = (line: string) => `[tool.mypy]\nstrict = true\n${line}\n`;
const flake8 = (line: string) => `[flake8]\nmax-line-length = 100\n${line}\n`;

test.each<[string, string, string, string]>([
  ["pyproject.toml", toml('addopts = "-q"'), toml('addopts = "-q -k nothing"'), "addopts has `-k`"],
  ["pyproject.toml", toml('addopts = "-q"'), toml('addopts = """\n-q\n-k nothing\n"""'), "addopts has `-k`"],
  ["pyproject.toml", toml('addopts = "-q"'), toml("addopts = '''\n-q\n-knothing'''"), "addopts has `-knothing`"],
  ["pyproject.toml", toml('addopts = "-q"'), toml('addopts = ["-q", "-k nothing"]'), "addopts has `-k`"],
  [
    "pyproject.toml",
    toml('addopts = "-q"'),
    `tool.pytest = { ini_options = { addopts = "-x" } }\n`,
    "addopts has `-x`",
  ],
  ["pyproject.toml", mypy('exclude = "build"'), mypy('exclude = "build|src"'), "exclude leaves out `build|src`"],
  ["pyproject.toml", mypy(""), mypy("exclude = '''\nlegacy|src\n'''"), "exclude leaves out `legacy|src`"],
  [
    "pyproject.toml",
    mypy(""),
    mypy("exclude = '''(?x)(\n  ^build/ # made\n  | ^src/\n)'''"),
    "exclude leaves out `(^build/|^src/)`",
  ],
  ["pyproject.toml", mypy(""), mypy('exclude = ["(build)?src"]'), "exclude leaves out `(build)?src`"],
  ["pyproject.toml", mypy(""), mypy('exclude = ["(/build/)?src"]'), "exclude leaves out `(/build/)?src`"],
  ["pyproject.toml", mypy(""), mypy('exclude = ["src/(build|)"]'), "exclude leaves out `src/(build|)`"],
  ["pyproject.toml", mypy(""), mypy('exclude = ["rebuild_all.py"]'), "exclude leaves out `rebuild_all.py`"],
  ["pyproject.toml", mypy(""), mypy('exclude = ["build/../src"]'), "exclude leaves out `build/../src`"],
  ["setup.cfg", flake8("exclude = .git"), flake8("exclude = .git,build,src"), "exclude leaves out `.git,build,src`"],
  ["pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q -k nothing\n", "addopts has `-k`"],
  [
    "pytest.ini",
    "[pytest]\naddopts = -q\n",
    "[pytest]\naddopts =\n  -q\n\n  # fast\n  -k nothing\n",
    "addopts has `-k`",
  ],
  [
    "setup.cfg",
    "[tool:pytest]\naddopts = -q\n",
    "[tool:pytest]\naddopts = -q\n  --deselect=tests/a.py\n",
    "addopts has `--deselect=tests/a.py`",
  ],
  [".coveragerc", "[report]\nfail_under = 90\n", "[report]\nFail_Under: 10\n", "fail_under falls from 90 to 10"],
])("%s: %j to %j is refused.", async (path, before, after, why) => {
  const found = await whys({ [path]: [before, after] }, { checks: ["pytest", "mypy", "flake8"] });
  expect(found).toEqual([expect.stringContaining(`${why}: checks would prove less. Put it back.`)]);
});

test.each<[string, string, string]>([
  ["pyproject.toml", toml('addopts = "-q"'), toml('addopts = """\n-q\n--strict-markers\n"""')],
  ["pyproject.toml", toml('addopts = "-q -k fast"'), toml("addopts = '''\n-q\n-k fast\n'''")],
  ["pyproject.toml", mypy('exclude = "legacy"'), mypy("exclude = '''\nlegacy|(^|/)(build|dist)/\n'''")],
  ["pyproject.toml", mypy(""), mypy("exclude = '''(?x)(\n  ^build/ # made\n  | ^dist/\n)'''")],
  ["pyproject.toml", mypy(""), mypy("exclude = ['[/\\\\]\\.venv[/\\\\]', 'build/.*', 'src/generated/']")],
  ["setup.cfg", flake8("exclude = .git"), flake8("exclude = .git,build,dist")],
  ["pytest.ini", "[pytest]\naddopts = -q -k fast\n", "[pytest]\naddopts =\n  -q\n  -k fast\n"],
  [
    "pytest.ini",
    "[pytest]\naddopts = -q\n",
    "[pytest]\naddopts = -q\n# addopts = -k nothing\nmarkers =\n  slow: takes long\n",
  ],
])("%s: %j to %j may change.", async (path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: ["pytest", "mypy", "flake8"] })).toEqual([]);
});
