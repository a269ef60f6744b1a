import { execFile as execFileCallback } from "node:child_process";
import { promisify } from "node:util";
import { absoluteSearchPath } from "../search-path.ts";

const run = promisify(execFileCallback);

/** Runs a tool of the system with nothing but PATH. */
export async function execFile(tool: string, args: readonly string[]): Promise<void> {
  await run(tool, [...args], { env: { PATH: absoluteSearchPath(process.env["PATH"]), LC_ALL: "C" } });
}

/** Deletes a folder an agent may have filled with anything: names that are not UTF-8 and folders without permission included. */
export async function removeTree(dir: string): Promise<void> {
  try {
    // Faster than fs.rm, which also cannot name what is not UTF-8.
    await execFile("rm", ["-rf", "--", dir]);
  } catch {
    await execFile("chmod", ["-R", "u+rwX", "--", dir]);
    await execFile("rm", ["-rf", "--", dir]);
  }
}
