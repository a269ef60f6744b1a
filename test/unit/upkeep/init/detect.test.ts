import { expect, test } from "vitest";
import { manifest, readBack, survey } from "../../../rig/init-survey.ts";

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

test("A repository of no known kind gets files that say so and have nothing to run.", () => {
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
