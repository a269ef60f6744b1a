import { describe, expect, test } from "vitest";
import {
  allows,
  isForbidden,
  isOfKind,
  names,
  protectedKind,
  refusal,
  whyForbidden,
} from "../../../src/plan/protected.ts";
import type { ChangeStatus, ProtectedKind } from "../../../src/plan/protected.ts";
import type { TaskFiles } from "../../../src/plan/types.ts";

const files = (some: Partial<TaskFiles>): TaskFiles => ({ create: [], modify: [], delete: [], touch: [], ...some });
const rules = { protect: ["legacy/**"], forbid: ["secret/**"] };

const kinds: Readonly<Record<string, readonly string[]>> = {
  plan: [
    "plans/auth/plan.md",
    "plans/auth/inputs/.mcp.json",
    "plans",
    ".stint/rules.md",
    ".stint",
    "Plans/auth/tasks/01.md",
  ],
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
  "git-config": [".gitattributes", "src/.gitattributes", "tests/.GitAttributes", ".gitmodules"],
  "agent-settings": [
    ...[".claude/settings.json", ".claude/settings.local.json", ".Claude/Settings.json", ".claude/hooks/lint.sh"],
    ...[".mcp.json", "packages/a/.mcp.json", ".codex/config.toml", ".codex/rules/x", ".gemini/settings.json"],
    ...[".gemini/extensions/x/index.js", "opencode.json", "opencode.jsonc", ".opencode/plugin/x.ts"],
    ...[".claude/skills/x/SKILL.md", ".claude/agents/x.md", "pkg/.claude/commands/x.md", ".agents/skills/x/SKILL.md"],
    ...[".gemini/commands/x.toml", ".gemini/policies/x.toml"],
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
  dependency: [
    ...["node_modules/.bin/vitest", "packages/a/node_modules/x/index.js", ".venv/bin/pytest", "venv/lib/site.py"],
    ...[
      "lib/site-packages/pytest.py",
      ".yarn/releases/yarn.cjs",
      ".pnp.cjs",
      "vendor/bin/phpunit",
      "vendor/modules.txt",
    ],
  ],
  rules: ["legacy/login.js"],
};

describe.each(Object.entries(kinds))("%s", (kind, paths) => {
  test.each(paths)("covers %s", (path) => {
    expect(protectedKind(path, rules.protect)).toBe(kind);
    const found = Object.keys(kinds).filter((one) => isOfKind(path, one as ProtectedKind));
    expect(found).toEqual(kind === "rules" ? [] : [kind]);
  });
});

test.each([
  ...["src/a.ts", "src/latest.ts", "src/contest.java", "src/Contest.java", "package.json", "src/plans/a.ts", "go.mod"],
  ...["src/testing.ts", "docs/spec/openapi.yaml", "src/config.ts", "README.md", "src/attestation.py", "deno.json"],
  ...[".gitignore", "src/.gitignore", ".gitkeep", "src/gitattributes.ts"],
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md", "src/settings.json"],
  ...["src/vendor/invoice.ts", "vendor/assets/logo.svg", "src/node_modules.ts", "environment/a.py"],
])("%s is not protected", (path) => {
  expect(Object.keys(kinds).filter((one) => isOfKind(path, one as ProtectedKind))).toEqual([]);
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
  ...["a\nb", "a\r", "vault/k\u2028.yml", "k\u2029", "tab\t.md", "a\u0085b", "a\u007Fb"],
])("%j may never change", (path) => {
  expect(isForbidden(path, rules.forbid)).toBe(true);
});

test.each([
  ...[".env.example", "apps/web/.env.sample", ".env.template", ".env.production.example", ".npmrc", ".envrc"],
  ...["my notes.md", "日本/é.md", "a\u00A0b", "src/👍.ts"],
  ...["src/env.ts", "src/keyboard.ts", "src/id_rsa.md", "src/secret/a.txt", "vite-env.d.ts", "id_rsa.pub"],
])("%s may change", (path) => {
  expect(isForbidden(path, rules.forbid)).toBe(false);
});

test("a path that may never change is refused with the reason", () => {
  const why = (path: string) => whyForbidden(path, rules.forbid);
  expect(why("vault/k\u2028.yml")).toBe("its path contains a control character or line separator");
  expect(why("a".repeat(300))).toBe("its path is too long");
  expect(why("secret/a.txt")).toBe("the rules forbid it");
  expect(why("server.key")).toBe("it is a place for keys and secrets");
  expect(why("src/a.ts")).toBeUndefined();
});

const naming: readonly (readonly [string, string, boolean])[] = [
  ["src/a.test.ts", "src/a.test.ts", true],
  ["src/**/*.test.ts", "src/x/a.test.ts", true],
  ["src/*.{test,spec}.{ts,tsx}", "src/a.spec.tsx", true],
  ["{src,tests}/**", "tests/a.py", true],
  ["tests/**", "tests/helper.py", true],
  ["tests/**", "tests/conftest.py", false],
  ["tests/**", "tests/package-lock.json", false],
  ["tests/**", "tests/.gitattributes", false],
  ["tests/**", "tests/.github/x.yml", true],
  ["tests/conftest.py", "tests/conftest.py", true],
  ["**/conftest.py", "tests/conftest.py", true],
  ["tests/{conftest,helper}.py", "tests/conftest.py", true],
  ["tests/**/package-lock.json", "tests/a/package-lock.json", true],
  ["**/.gitattributes", "src/.gitattributes", true],
  ["**/jest.config.*", "tests/jest.config.js", true],
  ["**/jest.config.*", "tests/jest.config.test.js", true],
  [".github/**", ".github/package-lock.json", false],
  ["app/[id]/*.test.tsx", "app/[id]/page.test.tsx", true],
  ["app/[id]/page.test.tsx", "app/[id]/page.test.tsx", true],
  [".github/**", ".github/workflows/ci.yml", true],
  [".claude/settings.json", ".claude/settings.json", true],
  [".claude/hooks/**", ".claude/hooks/x.sh", true],
  [".claude/**", ".claude/settings.json", false],
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

const literals: readonly (readonly [string, string, boolean])[] = [
  ["pages/[id].js", "pages/[id].js", true],
  ["pages/[id].js", "pages/d.js", false],
  ["pages/(m)/p.js", "pages/(m)/p.js", true],
  ["pages/(m)/p.js", "pages/m/p.js", false],
  ["pages/{a,[id]}.js", "pages/[id].js", true],
  ["pages/{a,[id]}.js", "pages/a.js", true],
  ["pages/{a,[id]}.js", "pages/d.js", false],
  ["pages/[0-9].js", "pages/7.js", true],
  ["pages/@(a|b).js", "pages/b.js", true],
  ["pages/[id]/*.js", "pages/[id]/a.js", true],
  ["{..,src}/a.js", "src/a.js", false],
];

test.each(literals)("%s allows a change of %s: %s", (entry, path, allowed) => {
  expect(allows(files({ modify: [entry] }), "M", path)).toBe(allowed);
});

test.each(["lib/a.test.ts", "lib/a.spec.mjs", "lib/tests/b.test.js", "lib/tests/api.rs"])(
  "the new test %s is run apart from others, so a plain glob may add it, but not change or delete it",
  (path) => {
    const task = files({ create: ["lib/**"], modify: ["lib/**"], delete: ["lib/**"] });
    expect(refusal(task, { status: "A", path }, rules)).toBeUndefined();
    expect(refusal(task, { status: "M", path }, rules)).toBeDefined();
    expect(refusal(task, { status: "D", path }, rules)).toBeDefined();
  },
);

test.each([
  ["src/zz_test.go", "src/*_test.go"],
  ["src/test_a.py", "src/**/test_*.py"],
  ["src/a_spec.rb", "src/*_spec.rb"],
  ["src/ATest.java", "src/*Test.java"],
  ["src/ATest.php", "src/*Test.php"],
  ["src/a-spec.js", "src/*-spec.js"],
  ["src/parser/tests/unit.rs", "src/**/tests/*.rs"],
  ["src/tests/common/mod.rs", "src/tests/**"],
])("the new test %s shares a process with others, so it must be named, as by %s", (path, glob) => {
  const change = { status: "A", path } as const;
  expect(refusal(files({ create: ["src/**"] }), change, rules)).toBe("protected");
  expect(refusal(files({ create: [path] }), change, rules)).toBeUndefined();
  expect(refusal(files({ create: [glob] }), change, rules)).toBeUndefined();
});

test.each([
  ...["src/vitest.config.ts", "src/conftest.py", "src/__snapshots__/a.test.ts.snap", "src/__mocks__/fs.ts"],
  "src/.gitattributes",
])("%s decides what tests say, so it must be named even when new", (path) => {
  expect(refusal(files({ create: ["src/**"] }), { status: "A", path }, rules)).toBe("protected");
  expect(refusal(files({ create: [path] }), { status: "A", path }, rules)).toBeUndefined();
});

test("what a package manager installs must be named; a module among the fixtures of tests is a test's", () => {
  const change = { status: "A", path: "packages/a/node_modules/.bin/vitest" } as const;
  expect(refusal(files({ create: ["**", "packages/**"] }), change, rules)).toBe("protected");
  expect(refusal(files({ create: ["packages/**/node_modules/**"] }), change, rules)).toBeUndefined();
  expect(refusal(files({ create: [change.path] }), change, rules)).toBeUndefined();
  expect(protectedKind("test/fixtures/node_modules/x/index.js", [])).toBe("test");
});

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

test("`**` alone lets nobody change what defines commands; any other entry that covers it does", () => {
  const rules = { protect: [], forbid: [] };
  const of = (...touch: string[]) => ({ create: [], modify: [], delete: [], touch });
  const change = (path: string) => ({ status: "M", path }) as const;
  for (const path of ["package.json", "pkg/Makefile", "tsconfig.json", ".mvn/maven.config"]) {
    expect(refusal(of("**"), change(path), rules)).toBe("protected");
    expect(refusal(of("**", path), change(path), rules)).toBeUndefined();
  }
  expect(refusal(of("**", "pkg/**"), change("pkg/Makefile"), rules)).toBeUndefined();
  expect(refusal(of("**"), change("src/makefile.ts"), rules)).toBeUndefined();
});
