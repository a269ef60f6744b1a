import { expect, test } from "vitest";
import { definesCommands } from "../../../../src/plan/definitions.ts";
import { protectedKind } from "../../../../src/plan/protected.ts";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const whys = async (edits: Record<string, Edit>, more: Partial<Given> = {}) =>
  (await judged(guardDefinitions, { checks: ["npm test", "tsc", "eslint .", "pytest"], edits, ...more })).map(
    ({ path, why }) => `${path} ${why}`,
  );

const vitest = (test: string) =>
  `import { defineConfig } from "vitest/config";\nexport default defineConfig({\n  test: { ${test} },\n});\n`;
const old = 'include: ["test/**", "unit/**"], exclude: ["a"], coverage: { thresholds: { lines: 90 } }';

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
  ["mvn test", "pom.xml", "<project>\n</project>\n", "<project>\n<skipTests>true</skipTests>\n</project>\n"],
  ["./mvnw verify", "pom.xml", "<project>\n<goal>test</goal>\n</project>\n", "<project>\n</project>\n"],
  [
    "./gradlew test",
    "build.gradle",
    "test {\n  useJUnitPlatform()\n}\n",
    "test {\n  useJUnitPlatform()\n  ignoreFailures = true\n}\n",
  ],
  ["gradle check", "build.gradle.kts", "tasks.test {\n  useJUnitPlatform()\n}\n", "tasks.test {\n}\n"],
  ["rake test", "Rakefile", 'task :test do\n  sh "ruby a.rb"\nend\n', "task :test do\nend\n"],
  [
    "task test",
    "Taskfile.yml",
    "tasks:\n  test:\n    cmds: [go test ./...]\n",
    "tasks:\n  test:\n    cmds: ['true']\n",
  ],
  ["tox", "tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = true\n"],
  ["npm test", ".npmrc", "fund=false\n", "fund=false\nscript-shell=/bin/true\n"],
  [
    "vendor/bin/phpunit",
    "phpunit.xml",
    "<phpunit>\n<directory>tests</directory>\n</phpunit>\n",
    "<phpunit>\n<directory>tests</directory>\n<exclude>tests/a</exclude>\n</phpunit>\n",
  ],
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
  [
    "mvn test",
    "pom.xml",
    "<project>\n<version>1</version>\n</project>\n",
    "<project>\n<version>2</version>\n<dependency>\n<exclusions><exclusion>a</exclusion></exclusions>\n</dependency>\n</project>\n",
  ],
  [
    "./gradlew test",
    "build.gradle",
    "dependencies {\n  implementation 'a:b:1'\n}\n",
    "dependencies {\n  implementation 'a:b:2'\n  testImplementation('c:d:1') { exclude group: 'x' }\n}\n",
  ],
  [
    "rake test",
    "Rakefile",
    'task :test do\n  sh "ruby a.rb"\nend\n',
    'task :test do\n  sh "ruby a.rb"\nend\ntask :docs do\n  sh "yard"\nend\n',
  ],
  ["npm test", ".npmrc", "fund=false\n", "fund=true\nsave-exact=true\n"],
])("`%s`: %s may change.", async (check, path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: [check] })).toEqual([]);
});

test("A new file that is obeyed instead of the one that was is refused.", async () => {
  expect(
    await whys(
      { GNUmakefile: [null, "test:\n\tnode a.js\n"] },
      { checks: ["make test"], base: { Makefile: "test:\n\tnode --test\n" } },
    ),
  ).toEqual([
    "GNUmakefile was created, but `make test` would use it instead of Makefile, with which the check was approved. Delete it.",
  ]);
  const pytest = (pyproject: string) =>
    whys({ "pytest.ini": [null, "[pytest]\n"] }, { base: { "pyproject.toml": pyproject } });
  expect(await pytest("[tool.pytest.ini_options]\naddopts = '-q'\n")).toHaveLength(1);
  expect(await pytest("[project]\nname = 'a'\n")).toEqual([]);
  expect(await whys({ Makefile: [null, "test:\n\tnode --test\n"] }, { checks: ["make test"] })).toEqual([]);
});

test("A new file by which another program runs the tests is refused; a new one that selects them is not.", async () => {
  const cargo = (text: string) => whys({ ".cargo/config.toml": [null, text] }, { checks: ["cargo test"] });
  expect(await cargo('[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n')).toHaveLength(1);
  expect(await cargo("[build]\njobs = 4\n")).toEqual([]);
  const npm = (text: string) => whys({ ".npmrc": [null, text] }, { checks: ["npm test"] });
  expect(await npm("script-shell=/bin/true\n")).toHaveLength(1);
  expect(await npm("save-exact=true\n")).toEqual([]);
  expect(await whys({ "pytest.ini": [null, "[pytest]\naddopts = --co\n"] })).toHaveLength(1);
  expect(await whys({ "pytest.ini": [null, "[pytest]\ntestpaths = tests\n"] })).toEqual([]);
});

test("Every file that this guard reads is one that a task must name.", () => {
  const read =
    "package.json composer.json deno.json deno.jsonc Makefile GNUmakefile makefile rules.mk justfile .justfile Taskfile.yml Rakefile a.rake noxfile.py tox.ini setup.cfg pytest.ini .pytest.ini pytest.toml pyproject.toml setup.py .coveragerc Cargo.toml .cargo/config.toml .cargo/config go.mod go.work pom.xml mvnw .mvn/maven.config build.gradle build.gradle.kts gradlew gradle.properties CMakeLists.txt meson.build mix.exs BUILD BUILD.bazel a.csproj Directory.Build.props a.runsettings turbo.json nx.json lerna.json .npmrc .yarnrc .yarnrc.yml pnpm-workspace.yaml .rspec spec_helper.rb phpunit.xml phpunit.xml.dist Gemfile vitest.config.ts vite.config.js vitest.workspace.ts jest.config.json playwright.config.ts .mocharc.json .nycrc .c8rc.json .taprc jasmine.json cypress.json tsconfig.json tsconfig.base.json jsconfig.json eslint.config.js .eslintrc.json .oxlintrc.json biome.json ruff.toml mypy.ini .flake8";
  const free = read.split(" ").filter((path) => !definesCommands(path) && protectedKind(path, []) === undefined);
  expect(free).toEqual([]);
});
