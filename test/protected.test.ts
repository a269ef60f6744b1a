import { describe, expect, test } from "vitest";
import { allows, isForbidden, mayChange, names, protectedKind, refusal } from "../src/plan/protected.ts";
import type { ChangeStatus } from "../src/plan/protected.ts";
import type { TaskFiles } from "../src/plan/types.ts";

const files = (some: Partial<TaskFiles>): TaskFiles => ({ create: [], modify: [], delete: [], touch: [], ...some });
const rules = { protect: ["legacy/**"], forbid: ["secret/**"] };

const kinds: Readonly<Record<string, readonly string[]>> = {
  plan: ["plans/auth/plan.md", "plans", ".stint/rules.md", ".stint", "Plans/auth/tasks/01.md"],
  test: [
    ...["src/a.test.ts", "src/a.spec.js", "src/__tests__/a.ts", "__mocks__/fs.js", "src/__snapshots__/a.test.ts.snap"],
    ...["test_a.py", "pkg/a_test.py", "tests/data.json", "pkg/tests/a.rs", "a_test.go", "pkg/testdata/x.txt"],
    ...["src/test/java/App.java", "src/AppTest.java", "spec/models/user.yml", "engine/spec/a_spec.rb", "test/a.rb"],
    ...["Tests/AppTests/A.swift", "tests", "cypress/e2e/login.cy.ts", "e2e/login.ts", "tests/UserTest.php"],
  ],
  "runner-config": [
    ...["vitest.config.ts", "packages/a/jest.config.cjs", ".mocharc.yml", "playwright.config.ts", "cypress.config.js"],
    ...["karma.conf.js", "ava.config.mjs", "conftest.py", "tests/conftest.py", "pytest.ini", "tox.ini", "setup.cfg"],
    ...["noxfile.py", "sitecustomize.py", ".rspec", "phpunit.xml", "phpunit.xml.dist", "vitest.workspace.ts"],
  ],
  ci: [
    ...[".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", ".gitlab-ci.yml", ".circleci/config.yml"],
    ...[
      "Jenkinsfile",
      "azure-pipelines.yml",
      ".buildkite/pipeline.yml",
      ".husky/pre-commit",
      ".pre-commit-config.yaml",
    ],
  ],
  lockfile: [
    ...["package-lock.json", "apps/web/npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
    ...["poetry.lock", "uv.lock", "Pipfile.lock", "Cargo.lock", "go.sum", "Gemfile.lock", "composer.lock"],
    ...["gradle.lockfile", "tests/fixture/package-lock.json"],
  ],
  rules: ["legacy/login.js"],
};

describe.each(Object.entries(kinds))("%s", (kind, paths) => {
  test.each(paths)("covers %s", (path) => {
    expect(protectedKind(path, rules.protect)).toBe(kind);
  });
});

test.each([
  ...["src/a.ts", "src/latest.ts", "src/contest.java", "src/Contest.java", "package.json", "src/plans/a.ts", "go.mod"],
  ...["src/testing.ts", "docs/spec/openapi.yaml", "src/config.ts", "README.md", "src/attestation.py", "deno.json"],
])("%s is not protected", (path) => {
  expect(protectedKind(path, rules.protect)).toBeUndefined();
});

test.each([
  ...[
    ".env",
    "apps/web/.env",
    ".env.local",
    ".env.production",
    "certs/server.pem",
    "server.key",
    "id_rsa",
    "a/id_ed25519",
  ],
  ...[".ENV", "store.p12", ".netrc", ".git-credentials", ".aws/credentials", ".ssh/config", "secret/a.txt", ".pypirc"],
  ...[`deep/${"a".repeat(300)}`, "a/".repeat(600)],
])("%s may never change", (path) => {
  expect(isForbidden(path, rules.forbid)).toBe(true);
});

test.each([
  ...[".env.example", "apps/web/.env.sample", ".env.template", ".env.production.example", ".npmrc", ".envrc"],
  ...["src/env.ts", "src/keyboard.ts", "src/id_rsa.md", "src/secret/a.txt", "vite-env.d.ts", "id_rsa.pub"],
])("%s may change", (path) => {
  expect(isForbidden(path, rules.forbid)).toBe(false);
});

const naming: readonly (readonly [string, string, boolean])[] = [
  ["src/a.test.ts", "src/a.test.ts", true],
  ["src/**/*.test.ts", "src/x/a.test.ts", true],
  ["src/*.{test,spec}.{ts,tsx}", "src/a.spec.tsx", true],
  ["{src,tests}/**", "tests/a.py", true],
  ["tests/**", "tests/conftest.py", true],
  ["app/[id]/*.test.tsx", "app/[id]/page.test.tsx", true],
  ["app/[id]/page.test.tsx", "app/[id]/page.test.tsx", true],
  [".github/**", ".github/workflows/ci.yml", true],
  ["legacy/**", "legacy/login.js", true],
  ["legacy/*.js", "legacy/login.js", true],
  ["src/**", "src/a.test.ts", false],
  ["**", "package-lock.json", false],
  ["**/*", "legacy/login.js", false],
  ["**/*.test.ts", "legacy/a.test.ts", false],
  ["legacy/**", "legacy/a.test.ts", false],
  ["legacy/**/*.test.ts", "legacy/a.test.ts", true],
  ["{**/*,x.test.ts}", "src/a.test.ts", false],
  ["src/*[.test.]*", "src/vitest.config.ts", false],
  ["src/@(*|x.test.ts)", "src/vitest.config.ts", false],
  ["plans/**", "plans/auth/plan.md", false],
  ["plans/auth/plan.md", "plans/auth/plan.md", false],
  [".stint/rules.md", ".stint/rules.md", false],
];

test.each(naming)("%s names %s: %s", (entry, path, named) => {
  expect(names(files({ modify: [entry] }), path, rules.protect)).toBe(named);
});

const scope: readonly (readonly [keyof TaskFiles, string])[] = [
  ["create", "A"],
  ["modify", "M"],
  ["delete", "D"],
  ["touch", "AM"],
];

test.each(scope)("%s allows %s and nothing else", (list, allowed) => {
  const task = files({ [list]: ["src/**"] });
  const found = (["A", "M", "D"] as const).filter((status) => allows(task, status, "src/a.ts"));
  expect(found.join("")).toBe(allowed);
  expect(allows(task, allowed[0] as ChangeStatus, "lib/a.ts")).toBe(false);
});

test("a new test may be added under a plain glob, but not changed or deleted", () => {
  const task = files({ create: ["src/**"], modify: ["src/**"], delete: ["src/**"] });
  for (const path of ["src/a.test.ts", "src/test_a.py", "src/a_test.go", "src/a_spec.rb", "src/ATest.java"]) {
    expect(mayChange(task, { status: "A", path }, rules)).toBe(true);
    expect(mayChange(task, { status: "M", path }, rules)).toBe(false);
    expect(mayChange(task, { status: "D", path }, rules)).toBe(false);
  }
});

test.each(["src/vitest.config.ts", "src/conftest.py", "src/__snapshots__/a.test.ts.snap", "src/__mocks__/fs.ts"])(
  "%s decides what tests say, so it must be named even when new",
  (path) => {
    expect(refusal(files({ create: ["src/**"] }), { status: "A", path }, rules)).toBe("protected");
    expect(refusal(files({ create: [path] }), { status: "A", path }, rules)).toBeUndefined();
  },
);

test("a new test in a folder the rules protect must be named", () => {
  const change = { status: "A", path: "legacy/a.test.ts" } as const;
  expect(refusal(files({ create: ["**"] }), change, rules)).toBe("protected");
  expect(refusal(files({ create: ["legacy/*.test.ts"] }), change, rules)).toBeUndefined();
});

test("being named for creation does not permit a modification under a wide glob", () => {
  const task = files({ create: ["src/a.test.ts"], modify: ["src/**"] });
  expect(refusal(task, { status: "M", path: "src/a.test.ts" }, rules)).toBe("protected");
});

test("the reason of a refusal is the strongest one", () => {
  const task = files({ touch: ["**", ".env", "plans/a/plan.md"] });
  expect(refusal(task, { status: "A", path: ".env" }, rules)).toBe("forbidden");
  expect(refusal(task, { status: "M", path: "plans/a/plan.md" }, rules)).toBe("protected");
  expect(refusal(files({}), { status: "M", path: "src/a.ts" }, rules)).toBe("out-of-scope");
  expect(refusal(task, { status: "M", path: "src/a.ts" }, rules)).toBeUndefined();
});
