import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { fit } from "../../../../src/planning/map/fit.ts";
import { rank } from "../../../../src/planning/map/rank.ts";
import { filesOf, shop } from "../../../rig/map-files.ts";

test("A map has the best files with their lines, and others by name with what they define.", async () => {
  const { text, files, symbols, tokens } = fit(rank(await filesOf(shop), ""), 62);

  expect(text.split("\n").slice(1)).toEqual([
    "src/money.ts",
    " 2 function money(x: number)",
    "src/: a-page.ts(page) b-cart.ts(cart) c-login.ts(signIn)",
    "",
  ]);
  expect({ files, symbols, tokens }).toEqual({ files: 4, symbols: 4, tokens: Math.ceil(Buffer.byteLength(text) / 4) });
});

test("A map with room for everything has the line of every definition.", async () => {
  const { text, symbols } = fit(rank(await filesOf(shop), ""), 1_000);

  expect(text.split("\n").slice(1)).toEqual([
    "src/a-page.ts",
    " 2 page = () => money(1)",
    "src/b-cart.ts",
    " 2 cart = () => money(2)",
    "src/c-login.ts",
    " 2 function signIn()",
    "src/money.ts",
    " 1 function unused()",
    " 2 function money(x: number)",
    "",
  ]);
  expect(symbols).toBe(5);
});

test("A change in one file changes the map there, and leaves the other lines as they are.", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `src/part${at}.ts`,
      `import { f${at >> 1} } from "./part${at >> 1}.ts";\nexport function f${at}() { return f${at >> 1}(); }\n`,
    ]),
  );
  const linesOf = async (texts: Record<string, string>) => fit(rank(await filesOf(texts), ""), 700).text.split("\n");
  const before = await linesOf(many);
  const after = await linesOf({ ...many, "src/part9.ts": `${many["src/part9.ts"]}export function added() {}\n` });

  expect(before.filter((line) => !after.includes(line)).length).toBeLessThanOrEqual(3);
});

test("Hostile names and texts are made visible, and do not look like other lines of the map.", async () => {
  const { text } = fit(
    rank(
      await filesOf({
        "src/\u001b[31m\nfake.ts": "export const safe = '\u202e';\n",
        "README.md": "# \u001b]0;x\u0007\n",
      }),
      "",
    ),
    1_000,
  );

  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(text).toContain("\\u{1b}[31m\\nfake.ts\n");
});

test("A map is never above its budget, whatever is in it, and the same files give the same bytes.", async () => {
  const path = fc.stringMatching(/^[a-zé😀 ./-]{1,40}$/u).map((name) => `${name}.ts`);
  const text = fc
    .array(fc.constantFrom(...Object.values(shop), "# Title\n", "export const né = '😀';\n", "\u0000\n"))
    .map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(path, text, { maxKeys: 12 }),
      fc.nat(1_500),
      fc.string(),
      async (texts, tokens, goal) => {
        const files = await filesOf(texts);
        const made = fit(rank(files, goal), tokens);
        expect(Buffer.byteLength(made.text)).toBeLessThanOrEqual(tokens * planningLimits.mapTokenBytes);
        expect(made.tokens).toBeLessThanOrEqual(tokens);
        expect(fit(rank([...files], goal), tokens)).toEqual(made);
      },
    ),
    { numRuns: 60 },
  );
});
