import { defineConfig } from "vitest/config";

/** Apart from `npm test`, which has a sample of it in test/supervise-*.test.ts; `npm run test:escapes` runs all. */
export default defineConfig({
  test: {
    include: ["test/escapes/*.escape.ts"],
    testTimeout: 120_000,
    reporters: ["default", "./test/skips-reporter.ts"],
    pool: "forks",
    maxWorkers: 2,
  },
});
