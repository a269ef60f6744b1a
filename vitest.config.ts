import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** The suites. `npm test` runs `unit` and `short`; `npm run suite NAME` runs any of them, `.ci/run` all. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/skips-reporter.ts"],
    pool: "forks",
    maxWorkers: 3,
    projects: [
      // Units share their imports, which are a third of their time: a test changes nothing that another one could see.
      suite("unit", "test/unit/**/*.test.ts", { seconds: 60, isolate: false }),
      suite("short", "test/scenarios/short/*.test.ts", { seconds: 60 }),
      // Longer scenarios: tasks in parallel, people taking part, what is shared and what is kept.
      suite("scenarios", "test/scenarios/*.test.ts"),
      // Death at the worst moment: of the driver, of the machine, of a write.
      suite("crash", "test/crash/*.test.ts"),
      // Whole runs with many agents and much trouble.
      suite("rounds", "test/rounds/*.test.ts", { concurrency: 4 }),
      // One-line patches of shipped code, each of which the simulator must notice.
      suite("mutants", "test/sim/*.test.ts"),
      // What an agent, a repository or a check might try, each with a control that shows the attempt would have worked.
      suite("attacks", "test/attacks/*.test.ts", { setup: "test/attacks/setup.ts" }),
      // Hundreds of processes that try to outlive their session.
      suite("escapes", "test/escapes/*.escape.ts"),
      // Eight hours of outcomes in a minute.
      suite("night", "test/night/*.night.ts", { seconds: 180 }),
      // The real agent programs against a scripted model server. Most of their tests wait for a time-out.
      suite("agents", "test/agents/*.e2e.ts", { concurrency: 2, setup: "test/agents/setup.ts" }),
    ],
  },
});

function suite(
  name: string,
  include: string,
  {
    seconds = 120,
    concurrency = 5,
    isolate = true,
    setup,
  }: {
    readonly seconds?: number;
    readonly concurrency?: number;
    readonly isolate?: boolean;
    readonly setup?: string;
  } = {},
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [include],
      testTimeout: seconds * 1000,
      hookTimeout: 60_000,
      maxConcurrency: concurrency,
      restoreMocks: true,
      unstubEnvs: true,
      // People see local time; here it is the same on every machine.
      env: { TZ: "UTC" },
      isolate,
      ...(setup === undefined ? {} : { globalSetup: [setup] }),
    },
  };
}
