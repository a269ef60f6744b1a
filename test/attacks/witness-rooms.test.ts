import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { toolEnvironment } from "../rig/machine-tools.ts";
import type { Move } from "../rig/moves.ts";
import { createRig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

const write = (path: string, text: string): Move => ({ write: path, text });
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const sandboxes = canConfine ? (["none", "bwrap"] as const) : (["none"] as const);

// Written so that no guard that reads texts stops them first.
const pythonTest = `import unittest
from calc import add
class Adds(unittest.TestCase):
    def test_adds(self): self.assertEqual(add(1, 2), 3)
`;

test.skipIf(!has("python3")).each(sandboxes)(
  "Python code that ends unittest with success proves nothing, sandbox %s (needs python3).",
  async (sandbox) => {
    const check = "python3 -m unittest";
    const cheat = [write("calc.py", 'import os\ngetattr(os, "_ex" + "it")(0)\n'), { shell: check }];
    await using rig = await createRig({
      files: { "test_calc.py": pythonTest, ".gitignore": "__pycache__/\n" },
      sandbox,
      plan: { tasks: { "01-add": { files: { create: ["calc.py"] }, checks: [check] } } },
      moves: { "01-add": { 1: cheat, 2: [write("calc.py", "def add(a, b): return a + b\n")] } },
    });
    expectCode(await rig.stint(["run", "--yes"]), 0);
    expect(rig.events("verdict", "01-add").map((event) => event["why"])).toEqual([
      `red: ${check} (exit 0, but unittest started and did not finish: no tests of unittest)`,
      "",
    ]);
  },
);

const cargoToml = '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n';
const rustTest = "#[test] fn adds() { assert_eq!(calc::add(1, 2), 3); }\n";
const quits = "pub fn add(_: i32, _: i32) -> i32 { std::process::exit(0) }\n";

test.skipIf(!has("cargo")).each(sandboxes)(
  "Rust code that ends a binary of tests with success proves nothing, sandbox %s (needs cargo).",
  async (sandbox) => {
    const check = "cargo test -q --offline";
    const cheat = [write("src/lib.rs", quits), { shell: `${check} && rm -r target Cargo.lock` }];
    await using rig = await createRig({
      files: { "Cargo.toml": cargoToml, "tests/adds.rs": rustTest },
      sandbox,
      plan: { tasks: { "01-add": { files: { create: ["src/lib.rs"] }, checks: [check] } } },
      moves: { "01-add": { 1: cheat, 2: [write("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 { a + b }\n")] } },
    });
    expectCode(await rig.stint(["run", "--yes"], { env: toolEnvironment }), 0);
    expect(rig.events("verdict", "01-add").map((event) => event["why"])).toEqual([
      `red: ${check} (exit 0, but cargo test started and did not finish: no tests of cargo test)`,
      "",
    ]);
  },
);
