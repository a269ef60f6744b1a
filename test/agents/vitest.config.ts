import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/*.e2e.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["verbose", "./test/skips-reporter.ts"],
    pool: "forks",
    // Of three, one mostly waits for a time-out.
    maxWorkers: 3,
  },
});
