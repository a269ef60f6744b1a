// Loaded first by every node of a check. It must cost nothing, run under any node, and never be the reason why one fails.
"use strict";

function attend() {
  if (!process.env.ROOM_WITNESS || !require("worker_threads").isMainThread) return;
  const report = require("./report.cjs");
  report.remember(process.env.ROOM_WITNESS);
  const main = mainScript();
  if (/[\\/]vitest[\\/]vitest\.mjs$/.test(main)) return require("./vitest.cjs").attend();
  // Jest is started by many tools, all of them installed; a project's own script that starts it is not worth a changed `require`.
  if (/[\\/]node_modules[\\/]/.test(main)) require("./jest.cjs").attend();
  require("./node-test.cjs").attend(main);
}

function mainScript() {
  try {
    return require("fs").realpathSync(process.argv[1]);
  } catch (error) {
    return "";
  }
}

try {
  attend();
} catch (error) {
  // A witness that fails is silent.
}
