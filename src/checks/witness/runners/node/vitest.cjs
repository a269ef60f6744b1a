// Hears vitest in its main process. Reporters named on its command line would replace those of the project, so one more is
// slipped in where it makes them.
"use strict";
const report = require("./report.cjs");

exports.attend = function () {
  report.leaveEnvironment();
  if (/^(?:bench|list|init|-v|--version|-h|--help)$/.test(process.argv[2] || "")) return;
  const say = report.open("vitest");
  // A runner that was there and ran nothing, should no reporter be made.
  say({ ended: true });
  const all = Promise.all;
  Promise.all = function (promises) {
    if (!isCalledBy("createReporters")) return all.call(this, promises);
    Promise.all = all;
    return all.call(this, Array.from(promises).concat([reporter(say)]));
  };
};

function isCalledBy(name) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const stack = String(new Error().stack);
  Error.stackTraceLimit = limit;
  return stack.indexOf("at " + name + " ") !== -1;
}

function reporter(say) {
  let context;
  let open = false;
  function end() {
    if (!open) return;
    open = false;
    context.state.getFiles().forEach((file) => tell(say, file));
    say({ ended: true });
  }
  return {
    onInit(vitest) {
      context = vitest;
      open = true;
      say({ begun: true });
    },
    // The name up to 3, and since 3.
    onFinished: quietly(end),
    onTestRunEnd: quietly(end),
  };
}

function quietly(act) {
  return function () {
    try {
      act();
    } catch (error) {
      // The end is missing in the report then.
    }
  };
}

function tell(say, file) {
  const waiting = [file];
  while (waiting.length > 0) {
    const task = waiting.pop();
    if (Array.isArray(task.tasks)) waiting.push.apply(waiting, task.tasks);
    else tellTest(say, file, task);
  }
}

function tellTest(say, file, task) {
  const state = task.result && task.result.state;
  const ran = state === "pass" || state === "fail";
  if (!ran && task.mode !== "skip" && task.mode !== "todo" && state !== "skip") return;
  say({ group: file.filepath, name: task.name, state: ran ? "run" : "skipped", failed: state === "fail" });
}
