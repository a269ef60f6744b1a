// Imported before the CLI by `straceOfPool`: has the one thread of node's pool make so many vain calls of one kind, that only
// there can the tracer's count, which is kept for each thread, come to the calls that the CLI then makes.
import fs from "node:fs";
import { promisify } from "node:util";

const [call, count] = process.env.RIG_WARM.split(" ");
const nowhere = "/nowhere/at/all";
const nothing = fs.openSync("/dev/null", "w");
const vainCalls = {
  write: () => promisify(fs.write)(nothing, ""),
  fsync: () => promisify(fs.fsync)(nothing),
  ftruncate: () => promisify(fs.ftruncate)(nothing, 0),
  rename: () => fs.promises.rename(nowhere, nowhere),
  unlink: () => fs.promises.unlink(nowhere),
};

// The thread tells the main one of each call it has made by a write.
const each = call === "write" ? 2 : 1;
for (let made = 0; made < Number(count); made += each) await vainCalls[call]().catch(() => undefined);
fs.closeSync(nothing);
delete process.env.RIG_WARM;
delete process.env.NODE_OPTIONS;
