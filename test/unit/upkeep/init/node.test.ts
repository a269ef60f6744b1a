import { expect, test } from "vitest";
import { manifest, readBack, survey } from "../../../rig/init-survey.ts";

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

test("Where there are several lock files, the manifest decides.", () => {
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

test("Where all tests share a process, new ones are protected, too.", () => {
  const mocha = survey({ "package.json": manifest({ devDependencies: { mocha: "11" }, scripts: { test: "mocha" } }) });
  expect(readBack(mocha).protect).toEqual(["**/*.{test,spec}.*"]);
  const vitest = survey({ "package.json": manifest({ devDependencies: { vitest: "4" } }) });
  expect(readBack(vitest).protect).toEqual([]);
});
