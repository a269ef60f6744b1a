import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../../../src/config/load.ts";
import { configText, rulesText } from "../../../../src/upkeep/init/compose.ts";
import { detect } from "../../../../src/upkeep/init/detect.ts";
import { yamlList, yamlText } from "../../../../src/upkeep/init/scalar.ts";
import type { Survey } from "../../../../src/upkeep/init/survey.ts";
import { parseRules, rulesFile } from "../../../../src/plan/rules.ts";
import { visible } from "../../../../src/base/visible.ts";
import { parseYaml } from "../../../../src/plan/yaml.ts";

/** All but NUL, which no command line can hold and no document may. */
const commands = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.string({
      unit: fc.constantFrom(...Array.from("ab: #-[]{},&*!|>'\"%@`\n\t\r\\~?=<$(;)\u{85}\u{2028}\u{feff}0x1e9")),
    }),
    fc.constantFrom(
      "true",
      "null",
      "1",
      "~",
      "- a",
      "a: b",
      "a #b",
      "---",
      "yes",
      "0o7",
      "\u{e0041}",
      "<<",
      "=",
      "npm test",
    ),
  )
  .filter((text) => !text.includes("\0"));

test("Any text is written as one line of YAML that means exactly that text, in a block, a list and between braces.", () => {
  fc.assert(
    fc.property(commands, commands, (one, other) => {
      const text = `checks:\n  - ${yamlText(one)} # why\n  - { run: ${yamlText(other)}, cwd: x }\nlist: ${yamlList([one, other])}\nlast: 1\n`;
      const source = parseYaml("f", text, 1);
      expect("data" in source ? source.data : source).toEqual({
        checks: [one, { run: other, cwd: "x" }],
        list: [one, other],
        last: 1,
      });
      expect(visible(text, { multiline: true })).toBe(text);
    }),
    { numRuns: 200 },
  );
});

function survey(files: Readonly<Record<string, string>>): Survey {
  return {
    files: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files)),
    unread: [],
    ignored: new Set(),
    hooks: { path: null, names: [] },
  };
}

/** Every command that the files of `stint init` would have Stint run. */
function commandsIn(found: Survey): string[] {
  const detected = detect(found);
  const [settings, guardrails] = [configText(detected, "claude"), rulesText(detected)];
  const { config, problems } = loadConfig({ project: { file: "c", bytes: Buffer.from(settings) } });
  const read = parseRules(new Map([[rulesFile, { bytes: Buffer.from(guardrails) }]]));
  expect([...problems, ...read.problems]).toEqual([]);
  expect(visible(settings + guardrails, { multiline: true })).toBe(settings + guardrails);
  const checks = read.rules.checks.flatMap((check) => (check.kind === "run" ? [check.run] : []));
  return [...checks, ...(config.workspace.setup === undefined ? [] : [config.workspace.setup])];
}

const scriptNames = fc.oneof(commands, fc.constantFrom("lint", "test", "typecheck", "build", "prepare", "__proto__"));

test("No name and no content of a script brings a command into the files: only the known names are called.", () => {
  fc.assert(
    fc.property(fc.dictionary(scriptNames, commands), (scripts) => {
      const found = commandsIn(survey({ "package.json": JSON.stringify({ scripts }) }));
      const known = ["npm run lint", "npm run typecheck", "npm run build", "npm test"];
      expect(found.filter((command) => !known.includes(command))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("A script that tries to end its comment and add a check stays in its comment.", () => {
  const lint = "eslint . \n  - rm -rf ~\n---\n · \u{1b}[2K\u{202e}";
  const files = { "package.json": JSON.stringify({ scripts: { lint } }) };
  expect(commandsIn(survey(files))).toEqual(["npm run lint"]);
  expect(rulesText(detect(survey(files)))).toContain(
    "  - npm run lint # eslint . \\n  - rm -rf ~\\n---\\n · \\u{1b}[2K\\u{202e}\n",
  );
});

test.each([
  "",
  "null",
  "[]",
  '"text"',
  '{"scripts": 1}',
  '{"scripts": {"test": {}}}',
  "{",
  "\u{0}",
  '{"__proto__": {"scripts": {"test": "x"}}}',
])("A manifest that is none brings nothing in: %j.", (text) => {
  expect(commandsIn(survey({ "package.json": text, "pyproject.toml": text, "Cargo.toml": text }))).toEqual([
    "cargo test",
  ]);
});

test("Folders whose names are no plain words, and odd names of extras, never reach a command.", () => {
  const found = commandsIn(
    survey({
      "a; rm -rf ~/package.json": JSON.stringify({ scripts: { test: "x" } }),
      "-x/go.mod": "module x\nrequire a v1\n",
      "$(id)/Cargo.toml": "[dependencies]\n",
      "pyproject.toml": `[project]\ndependencies = ["six"]\n[project.optional-dependencies]\n"dev'; id; '" = ["x"]\n`,
    }),
  );
  expect(found).toEqual(["python3 -m venv .venv && .venv/bin/pip install -e ."]);
});
