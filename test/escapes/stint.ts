import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import type { ProcessIdentity } from "../../src/engine/session.ts";
import type { SuperviseOptions } from "../../src/process/supervise.ts";

/** A Stint in a process of its own that supervises one command, to be killed by the test. */
export interface KillableStint {
  readonly killHard: () => Promise<void>;
  /** The session as it would be in the journal. */
  readonly recorded: () => ProcessIdentity;
}

/** Bundles it once; each start gets its options in a file. */
export function buildStint(folder: string): (name: string, options: Omit<SuperviseOptions, "signal">) => KillableStint {
  const program = path.join(folder, "stint.mjs");
  const contents = `
    import fs from "node:fs";
    import { supervise } from "./src/process/supervise.ts";
    const [options, record] = process.argv.slice(2);
    const started = async (identity) => fs.writeFileSync(record, JSON.stringify(identity));
    const signal = new AbortController().signal;
    await supervise({ ...JSON.parse(fs.readFileSync(options, "utf8")), signal, started });`;
  buildSync({
    stdin: { contents, resolveDir: path.join(import.meta.dirname, "..", ".."), loader: "ts" },
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  return (name, options) => {
    const [given, record] = [path.join(folder, `${name}.json`), path.join(folder, `${name}.record`)];
    fs.writeFileSync(given, JSON.stringify(options));
    const stint = spawn(process.execPath, [program, given, record], { stdio: "inherit" });
    return {
      killHard: async () => killHard(stint),
      recorded: () => JSON.parse(fs.readFileSync(record, "utf8")) as ProcessIdentity,
    };
  };
}

async function killHard(stint: ChildProcess): Promise<void> {
  stint.kill("SIGKILL");
  await once(stint, "exit");
}
