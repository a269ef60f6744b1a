import { execFile as execFileCallback } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, lstat, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { absoluteSearchPath } from "../base/search-path.ts";

const run = promisify(execFileCallback);

/** Runs a system tool with nothing but PATH in its environment. */
export async function execFile(tool: string, args: readonly string[]): Promise<void> {
  await run(tool, [...args], { env: { PATH: absoluteSearchPath(process.env["PATH"]), LC_ALL: "C" } });
}

/** Runs a command like that and returns what it printed. */
export async function printedBy([tool = "", ...args]: readonly string[]): Promise<Buffer> {
  const env = { PATH: absoluteSearchPath(process.env["PATH"]), LC_ALL: "C" };
  return (await run(tool, args, { env, encoding: "buffer", maxBuffer: printedBytesMax })).stdout;
}

const printedBytesMax = 10_000_000;

/** Deletes a folder that an agent may have filled with anything, including names that are not UTF-8 and folders without permission. */
export async function removeTree(dir: string): Promise<void> {
  try {
    // Faster than fs.rm, which also cannot name what is not UTF-8.
    await execFile("rm", ["-rf", "--", dir]);
  } catch {
    // The second `rm` reports whether this was enough.
    await unlock(dirname(dir));
    if (await unlock(dir)) await execFile("chmod", ["-R", "u+rwX", "--", dir]).catch(() => undefined);
    await execFile("rm", ["-rf", "--", dir]);
  }
}

/** Deletes a folder under another name: one that is half removed after a crash must not be mistaken for work. */
export async function removeAside(dir: string, within: string): Promise<void> {
  const aside = join(within, `removing-${randomBytes(6).toString("hex")}`);
  await unlock(dir);
  const isMoved = await rename(dir, aside).then(
    () => true,
    () => false,
  );
  await removeTree(isMoved ? aside : dir);
}

/** Matches what `removeAside` leaves if it is killed. */
export const asideName = /^removing-[0-9a-f]{12}$/;

/** Gives us access to our own folder again; returns false for anything else, above all a link, which `chmod` would follow. */
export async function unlock(dir: string): Promise<boolean> {
  const stat = await lstat(dir).catch(() => null);
  if (!stat?.isDirectory()) return false;
  if ((stat.mode & 0o700) !== 0o700) await chmod(dir, stat.mode | 0o700).catch(() => undefined);
  return true;
}
