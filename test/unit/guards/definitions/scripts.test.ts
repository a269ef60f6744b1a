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
  ["node --test || exit 0; echo x && x", "continues where a command fails"],
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
