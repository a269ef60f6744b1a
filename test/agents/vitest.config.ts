import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/*.e2e.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ["verbose", "./test/skips-reporter.ts"],
    pool: "forks",
    maxWorkers: 2,
    // In each of them; of the four, most wait for a time-out.
    maxConcurrency: 2,
  },
});
