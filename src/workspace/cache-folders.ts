import { lstatSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { moveClosed } from "./layered.ts";

/**
 * The folders of a HOME that may be kept: in these, tools look up what they made or downloaded themselves, by what it was
 * made of. Nothing else is: a kept `.npmrc`, `.gitconfig`, `.config` or `.gradle/init.d` would change what a tool does.
 */
const cacheFolders: readonly string[] = [
  // Of Go, pip, uv, Yarn, Composer and whoever else follows the XDG rules, by which all in it may be missing.
  ".cache",
  ".npm/_cacache",
  ".yarn/berry/cache",
  ".local/share/pnpm/store",
  ".bun/install/cache",
  ".m2/repository",
  ".gradle/caches",
  // The wrappers of Maven and Gradle download these programs, which a check without network cannot.
  ".m2/wrapper/dists",
  ".gradle/wrapper/dists",
  ".ivy2/cache",
  ".cargo/registry",
  ".cargo/git",
  ".nuget/packages",
  "go/pkg/mod",
];

/** Moves the cache folders of a HOME that nothing uses any more; returns whether there were any. */
export async function takeCaches(home: string, to: string): Promise<boolean> {
  const found = cacheFolders.filter((folder) => isPlainFolder(home, folder));
  for (const folder of found) {
    await mkdir(dirname(join(to, folder)), { recursive: true, mode: 0o700 });
    await moveClosed(join(home, folder), join(to, folder));
  }
  return found.length > 0;
}

/** Whether this is a real folder, with no link on the way: a link may lead to files that no room made. */
function isPlainFolder(home: string, folder: string): boolean {
  const parts = folder.split("/");
  return parts.every((_, at) => {
    const part = join(home, ...parts.slice(0, at + 1));
    return lstatSync(part, { throwIfNoEntry: false })?.isDirectory() === true;
  });
}
