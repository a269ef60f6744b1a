import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

interface Program {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** An older version that is tested, too. */
  readonly oldest?: string;
  readonly program: string;
}

/** Installs the pinned programs of a list into a folder of the cache. One that cannot be installed is skipped, and named. */
export function installPrograms(list: string, cacheFolder: string): void {
  const cache = join(resolve(process.env["STINT_CI_CACHE"] ?? ".cache"), cacheFolder);
  for (const program of JSON.parse(readFileSync(list, "utf8")) as readonly Program[]) {
    for (const version of new Set([program.version, program.oldest ?? program.version])) {
      const folder = join(cache, `${program.name}-${version}`);
      if (existsSync(join(folder, ".ok"))) continue;
      const problem = install({ ...program, version }, folder);
      if (problem !== undefined)
        process.stdout.write(`SKIPPED: ${program.name} ${version} could not be installed: ${problem}\n`);
    }
  }
}

/** A folder without `.ok` was left half done, so it is made anew. */
function install({ package: name, version, program }: Program, folder: string): string | undefined {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const flags = ["--prefix", folder, "--no-save", "--no-audit", "--no-fund"];
  const problem =
    call("npm", ["install", ...flags, `${name}@${version}`]) ??
    call(join(folder, "node_modules", ".bin", program), ["--version"]);
  if (problem === undefined) writeFileSync(join(folder, ".ok"), "");
  return problem;
}

function call(program: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : `${program} ended with ${status}: ${stderr.trim().split("\n").at(-1)}`;
}
