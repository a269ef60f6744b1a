import { expect, test } from "vitest";
import { loadConfig } from "../../../../src/config/load.ts";
import { configText, rulesText } from "../../../../src/upkeep/init/compose.ts";
import { detect } from "../../../../src/upkeep/init/detect.ts";
import type { Survey } from "../../../../src/upkeep/init/survey.ts";
import { parseRules, rulesFile } from "../../../../src/plan/rules.ts";

/** Everything is read, and all that set-up fills is ignored, unless a test says otherwise. */
function survey(files: Readonly<Record<string, string>>, more: Partial<Survey> = {}): Survey {
  return {
    files: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files)),
    unread: [],
    ignored: new Set(["node_modules", ".venv", "vendor", ".cargo-home", "api/.venv", "web/node_modules"]),
    hooks: { path: null, names: [] },
    ...more,
  };
}

/** What Stint itself reads in the files that would be written. */
function readBack(found: Survey) {
  const detected = detect(found);
  const config = loadConfig({
    project: { file: ".stint/config.yaml", bytes: Buffer.from(configText(detected, "claude")) },
  });
  const rules = parseRules(new Map([[rulesFile, { bytes: Buffer.from(rulesText(detected)) }]]));
  expect([...config.problems, ...rules.problems]).toEqual([]);
  return {
    setup: config.config.workspace.setup ?? null,
    inputs: config.config.workspace.setupInputs,
    checks: rules.rules.checks.map((check) =>
      check.kind === "run" ? `${check.cwd === "." ? "" : `${check.cwd}: `}${check.run}` : check.kind,
    ),
    protect: rules.rules.protect,
    notes: detected.notes,
    text: rulesText(detected),
  };
}

const manifest = (value: object) => JSON.stringify(value);

test.each([
  ["package-lock.json", {}, "npm ci"],
  ["pnpm-lock.yaml", {}, "pnpm install --frozen-lockfile"],
  ["yarn.lock", {}, "yarn install --frozen-lockfile"],
  ["yarn.lock", { ".yarnrc.yml": "nodeLinker: node-modules\n" }, "yarn install --immutable"],
  ["bun.lock", {}, "bun install --frozen-lockfile"],
])("A lock file says how node's dependencies are installed: %s.", (lock, more, setup) => {
  const found = readBack(survey({ "package.json": manifest({ dependencies: { a: "1" } }), [lock]: "", ...more }));
  expect(found.setup).toBe(setup);
  expect(found.inputs).toEqual([lock, "package.json", ...Object.keys(more)]);
});

test("Where several lock files lie about, the manifest's own word counts.", () => {
  const files = {
    "package.json": manifest({ packageManager: "npm@10.0.0" }),
    "package-lock.json": "",
    "yarn.lock": "",
  };
  expect(readBack(survey(files)).setup).toBe("npm ci");
});

test("Without a lock file dependencies are installed all the same; without dependencies nothing is.", () => {
  const needy = { "package.json": manifest({ devDependencies: { a: "1" } }) };
  expect(readBack(survey(needy)).setup).toBe("npm install --no-package-lock");
  expect(readBack(survey({ "package.json": "{}" })).setup).toBeNull();
});

test("Checks are the scripts of node that look; what watches, rewrites, is slow or is no test is a comment or nothing.", () => {
  const scripts = {
    lint: "eslint .",
    typecheck: "tsc --noEmit",
    "format:check": "prettier --check .",
    test: "vitest run",
    build: "vite build",
    "test:e2e": "playwright test",
    start: "node .",
  };
  const { checks, text } = readBack(survey({ "package.json": manifest({ scripts }) }));
  expect(checks).toEqual(["npm run lint", "npm run typecheck", "npm run format:check", "npm test"]);
  expect(text).toContain("  # - npm run build # vite build · slow; better under `checks` of a plan.md\n");
  expect(text).toContain("  # - npm run test:e2e # playwright test · it needs a browser\n");
  expect(text).not.toContain("start");
});

test.each([
  ["jest --watch", "it watches files and does not end"],
  ["eslint --fix .", "it rewrites files; a check should only read them"],
  ["lint-staged", "it checks staged files, and a fresh checkout has none"],
  ["docker compose run test", "it needs a container engine, which checks cannot reach"],
])("A test script that cannot be a check is a comment that says why: %s.", (script, why) => {
  const { checks, text } = readBack(survey({ "package.json": manifest({ scripts: { test: script } }) }));
  expect(checks).toEqual([]);
  expect(text).toContain(`  # - npm test # ${script} · ${why}\n`);
});

test("What npm writes in the place of a test is no check, and neither is an empty script.", () => {
  const scripts = { test: 'echo "Error: no test specified" && exit 1', lint: "" };
  const { checks, text } = readBack(survey({ "package.json": manifest({ scripts }) }));
  expect(checks).toEqual([]);
  expect(text).not.toContain("npm");
});

test.each([
  [{ "uv.lock": "", "pyproject.toml": "" }, "uv sync --locked"],
  [{ "poetry.lock": "", "pyproject.toml": "" }, "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction"],
  [
    { "requirements.txt": "six==1", "requirements-dev.txt": "pytest==8" },
    "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt -r requirements-dev.txt",
  ],
  [
    { "pyproject.toml": '[project]\ndependencies = ["six"]\n[project.optional-dependencies]\ndev = ["pytest"]\n' },
    "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'",
  ],
  [{ "pyproject.toml": "[project]\ndependencies = []\n" }, null],
])("Python is set up in the checkout by what the project has: %j.", (files, setup) => {
  expect(readBack(survey(files)).setup).toBe(setup);
});

test("Tools of Python are checks where the project depends on them, and comments where they are only configured.", () => {
  const pyproject =
    '[project]\ndependencies = ["six"]\n[project.optional-dependencies]\ndev = ["ruff", "pytest>=8"]\n[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n';
  const { checks, text } = readBack(survey({ "pyproject.toml": pyproject, "tests/test_a.py": "" }));
  expect(checks).toEqual([".venv/bin/ruff check .", ".venv/bin/python -m pytest"]);
  expect(text).toContain("  # - .venv/bin/mypy . # mypy is configured, but is not a dependency: it must be on PATH\n");
});

test.each([
  [["tests/test_a.py"], "python3 -m unittest discover -s tests"],
  [["tests/__init__.py", "tests/test_a.py"], "python3 -m unittest discover"],
  [["test_a.py"], "python3 -m unittest discover"],
])("Without pytest the tests of Python are unittest's, found where they lie: %j.", (paths, check) => {
  const files = Object.fromEntries(paths.map((path) => [path, ""]));
  expect(readBack(survey({ "setup.cfg": "", ...files })).checks).toEqual([check]);
});

test("Modules of Go are vendored, because rooms cannot write the module cache; a project without any needs no set-up.", () => {
  const needy = readBack(survey({ "go.mod": "module x\n\nrequire a.example/b v1.0.0\n", "go.sum": "" }));
  expect(needy).toMatchObject({
    setup: 'GOMODCACHE="$HOME/modules" go mod vendor',
    inputs: ["go.mod", "go.sum"],
    checks: ["go vet ./...", "go test ./..."],
  });
  expect(readBack(survey({ "go.mod": "module x\n" })).setup).toBeNull();
});

test("Crates lie in the checkout; clippy and rustfmt are checks where the project is set up for them.", () => {
  const manifest = '[package]\nname = "x"\n[dependencies]\nitoa = "1"\n';
  const plain = readBack(survey({ "Cargo.toml": manifest, "Cargo.lock": "" }));
  expect(plain).toMatchObject({
    setup: "CARGO_HOME=.cargo-home cargo fetch --locked",
    inputs: ["Cargo.toml", "Cargo.lock"],
    checks: ["CARGO_HOME=.cargo-home cargo test"],
  });
  const strict = survey({ "Cargo.toml": manifest, "Cargo.lock": "", "rustfmt.toml": "", "clippy.toml": "" });
  expect(readBack(strict).checks).toEqual([
    "cargo fmt --check",
    "CARGO_HOME=.cargo-home cargo clippy --all-targets -- -D warnings",
    "CARGO_HOME=.cargo-home cargo test",
  ]);
});

test("Several kinds at once are set up and checked together, one folder below the root, too.", () => {
  const found = readBack(
    survey({
      "web/package.json": manifest({ scripts: { test: "node --test" } }),
      "web/package-lock.json": "",
      "api/requirements.txt": "pytest==8",
      "examples/go.mod": "module x\n",
    }),
  );
  expect(found).toMatchObject({
    setup: "(cd web && npm ci) && (cd api && python3 -m venv .venv && .venv/bin/pip install -r requirements.txt)",
    inputs: ["web/package-lock.json", "web/package.json", "api/requirements.txt"],
    checks: ["web: npm test", "api: .venv/bin/python -m pytest"],
  });
});

test("Targets of the Makefile are checks where nothing else is known, and comments beside others.", () => {
  const makefile = "lint:\n\techo\ntest: build\n\techo\nx := 1\n";
  expect(readBack(survey({ Makefile: makefile })).checks).toEqual(["make lint", "make test"]);
  const { checks, text } = readBack(survey({ Makefile: makefile, "go.mod": "module x\n" }));
  expect(checks).toEqual(["go vet ./...", "go test ./..."]);
  expect(text).toContain("  # - make test # the Makefile may run the checks above\n");
});

test("Tests that no built-in pattern covers are protected; those that one covers are not named again.", () => {
  const files = {
    "app/tests.py": "",
    "tests/test_a.py": "",
    "e2e/login.ts": "",
    "web/e2e/login.ts": "",
    "setup.py": "",
  };
  expect(readBack(survey(files)).protect).toEqual([
    "**/tests.py",
    "**/{specs,e2e,cypress,integration-tests,integration_tests}/**",
  ]);
  expect(readBack(survey({ "tests/test_a.py": "", "a.test.ts": "" })).protect).toEqual([]);
});

test("Where all tests share a process, new ones are protected, too.", () => {
  const mocha = survey({ "package.json": manifest({ devDependencies: { mocha: "11" }, scripts: { test: "mocha" } }) });
  expect(readBack(mocha).protect).toEqual(["**/*.{test,spec}.*"]);
  const vitest = survey({ "package.json": manifest({ devDependencies: { vitest: "4" } }) });
  expect(readBack(vitest).protect).toEqual([]);
});

test("Git hooks become comments: those of the repository by command, private ones by name.", () => {
  const husky = readBack(survey({ ".husky/pre-commit": "" }, { hooks: { path: ".husky/_", names: ["pre-commit"] } }));
  expect(husky.checks).toEqual([]);
  expect(husky.text).toContain(
    "  # - sh .husky/pre-commit # a hook may check staged files, and a fresh checkout has none\n",
  );
  const own = readBack(survey({ ".githooks/pre-push": "" }, { hooks: { path: ".githooks", names: ["pre-push"] } }));
  expect(own.text).toContain("  # - sh .githooks/pre-push # ");
  const hidden = readBack(survey({}, { hooks: { path: null, names: ["pre-commit", "pre-push.sample"] } }));
  expect(hidden.text).toContain(
    "  # - … # what your hook pre-commit runs; it is not committed, so no fresh checkout has it\n",
  );
  expect(hidden.text).not.toContain("pre-push");
  const managed = survey({ ".pre-commit-config.yaml": "" }, { hooks: { path: null, names: ["pre-commit"] } });
  expect(readBack(managed).text.match(/pre-commit run --all-files|what your hook/g)).toEqual([
    "pre-commit run --all-files",
  ]);
});

test("A repository of no known kind gets files that say so and hold nothing to run.", () => {
  const { setup, checks, protect, text } = readBack(survey({ "README.md": "" }));
  expect({ setup, checks, protect }).toEqual({ setup: null, checks: [], protect: [] });
  expect(text).toContain("checks: []\n# Found none. An example: `checks: [make test]`\n");
});

test("What set-up fills, and git does not ignore, is named; so is an ignored .stint.", () => {
  const files = { "package.json": "{}", "package-lock.json": "" };
  expect(readBack(survey(files, { ignored: new Set([".stint"]) })).notes).toEqual([
    "Set-up fills node_modules/. Add it to .gitignore; otherwise files that an agent adds there count as its work.",
    "Git ignores .stint/. Remove it from .gitignore: settings and rules are committed with the plan.",
  ]);
  expect(readBack(survey(files)).notes).toEqual([]);
});
