import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judgingLines, usesOf } from "../../../../src/guards/definitions/uses.ts";
import type { Check } from "../../../../src/plan/types.ts";
import { judged, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ path, why }) => `${path} ${why}`);

/** package.json as npm writes it. */
const pkg = (scripts: Record<string, string>, more: object = {}) =>
  `${JSON.stringify({ name: "a", scripts, ...more }, null, 2)}\n`;

const base = { test: "node --test", build: "tsc", docs: "typedoc" };
const edited = (scripts: Record<string, string>, checks: readonly string[], more: Partial<Given> = {}): Given => {
  return { checks, edits: { "package.json": [pkg(base), pkg(scripts)] }, ...more };
};

test.each([
  "npm t",
  "npm run test",
  "npm --silent run-script test -- --watch=false",
  "pnpm test",
  "yarn test",
  "bun run test",
  "node --run test",
  "CI=1 npx cross-env A=b npm test",
  "sh -c 'cd . && npm test'",
  "timeout -k 5 60 npm test",
  "npm install-test",
  "npx run-s build test",
  "npm exec -- npm-run-all test",
  "if npm test; then true; else exit 1; fi",
  "(npm run build && npm test) | tee log",
])("`%s` runs the script.", async (check) => {
  expect(await whys(edited({ ...base, test: "true" }, [check]))).toEqual([
    `package.json was changed, but its script "test" decides what \`${check}\` runs; the check was approved as \`node --test\`, and the script was changed. Put it back.`,
  ]);
});

test.each(["node --test", "npm run build", "bun test", "echo npm test", "npm --prefix web test", "cd web && npm test"])(
  "`%s` does not run it, so it may change.",
  async (check) => {
    const web = { "web/package.json": pkg({ test: "vitest" }) };
    expect(await whys(edited({ ...base, test: "vitest run" }, [check], { base: web }))).toEqual([]);
  },
);

test("A script that another script calls counts, through any number of them and from other files.", async () => {
  const scripts = {
    test: "npm run -s unit && npm run lint",
    unit: "npm run deep",
    deep: "node --test",
    lint: "eslint .",
  };
  const edits = { "package.json": [pkg(scripts), pkg({ ...scripts, deep: "true" })] } as const;
  const why =
    'package.json was changed, but its script "deep" decides what `CHECK` runs; the check was approved as `node --test`, and the script was changed. Put it back.';
  expect(await whys({ checks: ["npm test"], edits })).toEqual([why.replace("CHECK", "npm test")]);
  const byMake = {
    checks: ["make check"],
    edits,
    base: { Makefile: "check: other\n\tnpm run unit\nother:\n\ttrue\n" },
  };
  expect(await whys(byMake)).toEqual([why.replace("CHECK", "make check")]);
});

test("A script that calls itself ends.", async () => {
  const scripts = { test: "npm run a", a: "npm test" };
  expect(
    await whys({ checks: ["npm test"], edits: { "package.json": [pkg(scripts), pkg({ ...scripts, b: "true" })] } }),
  ).toEqual([]);
});

/** What one command line rests on in a project with these files, in words. */
async function usesIn(line: string, files: Record<string, string>, cwd = ".") {
  const { entries, programs, files: run } = await usesOf([{ line, cwd }], async (path) => files[path] ?? null);
  return {
    entries: Object.fromEntries([...entries].map(([path, uses]) => [path, [...uses.keys()]])),
    programs: [...programs.keys()],
    files: [...run.keys()],
  };
}

test("A command line is followed through scripts, targets, variables and files of the project.", async () => {
  const files = {
    "package.json": pkg({ test: "make check", pretest: "tsc", docs: "typedoc" }),
    Makefile: "OUT = dist\ncheck: build\n\tsh scripts/check.sh\nbuild:\n\trollup -o ${OUT}\n",
    "scripts/check.sh": "node --test\n",
  };
  expect(await usesIn("npm test", files)).toEqual({
    entries: { "package.json": ["pretest", "test", "posttest"], Makefile: ["check", "build", "dist", "$OUT"] },
    programs: ["npm", "tsc", "make", "sh", "rollup", "node"],
    files: ["scripts/check.sh"],
  });
});

test("A package manager looks upwards for its file, and finds nothing of its own where there is none.", async () => {
  const files = { "package.json": pkg({ test: "vitest" }), "web/package.json": pkg({ build: "vite" }) };
  expect((await usesIn("npm test", files, "web/src")).entries).toHaveProperty(["web/package.json"]);
  expect((await usesIn("npm test", files, "docs/api")).entries).toHaveProperty(["package.json"]);
  expect(Object.keys((await usesIn("npm test", {}, "docs")).entries)).toEqual(["docs/package.json"]);
});

test("A script that is asked for by name counts as such, though it is also the hook of another.", async () => {
  const read = async (path: string) => (path === "package.json" ? pkg({ test: "a", pretest: "b" }) : null);
  const lines = ["npm test", "npm run pretest"].map((line) => ({ line, cwd: "." }));
  const { entries } = await usesOf(lines, read);
  expect(entries.get("package.json")?.get("pretest")).toEqual({ by: "npm run pretest", hookOf: null });
  expect(entries.get("package.json")?.get("posttest")).toEqual({ by: "npm test", hookOf: "test" });
});

test("The lines that judge are those of checks that run something, and set-up where there is one.", () => {
  const checks = [
    { kind: "run", run: "npm test", cwd: "web" },
    { kind: "exists", path: "a" },
  ] as unknown as readonly Check[];
  expect(judgingLines(checks, "")).toEqual([{ line: "npm test", cwd: "web" }]);
  expect(judgingLines([], "npm ci")).toEqual([{ line: "npm ci", cwd: "." }]);
});
