import { guardDefinitions } from "../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "./contents.ts";

/** What the guard of definitions says about these edits, with the usual checks. */
export const whys = async (edits: Record<string, Edit>, more: Partial<Given> = {}) =>
  (await judged(guardDefinitions, { checks: ["npm test", "tsc", "eslint .", "pytest"], edits, ...more })).map(
    ({ path, why }) => `${path} ${why}`,
  );

/** Settings of vitest with this in `test`. */
export const vitest = (test: string) =>
  `import { defineConfig } from "vitest/config";\nexport default defineConfig({\n  test: { ${test} },\n});\n`;

export const old = 'include: ["test/**", "unit/**"], exclude: ["a"], coverage: { thresholds: { lines: 90 } }';
