import { existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "../git/control.ts";
import { gitlinkMode, type IndexEntry } from "../git/index-file.ts";
import { listSubmodules, whySubmodulesMissing, writeSubmodule } from "../git/submodules.ts";
import type { Checkout } from "./checkout.ts";
import { readRegularFile } from "./fingerprint.ts";
import { contentOf } from "./planted.ts";
import type { Problem } from "./refusals.ts";
import { listUntracked, type Untracked } from "./untracked.ts";

/** The submodules of a checkout that have their files. */
export interface Filled {
  readonly files: Untracked;
  /** Which submodules at which commits, as text; empty if there are none. */
  readonly commits: string;
}

/**
 * Fills the folders of submodules in a fresh checkout with the files that the user has, and returns what it wrote.
 * They are plain files without a repository: whatever an agent does to them, none of it lands.
 */
export async function fillSubmodules(control: Control, checkout: Checkout): Promise<Result<Filled, Failure<"set-up">>> {
  if (!existsSync(join(checkout.dir, ".gitmodules"))) return ok({ files: new Map(), commits: "" });
  const submodules = await listSubmodules(control, checkout.commit);
  const missing = whySubmodulesMissing(submodules);
  if (missing !== undefined) return fail("set-up", missing);
  const index = `${checkout.index}.submodule`;
  const own = submodules.filter(({ objects }) => objects !== null);
  for (const submodule of own) {
    await writeSubmodule(control, submodule, { dir: join(checkout.dir, submodule.path), index });
    await rm(index, { force: true });
  }
  const commits = own.length === 0 ? "" : JSON.stringify(own.map(({ path, commit }) => [path, commit]));
  return ok({ files: own.length === 0 ? new Map() : await listUntracked(control, checkout), commits });
}

/** Notes beside the tree what is in the files of submodules once set-up is done, so that a change is noticed later. */
export async function noteSubmodules({ dir }: Checkout, { files }: Filled): Promise<void> {
  const contents = [...files.keys()].map((path) => [path, seenAt(`${dir}/${utf8(path)}`) ?? null]);
  await writeFile(noteOf(dir), JSON.stringify(contents.filter(([, content]) => content !== null)), { mode: 0o600 });
}

/**
 * A submodule must stay as it was checked out: as it was filled, or empty. A repository inside is refused as well, because
 * git would run a command in it that obeys its configuration.
 */
export async function problemsOfSubmodules(dir: string, entries: readonly IndexEntry[]): Promise<Problem[]> {
  const links = entries.filter((entry) => entry.mode === gitlinkMode).map((entry) => entry.rawPath);
  const noted = links.length === 0 ? [] : await readNote(dir);
  const found = await Promise.all(links.map(async (raw) => await problemOf(dir, raw, noted)));
  return found.filter((problem) => problem !== undefined);
}

async function problemOf(dir: string, raw: string, noted: Note): Promise<Problem | undefined> {
  const path = utf8(raw);
  const own = noted.filter(([file]) => file.startsWith(`${raw}/`));
  const problem = (message: string): Problem => ({ kind: "submodule", path, message });
  if (own.length === 0)
    return (await isFilled(join(dir, path)))
      ? problem(`The folder of submodule ${path} is no longer empty; submodules may not change.`)
      : undefined;
  if (existsSync(join(dir, path, ".git"))) return problem(`${path}/.git was made; submodules may not change.`);
  const changed = own.find(([file, content]) => seenAt(`${dir}/${utf8(file)}`) !== content);
  return changed === undefined ? undefined : problem(`${utf8(changed[0])} was changed; submodules may not change.`);
}

/** An agent may have put a file where a folder was, or closed a folder: then nothing is seen. */
export function seenAt(file: string): string | undefined {
  try {
    return contentOf(file);
  } catch {
    return undefined;
  }
}

/** Files of submodules by their raw paths, and what was in them. */
type Note = readonly (readonly [string, string])[];

/** An agent that is not confined can spoil the note; then the folders count as changed. */
async function readNote(dir: string): Promise<Note> {
  try {
    return JSON.parse((await readRegularFile(noteOf(dir))).toString("utf8")) as Note;
  } catch {
    return [];
  }
}

function noteOf(dir: string): string {
  return `${dir}.submodules`;
}

async function isFilled(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === "EACCES" ? ["?"] : []));
  return names.length > 0;
}

function utf8(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}
