// What jest makes of its settings; it writes where the process that read them said.
"use strict";
const say = require("./jest.cjs").say;

module.exports = class {
  constructor() {
    say({ begun: true });
  }

  onTestResult(test, result) {
    for (const one of result.testResults) {
      const ran = one.status === "passed" || one.status === "failed";
      const failed = one.status === "failed";
      say({ group: result.testFilePath, name: one.fullName, state: ran ? "run" : "skipped", failed: failed });
    }
  }

  onRunComplete() {
    say({ ended: true });
  }
};
