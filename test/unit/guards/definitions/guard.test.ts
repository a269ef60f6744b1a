import { expect, test } from "vitest";
import type { Contents } from "../../../../src/guards/content-guard.ts";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { definesCommands } from "../../../../src/plan/definitions.ts";
import { protectedKind } from "../../../../src/plan/protected.ts";
import { judged, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ path, why }) => `${path} ${why}`);

/** package.json as npm writes it. */
const pkg = (scripts: Record<string, string>) => `${JSON.stringify({ name: "a", scripts }, null, 2)}\n`;

const base = { test: "node --test", build: "tsc" };

test("A script asked for in every package counts in each.", async () => {
  const edits = { "packages/a/package.json": [pkg(base), pkg({ ...base, test: "true" })] } as const;
  const root = { "package.json": pkg({ test: "npm test --workspaces" }) };
  expect(await whys({ checks: ["npm test"], edits, base: root })).toEqual([
    'packages/a/package.json was changed, but its script "test" decides what `npm test` runs; the check was approved as `node --test`, and the script was changed. Put it back.',
  ]);
  expect(await whys({ checks: ["node --test"], edits, base: root })).toEqual([]);
});

test("Every file that this guard reads is one that a task must name.", () => {
  const read =
    "package.json composer.json deno.json deno.jsonc Makefile GNUmakefile makefile rules.mk justfile .justfile Taskfile.yml Rakefile a.rake noxfile.py tox.ini setup.cfg pytest.ini .pytest.ini pytest.toml pyproject.toml setup.py .coveragerc Cargo.toml .cargo/config.toml .cargo/config go.mod go.work pom.xml mvnw .mvn/maven.config build.gradle build.gradle.kts gradlew gradle.properties CMakeLists.txt meson.build mix.exs BUILD BUILD.bazel a.csproj Directory.Build.props a.runsettings turbo.json nx.json lerna.json .npmrc .yarnrc .yarnrc.yml pnpm-workspace.yaml .rspec spec_helper.rb phpunit.xml phpunit.xml.dist Gemfile vitest.config.ts vite.config.js vitest.workspace.ts jest.config.json playwright.config.ts .mocharc.json .nycrc .c8rc.json .taprc jasmine.json cypress.json tsconfig.json tsconfig.base.json jsconfig.json eslint.config.js .eslintrc.json .oxlintrc.json biome.json ruff.toml mypy.ini .flake8";
  const free = read.split(" ").filter((path) => !definesCommands(path) && protectedKind(path, []) === undefined);
  expect(free).toEqual([]);
});

test("A definition file that is too large to read is refused, and large data beside it is not.", async () => {
  const large = (path: string) => ({ path, status: "M", before: null, after: null, tooLarge: true }) as const;
  const files = { create: [], modify: ["**"], delete: [], touch: [] };
  const contents = {
    task: { checks: [], files },
    checks: [],
    setup: "",
    changes: ["Makefile", "words.json"].map(large),
  };
  expect(await guardDefinitions(contents as unknown as Contents, async () => null)).toEqual([
    {
      guard: "definition",
      path: "Makefile",
      why: "was changed, but it can decide what a check runs and is too large to read. Put it back.",
    },
  ]);
});

test("Each file of the base is read once, however many rules ask for it.", async () => {
  const asked: string[] = [];
  const edits = { "web/a.config.ts": [null, "export default {};\n"], "web/vitest.config.ts": [null, "export {};\n"] };
  const changes = Object.entries(edits).map(([path, [before, after]]) => ({ path, status: "A", before, after }));
  const checks = ["npm test", "npm run lint"].map((run) => ({ kind: "run", run, cwd: ".", red: true }));
  const files = { create: ["**"], modify: [], delete: [], touch: [] };
  const contents = { task: { checks, files }, checks, setup: "npm ci", changes } as unknown as Contents;
  await guardDefinitions(contents, async (path) => {
    asked.push(path);
    return path === "package.json" ? pkg(base) : null;
  });
  expect(asked).toContain("package.json");
  expect(asked).toEqual([...new Set(asked)]);
});
