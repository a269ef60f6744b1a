import * as fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../../../src/config/load.ts";
import { configText, rulesText } from "../../../../src/upkeep/init/compose.ts";
import { detect } from "../../../../src/upkeep/init/detect.ts";
import type { Survey } from "../../../../src/upkeep/init/survey.ts";
import { parseRules, rulesFile } from "../../../../src/plan/rules.ts";
import { visible } from "../../../../src/base/visible.ts";
import { commands } from "../../../rig/command-texts.ts";

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
