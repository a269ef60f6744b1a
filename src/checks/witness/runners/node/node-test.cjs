// Hears node:test, be it `node --test` or a file that node runs by itself. Reporters on the command line would exclude
// those of a project, so this listens to the very stream that all reporters read.
"use strict";
const EventEmitter = require("events");
const path = require("path");
const url = require("url");
const report = require("./report.cjs");

exports.attend = function (main) {
  const heard = { streams: 0, open: false, begun: false, leave: function () {} };
  if (isInOneProcess()) catchEmitting(heard);
  else catchMaking(heard);
  if (!/[\\/]node_modules[\\/]/.test(main)) noticeSilence(heard);
};

function catchMaking(heard) {
  const init = EventEmitter.init;
  EventEmitter.init = function (options) {
    init.call(this, options);
    // Streams inside a test of another stream are fixtures.
    if (!heard.open && isTestsStream(this)) listen(this, heard);
  };
}

/** Without a process for each file, the runner has made its stream before it loads this. */
function isInOneProcess() {
  return process.execArgv.some((argument) => /^--(?:experimental-)?test-isolation=none$/.test(argument));
}

function catchEmitting(heard) {
  const emit = EventEmitter.prototype.emit;
  EventEmitter.prototype.emit = function () {
    if (isTestsStream(this)) {
      EventEmitter.prototype.emit = emit;
      listen(this, heard);
    }
    return emit.apply(this, arguments);
  };
}

function isTestsStream(emitter) {
  return Boolean(emitter.constructor) && emitter.constructor.name === "TestsStream";
}

function listen(stream, heard) {
  const say = report.open("node:test");
  heard.streams += 1;
  heard.open = true;
  report.leaveEnvironment();
  say({ begun: true });
  const on = EventEmitter.prototype.on;
  let due = 0;
  on.call(stream, "test:enqueue", () => {
    due += 1;
    heard.begun = true;
  });
  on.call(stream, "test:pass", (test) => {
    due -= 1;
    tell(say, test, true);
  });
  on.call(stream, "test:fail", (test) => {
    due -= 1;
    tell(say, test, false);
  });
  heard.leave = function () {
    // A last hook may end the process when all tests are done; only that they are is asked.
    if (heard.open && heard.begun && due === 0) say({ ended: true });
  };
  on.call(stream, "test:plan", (plan) => {
    if (plan.nesting !== 0 || !heard.open || isOfChild(plan)) return;
    heard.open = false;
    say({ ended: true });
  });
}

/** In the runner's process the whole has no file, but files that end before have one. */
function isOfChild(plan) {
  return plan.file !== undefined && process.execArgv.indexOf("--test") !== -1;
}

function tell(say, test, passed) {
  if (test.details && test.details.type === "suite") return;
  const file = fileOf(test);
  if (isWholeFile(test, file)) {
    // Code that ends its process takes all its tests along, and the runner calls the file itself a test that passed.
    if (passed) say({ group: file });
    return;
  }
  const skipped = isSet(test.skip) || isSet(test.todo);
  say({ group: file, name: String(test.name), state: skipped ? "skipped" : "run", failed: !passed });
}

function isSet(directive) {
  return directive !== undefined && directive !== false;
}

function fileOf(test) {
  const file = test.file || process.argv[1] || "";
  return file.startsWith("file:") ? url.fileURLToPath(file) : path.resolve(file);
}

function isWholeFile(test, file) {
  return test.nesting === 0 && path.resolve(String(test.name)) === file;
}

/** A script that loads node:test and ends before its first test is heard, too: as one that ran none. */
function noticeSilence(heard) {
  const reallyExit = process.reallyExit;
  let isDone = false;
  function tellSilence() {
    if (isDone) return;
    isDone = true;
    if (heard.streams > 0) heard.leave();
    else if (isLoaded()) report.open("node:test")({ ended: true });
  }
  process.on("exit", tellSilence);
  process.reallyExit = function (code) {
    tellSilence();
    return reallyExit.call(process, code);
  };
}

function isLoaded() {
  const loaded = process.moduleLoadList;
  return Array.isArray(loaded) && loaded.indexOf("NativeModule internal/test_runner/harness") !== -1;
}
