import path from "node:path";
import { type Ended, supervise, type SuperviseOptions } from "../../src/process/supervise.ts";

/** Supervises a shell script in a folder of the test's own. */
export async function superviseScript(
  folder: string,
  script: string,
  options: Partial<SuperviseOptions> = {},
): Promise<Ended> {
  return supervise({
    argv: ["sh", "-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    logFile: path.join(folder, "log"),
    outputBytesMax: 100_000,
    wallMsMax: 50_000,
    signal: new AbortController().signal,
    ...options,
  });
}
