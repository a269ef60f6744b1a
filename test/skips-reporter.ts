import type { Reporter, TestModule } from "vitest/node";

/** Names every skipped test at the end, because a silent skip reads as a pass. */
export default class SkipsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        process.stdout.write(`SKIPPED ${module.relativeModuleId}: ${test.fullName}\n`);
      }
    }
  }
}
