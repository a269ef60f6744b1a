import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";
import { toolWords } from "../rig/machine-tools.ts";

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;
const cargo = `${toolWords}cargo test --offline`;

const files = {
  "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": `pub mod double;

/// \`\`\`
/// assert_eq!(calc::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test] fn adds() { assert_eq!(super::add(1, 2), 3); }
    #[test] #[ignore] fn later() {}
    #[test] #[should_panic] fn panics() { panic!("it") }
    #[test] fn environment() { assert_eq!(std::env::vars().find(|(name, _)| name.starts_with("ROOM_") || name.ends_with("_RUNNER")), None); }
}
`,
  "src/double.rs": "#[test] fn doubles() { assert_eq!(crate::add(2, 2), 4); }\n",
  "tests/whole.rs": "#[test] fn whole() { assert_eq!(calc::add(0, 1), 1); }\n",
};
const groups = { "src/double.rs": 1, "src/lib.rs": 4, "tests/whole.rs": 1 };

test.skipIf(!hasCargo)(
  "tests of cargo are heard by their files, doctests too, and nothing printed changes (needs cargo)",
  async () => {
    const { hear, plainly } = scene(files);
    plainly(`${cargo} --no-run`);
    const command = `${cargo} -- --test-threads=1`;
    const heard = await hear(command);
    expect(heard).toMatchObject({
      code: 0,
      tests: [{ runner: "cargo test", run: 6, skipped: 1, groups }],
      unended: [],
    });
    expect(times(heard.output)).toBe(times(plainly(command).output));
    expect(await hear(`${cargo} nothing`)).toMatchObject({ code: 0, tests: [{ run: 0 }], unended: [] });
  },
);

function times(output: string): string {
  return output.replaceAll(/[\d.]+s\b/g, "");
}

const constructor = `extern "C" fn quit() { std::process::exit(0) }
#[used] #[link_section = ".init_array"] static QUIT: extern "C" fn() = quit;
`;
const attacks = {
  "before main": `${constructor}#[test] fn fails() { panic!("no") }\n`,
  "in a test": '#[test] fn a_quits() { std::process::exit(0) }\n#[test] fn b_fails() { panic!("no") }\n',
};

test.skipIf(!hasCargo).each(Object.entries(attacks))(
  "code that ends a binary of cargo's tests with success leaves it without an end: %s (needs cargo)",
  async (_, text) => {
    const { hear, plainly } = scene({ ...files, "tests/whole.rs": text });
    const command = `${cargo} --test whole -- --test-threads=1`;
    expect(plainly(command).code).toBe(0);
    expect(await hear(command)).toMatchObject({ code: 0, tests: [{ run: 0 }], unended: ["cargo test"] });
  },
);

test.skipIf(!hasCargo)("failures and a harness of another make stay what they are (needs cargo)", async () => {
  const own = { "Cargo.toml": `${files["Cargo.toml"]}[[test]]\nname = "own"\nharness = false\n` };
  const harness = 'fn main() { assert!(!std::env::args().any(|word| word.contains("logfile"))); println!("own"); }\n';
  const { dir, hear, plainly } = scene({ ...files, ...own, "tests/own.rs": harness });
  expect(await hear(`${cargo} -q --test own`)).toEqual({
    code: 0,
    output: "own\n",
    tests: [],
    unended: [],
    failed: 0,
    names: { failing: [], others: [] },
  });
  writeFileSync(join(dir, "tests/whole.rs"), '#[test] fn bad() { eprintln!("why"); assert_eq!(1, 2) }\n');
  plainly(`${cargo} --no-run`);
  const { code, output } = await hear(`${cargo} --test whole`);
  expect({ code, output: threads(output) }).toEqual({
    code: 101,
    output: threads(plainly(`${cargo} --test whole`).output),
  });
});

function threads(output: string): string {
  return times(output).replaceAll(/thread 'bad' \(\d+\)/g, "");
}
