import { defineConfig } from "vitest/config";

/** Whole runs with many agents and much trouble; rounds run side by side, a few at a time. */
export default defineConfig({
  test: {
    include: ["test/rounds/*.test.ts"],
    testTimeout: 120_000,
    reporters: ["default", "./test/skips-reporter.ts"],
    pool: "forks",
    maxConcurrency: 4,
  },
});
