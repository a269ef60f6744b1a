import { expect, test } from "vitest";
import { adviceOn, adviceOnTask } from "../../../../rig/advice.ts";

const packageScripts = new Map([
  [".", new Set(["build", "test:unit"])],
  ["sub", new Set(["test"])],
]);
const scripts = (run: unknown): string[] => adviceOnTask({ checks: [run] }, { packageScripts });

test("a script that package.json does not have is reported, with the one that was meant", () => {
  expect(scripts("npm run test:units")).toEqual([
    'a:6:5: missing-script: package.json at HEAD has no script "test:units". Did you mean test:unit?',
  ]);
  expect(scripts({ run: "npm run e2e", cwd: "sub" })).toEqual([
    'a:6:5: missing-script: sub/package.json at HEAD has no script "e2e". Add it, or have an earlier task change sub/package.json.',
  ]);
});

test.each([
  "npm test",
  "npm t",
  "pnpm run lint",
  "yarn test",
  "yarn run lint",
  "bun run test:e2e",
  "cd sub && npm run x",
])("missing: %s", (run) => {
  expect(scripts(run)).toHaveLength(1);
});

test.each([
  "npm run build",
  "npm run test:unit -- --run",
  "npm run lint --if-present",
  "npm --prefix sub test",
  "npm test -w sub",
  "npm run x --workspace=sub",
  "npm run",
  "npm ci",
  "npm start",
  "npx npm run x",
  "pnpm vitest",
  "pnpm --filter sub test",
  "yarn vitest",
  "yarn run vitest",
  "bun test",
  "bun run src/x.ts",
  "cd sub && npm test",
  "cd elsewhere && npm test",
  "npm run $NAME",
])("honest: %s", (run) => {
  expect(scripts(run)).toEqual([]);
});

test("honest: the task itself or one before it may change package.json; one beside it does not help", () => {
  const uses = { checks: ["npm run e2e"] };
  const adds = { files: ["package.json"] };
  expect(adviceOnTask({ ...uses, ...adds }, { packageScripts })).toEqual([]);
  expect(adviceOn({ tasks: { a: adds, b: { ...uses, depends: ["a"] } } }, { packageScripts })).toEqual([]);
  expect(adviceOn({ tasks: { a: adds }, front: { checks: ["npm run e2e"] } }, { packageScripts })).toEqual([]);
  expect(adviceOn({ tasks: { a: adds, b: uses } }, { packageScripts })).toHaveLength(1);
});

test("one script is reported once", () => {
  expect(
    adviceOn({ tasks: { a: { checks: ["npm test"] }, b: { checks: ["npm test"] } } }, { packageScripts }),
  ).toHaveLength(1);
});
