#!/usr/bin/env node
import { join } from "node:path";

// This comes first: syntax that an old Node does not know would end in a stack trace that explains nothing.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `stint: this is Node ${process.versions.node}, but Stint needs 20.19 or newer. Install it (nodejs.org), or put it first on PATH.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("./main.ts");
  process.exitCode = await main(join(import.meta.dirname, "../docs"));
}
