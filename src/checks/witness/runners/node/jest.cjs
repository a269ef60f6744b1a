// Hears jest in its main process, whoever started it. Reporters named on its command line would replace those of the
// project, so one more is added to its settings when they have been read.
"use strict";
const Module = require("module");
const path = require("path");
const report = require("./report.cjs");

exports.attend = function () {
  const load = Module._load;
  Module._load = function (request) {
    const loaded = load.apply(this, arguments);
    if (request !== "jest-config" || typeof loaded.readConfigs !== "function") return loaded;
    return Object.create(loaded, { readConfigs: { value: (argv, projects) => read(loaded, argv, projects) } });
  };
};

function read(config, argv, projects) {
  report.leaveEnvironment();
  return config.readConfigs(argv, projects).then((found) => {
    if (argv.showConfig || found.globalConfig.listTests) return found;
    // A runner that was there and ran nothing, should it not come to its reporters.
    exports.say = report.open("jest");
    exports.say({ ended: true });
    const reporters = (found.globalConfig.reporters || [["default", {}]]).concat([[reporterFile, {}]]);
    return Object.assign({}, found, {
      globalConfig: Object.freeze(Object.assign({}, found.globalConfig, { reporters: reporters })),
    });
  });
}

const reporterFile = path.join(__dirname, "jest-reporter.cjs");
