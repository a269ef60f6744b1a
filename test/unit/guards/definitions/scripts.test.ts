import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Given } from "../../../rig/contents.ts";

const whys = async (given: Given) => (await judged(guardDefinitions, given)).map(({ path, why }) => `${path} ${why}`);

/** package.json as npm writes it. */
const pkg = (scripts: Record<string, string>, more: object = {}) =>
  `${JSON.stringify({ name: "a", scripts, ...more }, null, 2)}\n`;

const base = { test: "node --test", build: "tsc", docs: "typedoc" };
const edited = (scripts: Record<string, string>, checks: readonly string[], more: Partial<Given> = {}): Given => {
  return { checks, edits: { "package.json": [pkg(base), pkg(scripts)] }, ...more };
};

test("A script that a check runs may not change; the message says what was approved.", async () => {
  const found = await judged(guardDefinitions, edited({ ...base, test: "exit 0" }, ["npm test"]));
  expect(found).toEqual([
    {
      guard: "definition",
      path: "package.json",
      why: 'was changed, but its script "test" decides what `npm test` runs; the check was approved as `node --test`, and the script was changed. Put it back.',
      evidence: '- 4:     "test": "node --test",\n+ 4:     "test": "exit 0",',
    },
  ]);
});

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

test("A script that a check runs gets no hooks, and none is removed.", async () => {
  expect(await whys(edited({ ...base, pretest: "rm -r test" }, ["npm test"]))).toEqual([
    'package.json was changed, but its new script "pretest" runs whenever `npm test` does, and the check was approved without it. Remove it.',
  ]);
  const hooked = { ...base, pretest: "node check.js" };
  expect(await whys({ checks: ["npm test"], edits: { "package.json": [pkg(hooked), pkg(base)] } })).toEqual([
    'package.json was changed, but its script "pretest" decides what `npm test` runs; the check was approved as `node check.js`, and the script was removed. Put it back.',
  ]);
});

test("Scripts that run when set-up installs count as set-up's own.", async () => {
  expect(await whys(edited({ ...base, postinstall: "node x.js" }, [], { setup: "npm ci" }))).toEqual([
    'package.json was changed, but its new script "postinstall" runs whenever `npm ci` does, and the check was approved without it. Remove it.',
  ]);
  expect(await whys(edited({ ...base, postinstall: "node x.js" }, ["npm test"]))).toEqual([]);
});

test("Scripts nobody's check runs, new ones, dependencies and versions may change.", async () => {
  const after = pkg(
    { ...base, build: "tsc -b", docs: "x", start: "node ." },
    { version: "2.0.0", dependencies: { zod: "^4.0.0" } },
  );
  expect(await whys({ checks: ["npm test"], setup: "npm ci", edits: { "package.json": [pkg(base), after] } })).toEqual(
    [],
  );
});

test("A script may demand more than before, but nothing that hides what came before.", async () => {
  expect(await whys(edited({ ...base, test: "node --test && eslint ." }, ["npm test"]))).toEqual([]);
  for (const test of [
    "node --test && x || true",
    "node --test && x; true",
    "node --test & true",
    "x && node --test",
    "node --testx && a",
  ]) {
    expect(await whys(edited({ ...base, test }, ["npm test"])), test).toHaveLength(1);
  }
});

test("A script that a task is there to add may be added, with hooks of its own.", async () => {
  const added = { ...base, verify: "node verify.js", preverify: "tsc" };
  expect(await whys(edited(added, ["npm run verify"]))).toEqual([]);
  expect(await whys({ checks: ["npm test"], edits: { "package.json": [null, pkg({ test: "node --test" })] } })).toEqual(
    [],
  );
});

test.each([
  ["exit 0", "ends with"],
  ["true", "runs nothing that can fail"],
  [":", "runs nothing that can fail"],
  ["echo ok", "runs nothing that can fail"],
  ["echo a && echo b", "runs nothing that can fail"],
  ["node --test || true", "ends with `true`, whatever came before"],
  ["node --test; exit 0", "ends with `exit 0`, whatever came before"],
  ["node --test || exit 0; echo x && x", "goes on where a command fails"],
  ["node --test || echo failed", "ends with `echo failed`, whatever came before"],
  ["node --test | cat", "ends with `cat`, whatever came before"],
  ["node -e ''", "runs nothing that can fail"],
  ['node -e "process.exit(0)"', "runs nothing that can fail"],
  ["vitest run --passWithNoTests", "has `--passWithNoTests`"],
  ["jest --testPathIgnorePatterns x", "has `--testPathIgnorePatterns`"],
])("A new script `%s` proves nothing.", async (verify, why) => {
  const [found] = await whys(edited({ ...base, verify }, ["npm run verify"]));
  const expected = verify === "exit 0" ? "runs nothing that can fail" : why;
  expect(found).toBe(
    `package.json was changed, but its new script "verify" decides what \`npm run verify\` runs and ${expected}. Make it run what the check is for.`,
  );
});

test("A new script that hides an idle one behind another proves nothing either.", async () => {
  const [found] = await whys(edited({ ...base, verify: "npm run idle", idle: "echo ok" }, ["npm run verify"]));
  expect(found).toContain('its new script "idle" decides what `npm run verify` runs and runs nothing that can fail');
});

test("A script asked for in every package counts in each.", async () => {
  const edits = { "packages/a/package.json": [pkg(base), pkg({ ...base, test: "true" })] } as const;
  const root = { "package.json": pkg({ test: "npm test --workspaces" }) };
  expect(await whys({ checks: ["npm test"], edits, base: root })).toEqual([
    'packages/a/package.json was changed, but its script "test" decides what `npm test` runs; the check was approved as `node --test`, and the script was changed. Put it back.',
  ]);
  expect(await whys({ checks: ["node --test"], edits, base: root })).toEqual([]);
});

test("A deleted package.json takes its scripts along.", async () => {
  expect(await whys({ checks: ["npm test"], edits: { "package.json": [pkg(base), null] } })).toEqual([
    'package.json was changed, but its script "test" decides what `npm test` runs; the check was approved as `node --test`, and the script was removed. Put it back.',
  ]);
});

test("Scripts of composer and tasks of deno count like those of npm.", async () => {
  const composer = (test: unknown) => JSON.stringify({ scripts: { test, unit: "phpunit" } });
  expect(
    await whys({ checks: ["composer test"], edits: { "composer.json": [composer(["@unit"]), composer(["true"])] } }),
  ).toHaveLength(1);
  expect(
    await whys({
      checks: ["composer run unit"],
      edits: { "composer.json": [composer(["@unit"]), composer(["true"])] },
    }),
  ).toEqual([]);
  const deno = (test: string) => `{ // tasks\n "tasks": { "test": "${test}", }, }`;
  expect(
    await whys({ checks: ["deno task test"], edits: { "deno.jsonc": [deno("deno test"), deno("true")] } }),
  ).toHaveLength(1);
  expect(await whys({ checks: ["deno test"], edits: { "deno.jsonc": [deno("deno test"), deno("true")] } })).toEqual([]);
});
