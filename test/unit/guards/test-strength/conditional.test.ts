import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

const old = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
const skippedBy = (option: string, above = "") =>
  `${above}${old}test("links", { skip: ${option} }, () => {\n  assert.equal(size("a"), 5);\n});\n`;

test.each([
  ["noLinks", 'const noLinks = process.platform === "win32" && "needs rights";\n'],
  ['process.platform === "win32"', ""],
  ["!hasGit()", ""],
])("A new test may be skipped where something holds: %s", async (option, above) => {
  expect(await lossesOf({ "test/a.test.js": [old, skippedBy(option, above)] })).toEqual([]);
});

test.each([
  ["true", ""],
  ["!0", ""],
  ['"only if needed"', ""],
  ["never", "const never = true;\n"],
])("A new test that is always skipped is none: %s", async (option, above) => {
  expect(await lossesOf({ "test/a.test.js": [old, skippedBy(option, above)] })).toEqual([
    `test/a.test.js was changed, but the new test "links" is skipped: { skip: ${option} }`,
  ]);
});

test("A test that ran may not be skipped under a condition.", async () => {
  const now = old.replace('"adds", ', '"adds", { skip: isSlow }, ');
  expect(await lossesOf({ "test/a.test.js": [old, now] })).toEqual([
    'test/a.test.js was changed, but the test "adds" is skipped now: { skip: isSlow }, if that holds',
  ]);
});

const rust = (cfg: string) => `${cfg}#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n`;
const cargo = (features: string) => `[package]\nname = "a"\n\n[features]\n${features}`;

test.each([
  ['#[cfg(not(feature = "color"))]\n', "default = []\ncolor = []\n", []],
  ['#[cfg(feature = "std")]\n', 'default = ["std"]\nstd = []\n', []],
  [
    '#[cfg(not(feature = "std"))]\n',
    'default = ["std"]\nstd = []\n',
    ['#[cfg(not(feature = "std"))], if it is built without'],
  ],
  ['#[cfg(feature = "never")]\n', "default = []\n", ['#[cfg(feature = "never")]']],
])("A test of Rust that the default build still has is not skipped: %j", async (cfg, features, how) => {
  const edit = { "tests/a.rs": [rust(""), rust(cfg)], "Cargo.toml": [cargo(""), cargo(features)] } as const;
  const says = how.map((one) => `tests/a.rs was changed, but the test "adds" is skipped now: ${one}`);
  expect(await lossesOf(edit)).toEqual(says);
});

const go = (tag: string) =>
  `${tag}package a\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n`;

test("A build tag of Go that a plain build lacks skips; one that is to be absent does not.", async () => {
  expect(await lossesOf({ "a_test.go": [go(""), go("//go:build !integration\n\n")] })).toEqual([]);
  expect(await lossesOf({ "a_test.go": [go(""), go("//go:build integration\n\n")] })).toEqual([
    'a_test.go was changed, but the test "TestAdd" is skipped now: //go:build integration',
  ]);
});
