import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { baseEnvironment, type UserEnvironment } from "../../process/environment.ts";
import { findProgram } from "../../process/find-program.ts";
import { gitVersion } from "../../approval/preconditions.ts";
import { stintHome, type Paths } from "../../project/paths.ts";
import { accessFlaw, type FolderFlaw } from "../../base/folder-access.ts";
import { flawOf } from "../../project/state-folder.ts";

/** The parts of the machine that a run depends on. */
export interface MachineFacts {
  readonly node: string;
  /** What `git --version` prints; null if there is no git. */
  readonly git: string | null;
  readonly tools: readonly { readonly name: string; readonly path: string | null }[];
  readonly folders: readonly FolderFacts[];
}

export interface FolderFacts {
  readonly about: string;
  readonly path: string;
  readonly flaw: FolderFlaw | undefined;
  readonly freeBytes: number;
}

/** Supervision and locks cannot do without these programs of util-linux and coreutils. */
const toolNames = ["flock", "mkfifo"];

export async function examineMachine(env: UserEnvironment, paths: Paths | undefined): Promise<MachineFacts> {
  const state = stintHome(env);
  const repository = paths === undefined ? [] : [["state of this repository", paths.state] as const];
  const folders = [["state folder", state] as const, ...repository].map(([about, path]) =>
    folderFacts(about, path, flawOf(path) ?? accessFlaw(nearest(path))),
  );
  return {
    node: process.versions.node,
    git: await gitVersion(),
    tools: toolNames.map((name) => ({ name, path: toolPath(name, env) })),
    folders: await Promise.all([...folders, folderFacts("temporary folder", tmpdir(), accessFlaw(tmpdir()))]),
  };
}

function toolPath(name: string, env: UserEnvironment): string | null {
  const found = findProgram({ argv: [name], cwd: "/", env: baseEnvironment(env) });
  return found.ok ? found.value : null;
}

async function folderFacts(about: string, path: string, flaw: FolderFlaw | undefined): Promise<FolderFacts> {
  const { bavail, bsize } = await statfs(nearest(path));
  return { about, path, flaw, freeBytes: bavail * bsize };
}

/** A folder that does not exist yet will be on the disk of the nearest one that does. */
function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}
