import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { witnesses, witnessTools, withWitnesses } from "../../src/checks/witness/witness.ts";
import { readReports, type Heard } from "../../src/checks/witness/report.ts";
import { leave } from "./scratch.ts";

/** How a command ended, what it printed, and what was heard of its test runners. */
export interface HeardRun extends Heard {
  readonly code: number | null;
  readonly output: string;
}

export interface Scene {
  readonly dir: string;
  /** Runs a command line as a check would, but without a room. */
  readonly hear: (command: string, env?: Readonly<Record<string, string>>) => Promise<HeardRun>;
  /** The same command without a witness. */
  readonly plainly: (command: string) => { readonly code: number | null; readonly output: string };
}

/** A folder with files, and with the modules of a test runner if it needs any. */
export function scene(files: Readonly<Record<string, string>>, modules?: string): Scene {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "heard-")));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  leave(dir, files);
  if (modules !== undefined) symlinkSync(modules, join(dir, "node_modules"));
  const base = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: dir,
    npm_config_update_notifier: "false",
  };
  const run = (command: string, env: Readonly<Record<string, string>>) => {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd: dir, env, encoding: "utf8" });
    return { code: status, output: stdout + stderr };
  };
  const hear: Scene["hear"] = async (command, env = {}) => {
    const reports = mkdtempSync(join(dir, "reports-"));
    const ended = run(command, withWitnesses({ ...base, ...env }, { tools: witnessTools(), reports }, witnesses));
    const heard = await readReports(reports, dir);
    rmSync(reports, { recursive: true });
    return { ...ended, ...heard };
  };
  return { dir, hear, plainly: (command) => run(command, base) };
}
