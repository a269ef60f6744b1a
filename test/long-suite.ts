import { defineConfig } from "vitest/config";

/** A suite apart from `npm test`, which has to stay short; `.ci/run` runs them all. */
export function longSuite(include: string) {
  return defineConfig({
    test: {
      include: [include],
      testTimeout: 120_000,
      hookTimeout: 60_000,
      reporters: ["default", "./test/skips-reporter.ts"],
      pool: "forks",
      maxWorkers: 3,
    },
  });
}
