import { expect, test } from "vitest";
import { expandBraces, isGlob, matcher, pathProblem } from "../../../src/plan/paths.ts";

const bad: readonly (readonly [string, string])[] = [
  ["", "is empty; write a path relative to the repo root"],
  ["/etc/passwd", "is absolute; write it relative to the repo root"],
  ["C:\\x", "is absolute; write it relative to the repo root"],
  ["c:/x", "is absolute; write it relative to the repo root"],
  ["\\\\host\\x", "is absolute; write it relative to the repo root"],
  ["src\\a.ts", "contains a backslash; separate folders with /"],
  ["../x", "leaves the repo; a plan may only name files inside it"],
  ["src/../../x", "leaves the repo; a plan may only name files inside it"],
  ["{src,..}/x", "leaves the repo; a plan may only name files inside it"],
  ["./src/a.ts", 'has a "." segment; write the path without it'],
  ["src//a.ts", "has an empty segment; write one slash between folders"],
  ["src/", "ends with a slash; write src/** for everything inside"],
  ["a\0b", "contains a control character or line separator; remove it"],
  ["a\nb", "contains a control character or line separator; remove it"],
  ["a\u2028b", "contains a control character or line separator; remove it"],
  [".git/config", "is inside .git, which no task may touch"],
  ["sub/.GIT/hooks/x", "is inside .git, which no task may touch"],
  ["{.git,src}/x", "is inside .git, which no task may touch"],
  ["!src/**", "starts with !, which would mean everything else; list the files you mean"],
  ["a/".repeat(500) + "b", "is longer than 1000 characters, or one name in it than 255; shorten it"],
  ["a".repeat(256), "is longer than 1000 characters, or one name in it than 255; shorten it"],
  ["{a,b}".repeat(20), "expands to more than 64 alternatives; use several entries"],
  ["src/+(a|aa)b", "repeats or nests a group in parentheses; use several entries"],
  ["src/(a*)+b", "repeats or nests a group in parentheses; use several entries"],
  ["*a*a*a*a*a*b", "has too many wildcards; use several simpler entries"],
  ["**/a/**/a/**/a/**/b", "has too many wildcards; use several simpler entries"],
];

test.each(bad)("%j is refused", (path, problem) => {
  expect(pathProblem(path)).toBe(problem);
});

test.each([
  ...["src/a.ts", "**", "src/**/*.{ts,tsx}", "app/[id]/page.tsx", "app/(auth)/[[...slug]]/page.tsx", ":(top)x"],
  ...[
    "src/..a/b..c",
    ".gitignore",
    ".github/**",
    "a.git/x",
    "src/@(a|b).ts",
    "src/**/__tests__/**/*.spec.*",
    "日本/é.md",
  ],
  ...["src/routes/+page.svelte", "src/!important.css"],
])("%s is fine", (path) => {
  expect(pathProblem(path)).toBeUndefined();
});

test("folder names of web frameworks are paths, not globs", () => {
  const plain = ["app/[id]/page.tsx", "app/(auth)/x.ts", "app/[...slug]/x.ts", "a/{x}/b", "src/+page.ts", "a!b"];
  expect(plain.filter(isGlob)).toEqual([]);
  const globs = ["*", "a?", "{a,b}", "{1..3}", "[0-9].ts", "[!a]b", "@(a|b)", "!(a)", "(a|b)"];
  expect(globs.filter((glob) => !isGlob(glob))).toEqual([]);
});

const matches: readonly (readonly [string, string, boolean])[] = [
  ["src/**", "src/.hidden/a", true],
  ["src/**", "srcs/a", false],
  ["*.ts", "a/b.ts", false],
  ["**/*.ts", "b.ts", true],
  ["**/build/**", "a/build/x/y", true],
  ["**/build/**", "a/builds/x", false],
  ["**/build/**", "build/x", true],
  ["**/build/**", "a/build", true],
  ["**/build/**", "rebuild/x", false],
  ["**/a.b$^c/**", "x/a.b$^c/y", true],
  ["**/a.b$^c/**", "x/a-b$^c/y", false],
  ["**/Makefile", "x/Makefile", true],
  ["src/{a,b/{c,d}}.ts", "src/b/d.ts", true],
  ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
  ["app/[id]/page.tsx", "app/i/page.tsx", true],
  ["app/[id]/**", "app/[id]/x/y.ts", true],
  ["app/(auth)/**", "app/(auth)/x.ts", true],
  ["src/@(a|b).ts", "src/b.ts", true],
  ["a[.ts", "a[.ts", true],
  ["!src/**", "lib/a.ts", false],
  ["SRC/**", "src/a", false],
  ...["\n", "\r", "\u2028", "\u2029", "\u0085"].flatMap((char): [string, string, boolean][] => [
    ["vault/**", `vault/a${char}b/c${char}.yml`, true],
    ["**/*.yml", `vault/a${char}b/c${char}.yml`, true],
    ["**", `a${char}`, true],
    ["vault/**", `vaul${char}t/a`, false],
  ]),
];

test.each(matches)("%j on %j: %s", (glob, path, expected) => {
  expect(matcher([glob])(path)).toBe(expected);
});

test("without case, names are compared without case", () => {
  expect(matcher(["**/Makefile", "Docs/**"], { nocase: true })("docs/x")).toBe(true);
  expect(matcher(["**/Makefile", "Docs/**"], { nocase: true })("x/makefile")).toBe(true);
});

test("hostile patterns on hostile paths end soon", () => {
  const patterns = [
    ...["*a*a*a*a*a*a*a*a*b", "+(a|aa)b", "(a+)+b", "{a,aa}".repeat(30), "{/".repeat(400), "{a,".repeat(80)],
    ...[
      "**/".repeat(100) + "b",
      "[a-z]+".repeat(40),
      "[ab]+".repeat(40),
      "@(".repeat(100),
      "**/a/**/a/**/b",
      "*a*a*a*b",
      "*a*a*b",
      "**/a/*a*a*b",
    ],
    ...["@(a*|aa*)@(a*|aa*)b", "!(a*)!(a*)b", "((((a*)*)*)*)b"],
  ];
  const paths = ["a".repeat(255), "a".repeat(990), "a/".repeat(400) + "a", "a/".repeat(300) + "a".repeat(255)];
  for (const pattern of patterns) for (const path of paths) expect(matcher([pattern])(path)).toBe(false);
});

test("braces expand in order, and not without end", () => {
  expect(expandBraces("a{b,c{d,e}}f")).toEqual(["abf", "acdf", "acef"]);
  expect(expandBraces("{x}{1..3}{a")).toEqual(["{x}{1..3}{a"]);
  expect(expandBraces("{a,b}".repeat(50))).toBeUndefined();
});
