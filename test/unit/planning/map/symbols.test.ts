import * as fc from "fast-check";
import { expect, test } from "vitest";
import { languageOf, mappedLanguageOf } from "../../../../src/syntax/language.ts";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { factsOf } from "../../../../src/planning/map/symbols.ts";

/** `line: signature`, indented as members are. */
async function linesOf(path: string, text: string): Promise<string[]> {
  const { symbols } = await factsOf(path, text);
  return symbols.map(({ line, depth, signature }) => `${"  ".repeat(depth)}${line}: ${signature}`);
}

async function namesOf(path: string, text: string): Promise<string[]> {
  return (await factsOf(path, text)).symbols.map(({ name }) => name);
}

interface Sample {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly imports: readonly string[];
}

const samples: Readonly<Record<string, Sample>> = {
  TypeScript: {
    path: "src/cart.ts",
    text: `import { tax } from "./tax.ts";
export { rate } from "./rate.ts";
export interface Cart { readonly items: string[] }
export type Id = string;
export enum Kind { Small }
export const empty: Cart = { items: [] };
export async function total(
  cart: Cart,
): Promise<number> {
  const local = 1;
  function inner() { return local; }
  return inner();
}
export abstract class Basket<T> extends Base {
  add(one: T): void { this.all.push(one); }
  abstract size(): number;
}
const lazy = async () => (await import("./lazy.ts")).go();
`,
    lines: [
      "3: interface Cart",
      "4: type Id = string",
      "5: enum Kind",
      "6: empty: Cart = { items: [] }",
      "7: async function total( cart: Cart, ): Promise<number>",
      "14: abstract class Basket<T> extends Base",
      "  15: add(one: T): void",
      "  16: abstract size(): number",
      '18: lazy = async () => (await import("./lazy.ts")).go()',
    ],
    imports: ["./tax.ts", "./rate.ts", "./lazy.ts"],
  },
  TSX: {
    path: "src/page.tsx",
    text: `import React from "react";
export function Page({ title }: Props) { return <h1>{title}</h1>; }
`,
    lines: ["2: function Page({ title }: Props)"],
    imports: ["react"],
  },
  JavaScript: {
    path: "lib/a.cjs",
    text: `var util = require("./util");
class Queue { push(x) {} }
function* walk(tree) { yield tree; }
`,
    lines: ['1: util = require("./util")', "2: class Queue", "  2: push(x)", "3: function* walk(tree)"],
    imports: ["./util"],
  },
  Python: {
    path: "shop/cart.py",
    text: `from .tax import rate
import os.path as p
LIMIT = 3
class Cart(Base):
    def total(self, vat: float) -> float:
        def inner(): pass
        return 1
async def main():
    pass
`,
    lines: ["3: LIMIT = 3", "4: class Cart(Base)", "  5: def total(self, vat: float) -> float", "8: async def main()"],
    imports: [".tax", "os.path"],
  },
  Go: {
    path: "shop/cart.go",
    text: `package shop
import (
  "fmt"
  tax "example.com/shop/tax"
)
const Limit = 3
var registry map[string]int
type Cart struct { items []string }
type Summer interface { Sum() int }
func (c *Cart) Total(vat float64) (float64, error) { return 0, nil }
func New() *Cart { return nil }
`,
    lines: [
      "6: Limit = 3",
      "7: registry map[string]int",
      "8: Cart struct { items []string }",
      "9: Summer interface { Sum() int }",
      "10: func (c *Cart) Total(vat float64) (float64, error)",
      "11: func New() *Cart",
    ],
    imports: ["fmt", "example.com/shop/tax"],
  },
  Rust: {
    path: "src/cart.rs",
    text: `use crate::tax::rate;
mod helper;
pub const LIMIT: u32 = 3;
pub struct Cart<T> { items: Vec<T> }
pub enum Kind { Small }
pub trait Sum { fn sum(&self) -> u32; }
impl<T> Cart<T> {
    pub fn total(&self, vat: f64) -> f64 { 0.0 }
}
macro_rules! cart { () => {} }
`,
    lines: [
      "3: pub const LIMIT: u32 = 3",
      "4: pub struct Cart<T>",
      "5: pub enum Kind",
      "6: pub trait Sum",
      "  6: fn sum(&self) -> u32",
      "8: pub fn total(&self, vat: f64) -> f64",
      "10: macro_rules! cart { () => {} }",
    ],
    imports: ["crate::tax::rate", "helper"],
  },
  Java: {
    path: "src/Cart.java",
    text: `package shop;
import shop.tax.Rate;
public class Cart<T> extends Base implements Sum {
  public Cart(int size) { }
  @Override
  public double total(double vat) throws IOException { return 0; }
  enum Kind { SMALL }
}
interface Sum { double total(double vat); }
record Line(String name, int count) { }
`,
    lines: [
      "3: public class Cart<T> extends Base implements Sum",
      "  4: public Cart(int size)",
      "  5: @Override public double total(double vat) throws IOException",
      "  7: enum Kind",
      "9: interface Sum",
      "  9: double total(double vat)",
      "10: record Line(String name, int count)",
    ],
    imports: ["shop.tax.Rate"],
  },
  C: {
    path: "src/cart.c",
    text: `#include "cart.h"
#include <stdio.h>
#define LIMIT 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef unsigned int id_t;
struct cart { int size; };
enum kind { SMALL };
static char *name_of(const struct cart *c)
{
  return 0;
}
int total(struct cart c, double vat);
`,
    lines: [
      "3: #define LIMIT 3",
      "4: #define MAX(a, b) ((a) > (b) ? (a) : (b))",
      "5: typedef unsigned int id_t",
      "6: struct cart",
      "7: enum kind",
      "8: static char *name_of(const struct cart *c)",
      "12: int total(struct cart c, double vat)",
    ],
    imports: ["cart.h", "stdio.h"],
  },
  "C++": {
    path: "src/cart.hpp",
    text: `#include "tax.hpp"
namespace shop {
template <typename T> class Cart : public Base {
 public:
  double total(double vat) const;
  void add(T one) { all.push_back(one); }
};
using Id = int;
double Cart<int>::total(double vat) const { return 0; }
}
`,
    lines: [
      "3: class Cart : public Base",
      "  5: double total(double vat) const",
      "  6: void add(T one)",
      "8: using Id = int",
      "9: double Cart<int>::total(double vat) const",
    ],
    imports: ["tax.hpp"],
  },
  Ruby: {
    path: "lib/cart.rb",
    text: `require_relative "tax"
require 'json'
module Shop
  LIMIT = 3
  class Cart < Base
    def total(vat)
      1
    end
    def self.empty?
      true
    end
  end
end
`,
    lines: [
      "3: module Shop",
      "  4: LIMIT = 3",
      "  5: class Cart < Base",
      "    6: def total(vat)",
      "    9: def self.empty?",
    ],
    imports: ["tax", "json"],
  },
  PHP: {
    path: "src/Cart.php",
    text: `<?php
namespace Shop;
use Shop\\Tax\\Rate;
const LIMIT = 3;
interface Sum { public function total(float $vat): float; }
trait Named { }
class Cart extends Base implements Sum {
    public function total(float $vat): float { return 0; }
}
function helper($x) { return $x; }
`,
    lines: [
      "4: LIMIT = 3",
      "5: interface Sum",
      "  5: public function total(float $vat): float",
      "6: trait Named",
      "7: class Cart extends Base implements Sum",
      "  8: public function total(float $vat): float",
      "10: function helper($x)",
    ],
    imports: ["Shop\\Tax\\Rate"],
  },
  "C#": {
    path: "src/Cart.cs",
    text: `using Shop.Tax;
namespace Shop {
  public interface ISum { double Total(double vat); }
  public class Cart : Base, ISum {
    public int Size { get; set; }
    public Cart(int size) { }
    public double Total(double vat) { return 0; }
  }
  public record Line(string Name, int Count);
  enum Kind { Small }
  struct Point { }
}
`,
    lines: [
      "3: public interface ISum",
      "  3: double Total(double vat)",
      "4: public class Cart : Base, ISum",
      "  5: public int Size { get; set; }",
      "  6: public Cart(int size)",
      "  7: public double Total(double vat)",
      "9: public record Line(string Name, int Count)",
      "10: enum Kind",
      "11: struct Point",
    ],
    imports: ["Shop.Tax"],
  },
};

test.each(Object.entries(samples))(
  "%s: definitions have their line and signature, and imports are read.",
  async (_, sample) => {
    const facts = await factsOf(sample.path, sample.text);

    expect(await linesOf(sample.path, sample.text)).toEqual(sample.lines);
    expect(facts.imports).toEqual(sample.imports);
  },
);

const openness: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a.ts",
    "export function f() {}\nfunction g() {}\nexport const c = 1;\nconst d = 1;\nexport class K {\n  m() {}\n}\n",
    ["f", "c", "K", "m"],
  ],
  ["script.js", "function f() {}\nvar x = 1;\n", ["f", "x"]],
  ["a.rs", "pub fn f() {}\nstruct S {}\npub struct T {}\n", ["f", "T"]],
  ["a.c", "static int f(void) { return 1; }\nint g(void) { return 1; }\n", ["g"]],
  ["A.java", "class A {\n  private int f() { return 1; }\n  int g() { return 1; }\n}\n", ["A", "g"]],
  ["a.py", "def _f(): pass\ndef g(): pass\n", ["g"]],
];

test.each(openness)("In %s the map knows what other files can use.", async (path, text, open) => {
  const { symbols } = await factsOf(path, text);

  expect(symbols.filter(({ isOpen }) => isOpen).map(({ name }) => name)).toEqual(open);
});

test("Languages that only the map reads stay unknown to the guards.", () => {
  const paths = ["a.c", "a.h", "a.cpp", "a.php", "a.cs", "a.pyi", "a.rake"];

  expect(paths.filter((path) => languageOf(path) !== undefined)).toEqual([]);
  expect(paths.filter((path) => mappedLanguageOf(path) === undefined)).toEqual([]);
});

test("A header and a file of C are read alike, and what a function hides is not in the map.", async () => {
  const text = "int total(int a);\nstatic void go(void) { struct inner { int x; }; }\n";

  expect(await namesOf("a.h", text)).toEqual(["total", "go"]);
  expect(await namesOf("a.c", text)).toEqual(["total", "go"]);
});

test("Code with errors in it gives what can be read of it.", async () => {
  expect(await namesOf("a.ts", "export function good() {}\n\nexport const = ;\n\nfunction alsoGood() {}\n")).toEqual([
    "good",
    "alsoGood",
  ]);
});

test("A long signature is cut, and never between the halves of a character.", async () => {
  const [symbol] = (await factsOf("a.py", `def f(${"x, ".repeat(38)}${"😀".repeat(60)}): pass\n`)).symbols;

  expect(symbol?.signature.length).toBeLessThanOrEqual(planningLimits.mapLineCharsMax);
  expect(symbol?.signature).not.toMatch(/\p{Cs}/u);
  expect(symbol?.signature.endsWith("…")).toBe(true);
});

test("A file of thousands of definitions gives a bounded number.", async () => {
  const text = Array.from({ length: 1_000 }, (_, at) => `function f${at}() {}`).join("\n");

  expect((await factsOf("a.js", text)).symbols.length).toBe(planningLimits.mapSymbolsPerFileMax);
});

test.each(["a.java", "a.cs", "a.cpp"])(
  "%s of nothing but open brackets, which grammars choke on, is outlined, and what follows is read.",
  async (path) => {
    expect((await factsOf(path, "a<".repeat(6_000))).symbols.map(({ name }) => name)).toEqual([""]);

    expect(await namesOf(path, "class Next { int total(int a) { return a; } }")).toContain("Next");
  },
);

const paths = Object.values(samples)
  .map(({ path }) => path)
  .concat("README.md", "package.json", "ci.yaml", "Cargo.toml", "run.sh", "notes.txt");

test("Any bytes, in any language, give facts within their bounds.", async () => {
  const pieces = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...Object.values(samples).flatMap(({ text }) => text.split(/(?<=[\s({])/))),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.array(pieces, { maxLength: 60 }), async (path, parts) => {
      const { symbols, words } = await factsOf(path, parts.join(""));
      for (const { line, signature } of symbols) {
        expect(line).toBeGreaterThan(0);
        expect(signature.length).toBeLessThanOrEqual(planningLimits.mapLineCharsMax);
        expect(signature).not.toMatch(/[\n\r]/);
      }
      expect(words).not.toMatch(/[\n\t]/);
    }),
    { numRuns: 200 },
  );
});

test("A file of signatures full of blanks is read to its end, and its symbols are known.", async () => {
  const blanks = " ".repeat(380);
  const functions = Array.from({ length: 900 }, (_, at) => `function f${at}(a,${blanks}b) {}\n`);
  const names = await namesOf("a.ts", functions.join(""));
  expect(names).toHaveLength(planningLimits.mapSymbolsPerFileMax);
  expect(await linesOf("b.ts", "function f(a,   b) {}\n")).toEqual(["1: function f(a, b)"]);
});
