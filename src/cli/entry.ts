#!/usr/bin/env node
import { join } from "node:path";

// Before anything else is read: what an old Node does not know ends in a stack trace that names neither cause nor cure.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `stint: this is Node ${process.versions.node}, and Stint needs 20.19 or newer. Install one (nodejs.org), or put it first on PATH.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("./main.ts");
  process.exitCode = await main(join(import.meta.dirname, "../docs"));
}
