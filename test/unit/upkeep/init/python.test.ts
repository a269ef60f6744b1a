import { expect, test } from "vitest";
import { readBack, survey } from "../../../rig/init-survey.ts";

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
