import { readFileSync } from "node:fs";
import type { Language } from "../../src/syntax/language.ts";
import { withTree } from "../../src/syntax/parse.ts";
import type { Assertion, TestFile } from "../../src/guards/test-strength/model.ts";
import { readers } from "../../src/guards/test-strength/languages/readers.ts";

/** Reads a text with the reader of its language. */
export async function readTests(text: string, language: Language): Promise<TestFile> {
  const reader = readers[language];
  if (reader === undefined) throw new Error(`Internal error: expected a reader of ${language}, but was none`);
  const read = await withTree(text, language, (root) => reader.read(root, text));
  if (read === undefined)
    throw new Error(`Internal error: expected a text of ${language}, but was one that is not parsed`);
  return read;
}

/** The whole model of a fixture, a line for each test, helper and mock; of calls, those of the file's own helpers. */
export async function modelOf(name: string, language: Language): Promise<string> {
  const file = await readTests(readFileSync(`test/fixtures/strength/${name}`, "utf8"), language);
  const own = new Set(file.helpers.map((helper) => helper.name));
  const inside = (one: TestFile["helpers"][number]): string => {
    const calls = one.calls.filter(({ name }) => own.has(name)).map(({ name, times }) => `${name}()${by(times)}`);
    return [`${one.line}-${one.end}`, ...one.assertions.map(shown), ...calls].join(" ");
  };
  const tests = file.tests.map((test) => {
    const marks = (["skipped", "focused", "muted"] as const).flatMap((mark) => {
      return test[mark] === null ? [] : [`; ${mark}: ${test[mark]}`];
    });
    return `${test.name}${test.cases === 1 ? "" : ` (${test.cases ?? "?"} cases)`}: ${inside(test)}${marks.join("")}`;
  });
  const helpers = file.helpers.map((helper) => `helper "${helper.name}": ${inside(helper)}`);
  const mocks = file.mocks.map(({ target, line }) => `mock of ${target}: ${line}`);
  return [...tests, ...helpers, ...mocks, `loads ${file.imports.join(", ")}`].join("\n");
}

function shown({ line, force, times, parts }: Assertion): string {
  return `${line}:${force}${by(times)}${parts === undefined ? "" : `/${parts}`}`;
}

const by = (times: number): string => (times === 1 ? "" : `*${times}`);
