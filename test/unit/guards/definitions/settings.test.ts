import { expect, test } from "vitest";
import { old, vitest, whys } from "../../../rig/definitions.ts";

test("Settings changed by a statement are refused, and new settings may say what they select.", async () => {
  const [was] = [vitest(old)];
  expect(await whys({ "vitest.config.ts": [was, `${was}config.test.exclude.push("b");\n`] })).toHaveLength(1);
  expect(await whys({ "vitest.config.ts": [null, vitest(old)] })).toEqual([]);
  expect(await whys({ "vitest.config.ts": [null, vitest("passWithNoTests: true")] })).toHaveLength(1);
});

test.each<[string, string, string]>([
  ["package.json", '{"jest":{}}', '{"jest":{"testPathIgnorePatterns":["slow"]}}'],
  [".mocharc.yml", "spec: [test/*.js, more/*.js]\n", "spec: [test/*.js]\n"],
  [".mocharc.json", "{}", '{"grep":"easy"}'],
  ["playwright.config.ts", "export default { retries: 0 };", "export default { retries: 5 };"],
  [
    "jest.config.js",
    "module.exports = { testMatch: ['**/*.test.js'] };",
    "module.exports = { testMatch: ['**/a.test.js'] };",
  ],
  ["jest.config.js", "module.exports = {};", "module.exports = { testRunner: './fake.js' };"],
  [
    "pyproject.toml",
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    "[tool.pytest.ini_options]\naddopts = \"-q -k 'not slow'\"\n",
  ],
  [
    "pyproject.toml",
    '[tool.pytest.ini_options]\ntestpaths = ["tests", "more"]\n',
    '[tool.pytest.ini_options]\ntestpaths = [\n  "tests",\n]\n',
  ],
  ["pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q\n  --deselect tests/a.py\n"],
  ["setup.cfg", "[tool:pytest]\nxfail_strict = true\n", "[tool:pytest]\nxfail_strict = false\n"],
  ["tox.ini", "[pytest]\npython_files = test_*.py *_test.py\n", "[pytest]\npython_files = test_a*.py\n"],
  [".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 10\n"],
  ["tsconfig.json", '{"compilerOptions":{"strict":true}}', '{"compilerOptions":{"strict":false}}'],
  ["tsconfig.json", '{"include":["src","test"]}', '{"include":["src"]}'],
  ["tsconfig.json", '{ // all\n"compilerOptions":{"noUnusedLocals":true,},}', '{"compilerOptions":{}}'],
  ["tsconfig.json", '{"exclude":[]}', '{"exclude":["src/hard.ts"]}'],
  [".eslintrc.json", '{"rules":{"no-eval":"error"}}', '{"rules":{"no-eval":"warn"}}'],
  [
    "eslint.config.js",
    "export default [{ rules: { a: 'error' } }];",
    "export default [{ rules: { a: 'error', b: 'off' } }];",
  ],
  ["eslint.config.js", "export default [{ rules: {} }];", "export default [{ ignores: ['src/**'] }, { rules: {} }];"],
])("%s: %s to %s is refused.", async (path, before, after) => {
  expect(await whys({ [path]: [before, after] })).toHaveLength(1);
});

test.each<[string, string, string]>([
  ["package.json", '{"jest":{}}', '{"jest":{"testEnvironment":"node","verbose":true}}'],
  [
    "pyproject.toml",
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    '[tool.pytest.ini_options]\naddopts = "-q --strict-markers"\nmarkers = ["slow"]\n',
  ],
  [
    "pyproject.toml",
    '[project]\nversion = "1"\ndependencies = [\n  "a",\n]\n',
    '[project]\nversion = "2"\ndependencies = [\n  "a",\n  "b",\n]\n',
  ],
  [
    "tsconfig.json",
    '{"compilerOptions":{"strict":true,"noImplicitAny":true}}',
    '{"compilerOptions":{"strict":true,"target":"es2023"}}',
  ],
  ["tsconfig.json", '{"include":["src"]}', '{"include":["src","test"],"exclude":["dist","node_modules"]}'],
  [".eslintrc.json", '{"rules":{"no-eval":"warn"}}', '{"rules":{"no-eval":"error","no-var":"error"}}'],
  ["playwright.config.ts", "export default { retries: 2 };", "export default { retries: 0 };"],
])("%s: %s to %s may change.", async (path, before, after) => {
  expect(await whys({ [path]: [before, after] })).toEqual([]);
});

const toml = (line: string) => `[tool.pytest.ini_options]\n${line}\n`;
test.each<[string, string, string]>([
  ["pyproject.toml", toml('addopts = "-q'), "line 2: "],
  ["pyproject.toml", `${toml("a = 1")}a = 2\n`, "line 3: trying to redefine an already defined table or value"],
  ["pytest.ini", "addopts = -q\n", "line 1: a setting before the first [section]"],
  ["pytest.ini", "[pytest]\naddopts\n", "line 2: neither a section nor `name = value`"],
  ["setup.cfg", "[tool:pytest]\naddopts = -q\naddopts = -x\n", "line 3: tool:pytest.addopts is set twice"],
  ["Cargo.toml", "[package\n", "line 1: "],
  ["package.json", '{"jest": ', "line 1: "],
])("%s with %j cannot be read, and is refused; it may become one that can.", async (path, broken, fault) => {
  const more = { checks: ["pytest", "cargo test"] };
  const fine = path.endsWith(".json") ? "{}" : "[a]\nb = 1\n";
  const [found, ...others] = await whys({ [path]: [fine, broken] }, more);
  expect(found).toContain(`${path} was changed, but it cannot be read (${fault}`);
  expect(found).toMatch(/, so what checks would prove is unknown\. Fix its syntax, or put it back\.$/);
  expect(others).toEqual([]);
  expect(await whys({ [path]: [null, broken] }, more)).toHaveLength(1);
  expect(await whys({ [path]: [broken, `${broken} `] }, more)).toHaveLength(1);
  expect(await whys({ [path]: [broken, fine] }, more)).toEqual([]);
});

test("Types and rules may change where no check asks for them.", async () => {
  const edits = {
    "tsconfig.json": ['{"compilerOptions":{"strict":true}}', "{}"],
    ".eslintrc.json": ['{"rules":{"a":"error"}}', "{}"],
  } as const;
  expect(await whys(edits, { checks: ["node --test"] })).toEqual([]);
});

test.each<[string, string, string, string]>([
  ["cargo test", "Cargo.toml", '[lib]\nname = "a"\n', '[lib]\nname = "a"\ntest = false\n'],
  ["cargo test", "Cargo.toml", '[[test]]\nname = "a"\n', '[[test]]\nname = "a"\nharness = false\n'],
  ["cargo test", "Cargo.toml", '[package]\nname = "a"\n', '[package]\nname = "a"\nautotests = false\n'],
  ["cargo test", ".cargo/config.toml", "[build]\njobs = 2\n", '[build]\njobs = 2\n[target.x86_64]\nrunner = "true"\n'],
  ["tox", "tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = true\n"],
])("`%s`: what %s says is refused.", async (check, path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: [check] })).toHaveLength(1);
  expect(await whys({ [path]: [before, after] }, { checks: ["./other"] })).toEqual([]);
});

test.each<[string, string, string, string]>([
  [
    "cargo test",
    "Cargo.toml",
    '[package]\nversion = "1.0.0"\n',
    '[package]\nversion = "1.1.0"\n[features]\nx = []\n[[bin]]\nname = "b"\n',
  ],
  ["cargo test", ".cargo/config.toml", "[build]\njobs = 2\n", '[build]\njobs = 4\n[alias]\nxt = "run -p x"\n'],
])("`%s`: %s may change.", async (check, path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: [check] })).toEqual([]);
});

test("A new file by which another program runs the tests is refused; a new one that selects them is not.", async () => {
  const cargo = (text: string) => whys({ ".cargo/config.toml": [null, text] }, { checks: ["cargo test"] });
  expect(await cargo('[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n')).toHaveLength(1);
  expect(await cargo("[build]\njobs = 4\n")).toEqual([]);
  expect(await whys({ "pytest.ini": [null, "[pytest]\naddopts = --co\n"] })).toHaveLength(1);
  expect(await whys({ "pytest.ini": [null, "[pytest]\ntestpaths = tests\n"] })).toEqual([]);
});
