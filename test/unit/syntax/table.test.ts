import { expect, test } from "vitest";
import { callsOf } from "../../../src/base/command-line.ts";
import { justfiles, lookupsOf, makefiles } from "../../../src/syntax/table.ts";

/** What the first call of a command line looks up. */
const looked = (line: string) => callsOf(line, ".").slice(0, 1).flatMap(lookupsOf);

const script = (names: readonly string[], more: { dir?: string; everywhere?: boolean } = {}) => ({
  ...{ kind: "script", file: "package.json", names, dir: ".", everywhere: false, ...more },
});
const install = { kind: "install", dir: ".", everywhere: false };

test.each<[string, unknown[]]>([
  ["npm test", [script(["test"])]],
  ["npm t -- --run", [script(["test"])]],
  ["npm run build", [script(["build"])]],
  ["npm --prefix sub run build", [script(["build"], { dir: "sub" })]],
  ["npm run build -w a", [script(["build"], { everywhere: true })]],
  ["npm restart", [script(["stop", "restart", "start"])]],
  ["npm ci", [install]],
  ["npm cit", [install, script(["test"])]],
  ["npm audit", []],
  ["yarn", [install]],
  ["yarn lint", [script(["lint"])]],
  ["pnpm -r test", [script(["test"], { everywhere: true })]],
  ["bun test", []],
  ["bun run check", [script(["check"])]],
  ["node --run lint", [script(["lint"])]],
  ["node a.js", []],
  ["run-s npm:lint test:*", [script(["lint", "test:*"])]],
  ["turbo run build", [script(["build"], { everywhere: true })]],
  ["composer test", [{ ...script(["test"]), file: "composer.json" }]],
  ["deno task check", [{ ...script(["check"]), file: "deno.json" }]],
  ["deno test", []],
  ["pytest -q", []],
])("%s", (line, lookups) => {
  expect(looked(line)).toEqual(lookups);
});

test.each<[string, unknown]>([
  ["make", { files: makefiles, targets: [], dir: "." }],
  ["make -C sub check CI=1 -j", { files: makefiles, targets: ["check"], dir: "sub" }],
  ["gmake -f other.mk all", { files: ["other.mk"], targets: ["all"], dir: "." }],
  ["make --file=other.mk", { files: ["other.mk"], targets: [], dir: "." }],
  ["just test", { files: justfiles, targets: ["test"], dir: "." }],
])("%s looks up rules", (line, rules) => {
  expect(looked(line)).toEqual([{ kind: "rules", ...(rules as object) }]);
});
