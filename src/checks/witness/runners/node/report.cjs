// Where this process writes down what it hears.
"use strict";
const fs = require("fs");
const path = require("path");

let folder = "";

/** Keeps the folder for the time when the environment no longer tells it. */
exports.remember = function (dir) {
  folder = dir;
};

/** Takes the witness out of the environment: neither code under test nor what it starts is to find it. */
exports.leaveEnvironment = function () {
  delete process.env.ROOM_WITNESS;
  const own = /\s*--require="(?:[^"\\]|\\.)*[\\/]node[\\/]preload\.cjs"\s*/;
  const rest = (process.env.NODE_OPTIONS || "").replace(own, " ").trim();
  if (rest === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = rest;
};

/** A function that writes one line about a runner into a file of its own. */
exports.open = function (runner) {
  const name = require("crypto").randomBytes(8).toString("hex") + ".jsonl";
  const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_APPEND;
  // Bound now, because code under test could exchange it.
  const write = fs.writeSync;
  let fd;
  return function say(line) {
    try {
      if (fd === undefined) fd = fs.openSync(path.join(folder, name), flags, 0o600);
      write(fd, JSON.stringify(Object.assign({ runner: runner }, line)) + "\n");
    } catch (error) {
      // The reader misses what could not be written; nobody else is to notice.
    }
  };
};
