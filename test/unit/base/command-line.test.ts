import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { callsOf, joined, nameOf, shellWord } from "../../../src/base/command-line.ts";

const wordsIn = (line: string) => callsOf(line, ".").map(({ words }) => words.join(" "));

test.each([
  ["npm test && npm run lint; make", ["npm test", "npm run lint", "make"]],
  ["a | b || c & d\ne", ["a", "b", "c", "d", "e"]],
  [`grep 'a && b' "c; d" e\\ f`, ["grep a && b c; d e f"]],
  ["CI=1 NODE_ENV=test npx vitest run", ["vitest run"]],
  ["timeout 5m nice -n 10 env A=b pytest -q", ["pytest -q"]],
  ["uv run pytest; poetry run pytest; python3 -m pytest", ["pytest", "pytest", "pytest"]],
  ["npm exec vitest && yarn dlx jest", ["vitest", "jest"]],
  ["bash -ec 'npm test && make'", ["npm test", "make"]],
  ["sh run.sh", ["sh run.sh"]],
  ["echo `date`", ["echo", "date"]],
  ["", []],
])("%s calls %j", (line, calls) => {
  expect(wordsIn(line)).toEqual(calls);
});

test("what wraps a call is kept, outermost first", () => {
  expect(callsOf("timeout 60 npx vitest", ".")).toEqual([{ words: ["vitest"], by: ["timeout", "npx"], dir: "." }]);
});

test("a call is made in the folder that was changed to; after parentheses that is forgotten", () => {
  const made = callsOf("(cd web && npm test); npm test; cd api/../lib && sh -c 'cd sub && make'; make", "root");
  expect(made.map(({ words, dir }) => `${words[0]} in ${dir}`)).toEqual([
    "npm in root/web",
    "npm in root",
    "make in root/lib/sub",
    "make in root/lib",
  ]);
});

test("a program is named without its folder and ending", () => {
  expect(["./node_modules/.bin/vitest", "C/npm.cmd", "bin/", undefined].map((word) => nameOf(word))).toEqual([
    "vitest",
    "npm",
    "bin",
    "",
  ]);
});

test("paths are joined without detours, and never lead above the root", () => {
  expect(joined("a", "./b/", "../c")).toBe("a/c");
  expect(joined("..", "a")).toBe("../a");
  expect(joined("/a", "../../b")).toBe("/b");
  expect([joined("a", ".."), joined("")]).toEqual([".", "."]);
});

test("a shell reads a quoted word as the word that it was", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"));
  const words = fc.sample(word, { numRuns: 200, seed: 7 });
  const line = `printf '%s\\0' ${words.map((one) => shellWord(one)).join(" ")}`;
  const read = execFileSync("sh", ["-c", line], { encoding: "utf8" });
  expect(read.split("\0").slice(0, -1)).toEqual(words);
  expect(shellWord("a/b-c.d")).toBe("a/b-c.d");
});
