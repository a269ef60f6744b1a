import { expect, test } from "vitest";
import { linksOf } from "../../../../src/planning/map/links.ts";
import { filesOf, order } from "../../../rig/map-files.ts";

const imports: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  python: {
    "shop/tax.py": "def rate(): pass\n",
    "other/rate.py": "def rate(): pass\n",
    "shop/cart.py": "from .tax import rate\nrate()\n",
  },
  java: {
    "src/shop/Tax.java": "class Tax { int rate() { return 1; } }",
    "src/else/Tax.java": "class Tax { int rate() { return 1; } }",
    "src/shop/Cart.java": "import shop.Tax;\nclass Cart { Tax t; }",
  },
  c: {
    "inc/tax.h": "int rate(int a);\n",
    "old/rate.h": "int rate(int a);\n",
    "src/cart.c": '#include "tax.h"\nint x(void) { return rate(1); }\n',
  },
  php: {
    "src/Shop/Tax.php": "<?php class Tax {}\n",
    "old/Tax.php": "<?php class Tax {}\n",
    "src/Cart.php": "<?php use Shop\\Tax;\nnew Tax();\n",
  },
};

test.each(Object.entries(imports))(
  "In %s the imported of two namesakes is the one that is meant.",
  async (_, texts) => {
    expect((await order(texts))[0]).toBe(Object.keys(texts)[0]);
  },
);

/** Lists `from > to` for each import that is found, without uses of names. */
async function importsIn(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const files = await filesOf(texts);
  const found = linksOf(files).filter(({ name }) => name === "");
  return found.map(({ from, to }) => `${files[from]?.path} > ${files[to]?.path}`);
}

const resolved: readonly (readonly [string, string, string, string])[] = [
  ["a relative path with its extension", "src/a.ts", 'import { f } from "./lib/b.ts";', "src/lib/b.ts"],
  ["a relative path without one", "src/a.ts", 'import { f } from "./lib/b";', "src/lib/b.ts"],
  ["the extension of the built file", "src/a.ts", 'import { f } from "./lib/b.js";', "src/lib/b.ts"],
  ["a folder with an index", "src/a.ts", 'import { f } from "./lib";', "src/lib/index.ts"],
  ["a folder above", "src/in/a.py", "from ..lib.b import f\nf()", "src/lib/b.py"],
  ["a package by its folder", "src/a.py", "import lib\nf()", "src/lib/__init__.py"],
  ["a member of a module", "src/a.py", "from lib.b import f\nf()", "src/lib/b.py"],
];

test.each(resolved)("An import finds its file by %s.", async (_, from, text, to) => {
  expect(await importsIn({ [from]: `${text}\n`, [to]: "" })).toEqual([`${from} > ${to}`]);
});

test("A relative import of a file that is not there finds none, whatever has its name elsewhere.", async () => {
  const texts = { "src/a.ts": 'import { f } from "./b.ts";\n', "other/b.ts": "export function f() {}\n" };
  expect(await importsIn(texts)).toEqual([]);
});

test("A name that is imported weighs more than one that is not, and one of several definers less than one of a single.", async () => {
  const defines = "def total(): pass\n";
  const weightIn = async (texts: Readonly<Record<string, string>>) =>
    linksOf(await filesOf(texts)).find(({ name }) => name === "total")?.weight;
  const imported = await weightIn({ "a.py": "from b import total\ntotal()\n", "b.py": defines });
  const unimported = await weightIn({ "a.py": "total()\n", "b.py": defines });
  const shared = await weightIn({ "a.py": "total()\n", "b.py": defines, "c.py": defines });
  expect([imported, unimported, shared]).toEqual([1, 0.3, 0.15]);
});
