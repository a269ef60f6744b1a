import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const whys = async (edits: Record<string, Edit>, more: Partial<Given> = {}) =>
  (await judged(guardDefinitions, { checks: ["node --test"], edits, ...more })).map(
    ({ path, why }) => `${path} ${why}`,
  );

const base = {
  dependencies: { left: "^1.0.0" },
  devDependencies: { vitest: "^4.0.0" },
  overrides: { a: "1.0.0" },
  imports: { "#db": "./src/db.js" },
  exports: { ".": "./src/index.js" },
};
const json = (more: object) => JSON.stringify({ ...base, ...more }, null, 2);

test("A dependency that comes from elsewhere is refused; the message says from where.", async () => {
  const found = await judged(guardDefinitions, {
    edits: { "package.json": [json({}), json({ dependencies: { left: "file:./fake" } })] },
  });
  expect(found).toEqual([
    {
      guard: "definition",
      path: "package.json",
      why: "was changed, but left would now come from `file:./fake`, not from its old source. A version may change; put the rest back.",
      evidence: '- 3:     "left": "^1.0.0"\n+ 3:     "left": "file:./fake"',
    },
  ]);
});

test.each([
  [{ devDependencies: { vitest: "npm:fake-vitest@1" } }],
  [{ devDependencies: { vitest: "link:../v" } }],
  [{ devDependencies: { vitest: "git+ssh://git@x.io/a.git" } }],
  [{ devDependencies: { vitest: "someone/vitest" } }],
  [{ devDependencies: { vitest: "https://x.io/a.tgz" } }],
  [{ overrides: { a: "1.0.0", vitest: "file:./v" } }],
  [{ overrides: { a: { vitest: "npm:x@1" } } }],
  [{ resolutions: { left: "portal:./x" } }],
  [{ pnpm: { overrides: { left: "link:./x" } } }],
  [{ imports: { "#db": "./src/fake.js" } }],
  [{ exports: { ".": "./src/fake.js" } }],
])("package.json with %j is refused.", async (more) => {
  expect(await whys({ "package.json": [json({}), json(more)] })).toHaveLength(1);
});

test.each([
  [{ dependencies: { left: "^2.0.0", right: "~1.2.3" } }],
  [{ dependencies: {}, devDependencies: { vitest: "^4.0.0", left: "^1.0.0" } }],
  [{ dependencies: { left: "^1.0.0", mine: "workspace:*", local: "file:./packages/local" } }],
  [{ dependencies: { left: ">=1 <3 || 4.x", next: "latest" } }],
  [{ overrides: { a: "1.0.1", b: "$left" } }],
  [{ imports: { "#db": "./src/db.js", "#log": "./src/log.js" } }],
  [{ exports: { ".": "./src/index.js", "./x": "./src/x.js" }, version: "2.0.0", type: "module" }],
])("package.json with %j may change.", async (more) => {
  expect(await whys({ "package.json": [json({}), json(more)] })).toEqual([]);
});

test("A module that moved away takes its name along.", async () => {
  const moved = {
    "package.json": [json({}), json({ imports: { "#db": "./src/data/db.js" } })],
    "src/db.js": ["x", null],
  } as const;
  expect(await whys(moved)).toEqual([]);
});

test.each<[string, string, string]>([
  ["go.mod", "module a\nrequire x.io/b v1.0.0\n", "module a\nrequire x.io/b v1.0.0\nreplace x.io/b => ./fake\n"],
  [
    "Cargo.toml",
    '[dependencies]\nserde = "1"\n',
    '[dependencies]\nserde = "1"\n[patch.crates-io]\nserde = { path = "fake" }\n',
  ],
  ["Cargo.toml", '[dependencies]\nserde = "1"\n', '[dependencies]\nserde = { path = "fake" }\n'],
  ["Cargo.toml", '[dependencies]\nserde = "1"\n', '[dependencies.serde]\nversion = "1"\npath = "fake"\n'],
  ["Cargo.toml", '[dependencies]\nserde = "1"\n', '[dependencies]\nserde = { version = "1", package = "fake" }\n'],
  ["requirements.txt", "requests==2.0\n", "-e ./fake/requests\n"],
  ["requirements.txt", "requests==2.0\n", "requests @ https://x.io/r.whl\n"],
  [
    "pyproject.toml",
    '[tool.uv.sources]\n[project]\ndependencies = ["requests"]\n',
    '[tool.uv.sources]\nrequests = { path = "fake" }\n[project]\ndependencies = ["requests"]\n',
  ],
  ["Gemfile", 'gem "rack"\n', 'gem "rack", path: "./fake"\n'],
])("%s that swaps a dependency is refused.", async (path, before, after) => {
  expect(await whys({ [path]: [before, after] })).toHaveLength(1);
});

test.each<[string, string, string]>([
  [
    "go.mod",
    "module a\ngo 1.22\nrequire x.io/b v1.0.0\n",
    "module a\ngo 1.23\nrequire x.io/b v1.1.0\nrequire x.io/c v1.0.0\n",
  ],
  [
    "Cargo.toml",
    '[dependencies]\nserde = "1"\n',
    '[dependencies]\nserde = { version = "2", features = ["derive"] }\nlog = "0.4"\nmine = { path = "../mine" }\n',
  ],
  ["requirements.txt", "requests==2.0\n", "requests==2.1\nflask>=3\n"],
  ["Gemfile", 'gem "rack"\n', 'gem "rack", "~> 3"\ngem "mine", path: "./mine"\n'],
])("%s with other versions and further dependencies may change.", async (path, before, after) => {
  expect(await whys({ [path]: [before, after] })).toEqual([]);
});

test.each<[string, string, string]>([
  [
    "tsconfig.json",
    '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
    '{"compilerOptions":{"paths":{"@/*":["./fake/*"]}}}',
  ],
  ["tsconfig.json", '{"compilerOptions":{"paths":{}}}', '{"compilerOptions":{"paths":{"left":["./fake"]}}}'],
  ["jest.config.json", "{}", '{"moduleNameMapper":{"^left$":"<rootDir>/fake.js"}}'],
  ["jest.config.json", "{}", '{"moduleNameMapper":{"^\\\\./calc$":"<rootDir>/fake.js"}}'],
  [
    "vitest.config.ts",
    "export default { resolve: {} };",
    'export default { resolve: { alias: { "node:assert": "./fake.ts" } } };',
  ],
  [
    "vitest.config.ts",
    "export default { resolve: { alias: [] } };",
    'export default { resolve: { alias: [{ find: "left", replacement: "./fake.ts" }] } };',
  ],
])("%s that leads a known module elsewhere is refused.", async (path, before, after) => {
  const more = { checks: ["npx vitest run"], base: { "package.json": json({}) } };
  expect(await whys({ [path]: [before, after] }, more)).toHaveLength(1);
});

test.each<[string, string, string]>([
  ["tsconfig.json", '{"compilerOptions":{}}', '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}}'],
  ["jest.config.json", "{}", '{"moduleNameMapper":{"^@/(.*)$":"<rootDir>/src/$1","\\\\.css$":"identity-obj-proxy"}}'],
  [
    "vitest.config.ts",
    "export default { resolve: {} };",
    'export default { resolve: { alias: { "@": "./src", "~lib": "./lib" } } };',
  ],
])("%s with a name of its own may change.", async (path, before, after) => {
  const more = { checks: ["npx vitest run"], base: { "package.json": json({}) } };
  expect(await whys({ [path]: [before, after] }, more)).toEqual([]);
});
