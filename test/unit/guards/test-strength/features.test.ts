import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

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
