import { existsSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../base/command-line.ts";
import type { Control } from "./control.ts";
import { assertOid, splitNul } from "./names.ts";
import { listTree, missingCommits } from "./objects.ts";
import { git, gitOk, type GitOptions } from "./run.ts";

/** A submodule at a commit, however deep. */
export interface Submodule {
  /** It starts at the root of the work tree. */
  readonly path: string;
  readonly commit: string;
  readonly name: string | undefined;
  /** The objects of the user's own copy, which is only read; null if they have none, and its folder is empty in their work tree, too. */
  readonly objects: string | null;
  /** Whether they have none although git would make one: it is no submodule of a submodule, and not switched off. */
  readonly isMissing: boolean;
  /** Whether that copy lacks the commit. */
  readonly isBehind: boolean;
}

/** A repository, and where the user's copies of its submodules are. */
type Lenders = Pick<Control, "dir" | "modules" | "root" | "inactive">;

/** Lists the submodules of a commit, and those in the submodules that the user has. */
export async function listSubmodules(control: Lenders, commit: string): Promise<Submodule[]> {
  return await submodulesOf(control, { commit, from: { gitDir: control.dir }, modules: control.modules, prefix: "" });
}

/** Says what the user has to fetch before checkouts can have all files that their own work tree has. */
export function whySubmodulesMissing(submodules: readonly Submodule[]): string | undefined {
  const missing = submodules.find(({ isMissing }) => isMissing);
  if (missing !== undefined)
    return `submodule ${missing.path} is empty here, so it would be empty for agents and checks. Run \`git submodule update --init --recursive\`; or, if nothing needs it, ${switchOff(missing)}.`;
  const behind = submodules.find(({ isBehind }) => isBehind);
  if (behind === undefined) return undefined;
  return `submodule ${behind.path} does not have its commit ${behind.commit.slice(0, 12)} here. Run \`git submodule update --init --recursive\`, then try again.`;
}

function switchOff({ name = "" }: Submodule): string {
  return `\`git config ${shellWord(`submodule.${name}.active`)} false\``;
}

/** Writes the files of a submodule into its folder, from the user's copy and by our own settings; nothing is written elsewhere. */
export async function writeSubmodule(
  control: Lenders,
  { commit, objects }: Submodule,
  { dir, index }: { readonly dir: string; readonly index: string },
): Promise<void> {
  if (objects === null) return;
  const place = { ...borrowing(control, objects), workTree: dir, cwd: dir, index };
  await gitOk(["read-tree", "--reset", "-u", "--no-recurse-submodules", assertOid(commit)], place);
}

interface Level {
  readonly commit: string;
  readonly from: GitOptions;
  /** The folders with the user's copies, by name. */
  readonly modules: readonly string[];
  readonly prefix: string;
}

async function submodulesOf(control: Lenders, { commit, from, modules, prefix }: Level): Promise<Submodule[]> {
  const links = (await listTree(control, commit, { from })).filter(({ type }) => type === "commit");
  const names = links.length === 0 ? new Map<string, string>() : await namesAt(commit, from);
  const found: Submodule[] = [];
  for (const link of links) {
    const name = names.get(link.path);
    const here = { path: `${prefix}${link.path}`, commit: link.oid, name };
    const inTree = join(control.root, here.path, ".git");
    const copies = name === undefined ? [] : [...modules.map((folder) => join(folder, name)), inTree];
    const copy = copies.find((folder) => existsSync(join(folder, "HEAD")));
    if (copy === undefined) {
      const isWanted =
        prefix === "" && name !== undefined && !control.inactive.has(`submodule.${name}.active`.toLowerCase());
      found.push({ ...here, objects: null, isMissing: isWanted, isBehind: false });
      continue;
    }
    const objects = join(copy, "objects");
    const inside = borrowing(control, objects);
    const isBehind = (await missingCommits(inside, [link.oid])).length > 0;
    found.push({ ...here, objects, isMissing: false, isBehind });
    const level = { commit: link.oid, from: inside, modules: [join(copy, "modules")], prefix: `${here.path}/` };
    if (!isBehind) found.push(...(await submodulesOf(control, level)));
  }
  return found;
}

/** Maps the path of each submodule to its name; a name that leads out of the folder of copies is none. */
async function namesAt(commit: string, from: GitOptions): Promise<Map<string, string>> {
  const args = [
    "config",
    "-z",
    "--blob",
    `${assertOid(commit)}:.gitmodules`,
    "--get-regexp",
    String.raw`^submodule\..*\.path$`,
  ];
  const { stdout } = await git(args, from);
  const pairs = splitNul(stdout).flatMap((entry): [string, string][] => {
    const [, name = "", path = ""] = /^submodule\.(.*)\.path\n(.*)$/s.exec(entry.toString("utf8")) ?? [];
    return name === "" || name.split("/").includes("..") ? [] : [[path, name]];
  });
  return new Map(pairs);
}

/** Reads objects of a submodule besides ours, without obeying its configuration. */
function borrowing({ dir }: Lenders, objects: string): GitOptions & { readonly gitDir: string } {
  const quoted = `"${objects.replace(/["\\]/g, String.raw`\$&`)}"`;
  return { gitDir: dir, env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted } };
}
