import fs from "node:fs";
import path from "node:path";
import type { Change } from "../../git/diff.ts";
import { isWhiteout, lookUp, type Tree } from "../../sandbox/tree-lookup.ts";
import { lstatOf } from "../../sandbox/view.ts";
import { checksLimits } from "../limits.ts";
import { type Asked, readTrace, type Name } from "./trace-lines.ts";

/** What a check was seen to ask of its checkout, by paths in it. */
export interface Reads {
  /** Everything that it looked up, found or not, and every folder and link on the way there. */
  readonly names: ReadonlySet<string>;
  /** Folders whose entries it read. */
  readonly listed: ReadonlySet<string>;
}

/** Where a check ran, and what is below the folder that it saw. */
export interface WatchedPlace {
  /** The checkout as the check saw it. */
  readonly at: string;
  /** The folder in which it began. */
  readonly start: string;
  /** The folders of the checkout on the host, what the check wrote first. */
  readonly tree: Tree;
  /** Where links may lead into the checkout too: the HOME that the check saw, and its folders on the host. */
  readonly home?: { readonly at: string; readonly tree: Tree } | undefined;
}

/** Reads the trace of a check that ended. */
export async function readsIn(file: string, place: WatchedPlace): Promise<Reads | undefined> {
  try {
    const { size } = await fs.promises.stat(file);
    return size > checksLimits.traceBytesMax ? undefined : readsOf(await fs.promises.readFile(file, "utf8"), place);
  } catch {
    return undefined;
  }
}

/** Says what a check read; undefined if that is not known for sure. A check that reads what git keeps depends on the commit itself. */
export function readsOf(trace: string, place: WatchedPlace): Reads | undefined {
  const asked = readTrace(trace, place.start);
  if (asked === undefined) return undefined;
  const views = viewsOf(place);
  const folders = workedIn(asked, views);
  if (folders === undefined || asked.moved.some((name) => mayLead(name, folders, views))) return undefined;
  const names = new Set<string>();
  const listed = new Set<string>();
  for (const name of [...asked.names, ...asked.executed.flatMap((script) => interpretersOf(script, folders, views))])
    for (const file of absolute(name, folders)) if (!views.every((view) => follow(file, view, names))) return undefined;
  for (const folder of asked.listed) {
    const inside = insideOf(folder, place.at);
    if (inside !== undefined) listed.add(inside);
  }
  const readsGit = [...names, ...listed].some((name) => name.startsWith(".git/")) || listed.has(".git");
  return readsGit ? undefined : { names, listed };
}

/** The checkout as the check left it, and as it found it: a link that it removed led somewhere until then. */
function viewsOf(place: WatchedPlace): WatchedPlace[] {
  const [, first, ...rest] = place.tree;
  return first === undefined ? [place] : [place, { ...place, tree: [first, ...rest] }];
}

/** Whether a link or folder of the commit was moved or removed: names that were looked up before or after meant other files. */
function mayLead(name: Name, folders: readonly string[], views: readonly WatchedPlace[]): boolean {
  const { at, tree } = views.at(-1) as WatchedPlace;
  return absolute(name, folders)
    .flatMap((file) => [file, path.posix.normalize(file)])
    .some((file) => {
      const inside = insideOf(file, at);
      const found = inside === undefined ? "absent" : lookUp(tree, inside, { follow: false });
      return found !== "absent" && (typeof found === "string" || ["link", "folder"].includes(found.kind));
    });
}

/** The kernel opens the program in the first line of a script without a call. */
function interpretersOf(script: Name, folders: readonly string[], views: readonly WatchedPlace[]): Name[] {
  return absolute(script, folders).flatMap((file) =>
    views.flatMap(({ at, tree }) => {
      const inside = insideOf(path.posix.normalize(file), at);
      const found = inside === undefined ? "absent" : lookUp(tree, inside, { follow: true });
      if (typeof found === "string" || found.kind !== "file") return [];
      const [, program] = /^#![ \t]*([^\s]+)/.exec(startOf(found.host)) ?? [];
      return program === undefined ? [] : [{ path: program, from: undefined }];
    }),
  );
}

function startOf(file: string): string {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
  try {
    const start = Buffer.alloc(checksLimits.firstLineBytesMax);
    return start.toString("utf8", 0, fs.readSync(fd, start));
  } finally {
    fs.closeSync(fd);
  }
}

/** Whether a difference can change what the check sees: it touches a name, or adds to or takes from a folder that was listed. */
export function canMatter({ names, listed }: Reads, changes: readonly Change[]): boolean {
  return changes.some(({ path: name, oldMode, newMode }) => {
    const isFolder = oldMode === folderMode && newMode === folderMode;
    const comesOrGoes = [oldMode, newMode].includes(absent) || oldMode.slice(0, 2) !== newMode.slice(0, 2);
    return (!isFolder && names.has(name)) || (comesOrGoes && listed.has(parentOf(name)));
  });
}

const [absent, folderMode] = ["000000", "040000"];

function parentOf(name: string): string {
  const parent = path.posix.dirname(name);
  return parent === "." ? "" : parent;
}

/** Returns every folder that a process may have been in; undefined if there are too many to consider. */
function workedIn({ workedIn: names, made }: Asked, views: readonly WatchedPlace[]): string[] | undefined {
  const folders = new Set<string>();
  for (let before = -1; before !== folders.size;) {
    before = folders.size;
    const all = [...folders];
    const came = new Set(made.flatMap((name) => absolute(name, all)).map((file) => path.posix.normalize(file)));
    for (const name of names) {
      const isAbsolute = name.path.startsWith("/");
      for (const folder of absolute(name, all))
        for (const real of foldersAt(folder, { views, came, isAbsolute })) folders.add(real);
    }
    if (folders.size > checksLimits.watchedFoldersMax) return undefined;
  }
  return [...folders];
}

/** Returns where a folder is when links are followed, before and after; in doubt, as it is named. */
function foldersAt(
  folder: string,
  known: {
    readonly views: readonly WatchedPlace[];
    /** Folders that came about. */
    readonly came: ReadonlySet<string>;
    readonly isAbsolute: boolean;
  },
): string[] {
  const { views, came, isAbsolute } = known;
  const plain = path.posix.normalize(folder);
  return views.flatMap(({ at, tree }) => {
    // From the root, too many steps up do no harm: a name that leads back into the checkout does so from there as well.
    if (insideOf(plain, at) === undefined) return isAbsolute || at.startsWith(plain) ? [plain, "/"] : ["/"];
    const found = lookUp(tree, insideOf(folder, at) ?? insideOf(plain, at) ?? "", { follow: true });
    if (found === "absent") return came.has(plain) ? [plain] : [];
    if (typeof found === "string") return [plain, "/"];
    return found.kind === "folder" ? [path.posix.join(at, found.path)] : [];
  });
}

function absolute({ path: name, from }: Name, folders: readonly string[]): string[] {
  if (name.startsWith("/")) return [name];
  return (from === undefined ? folders : [from]).map((folder) => `${folder}/${name}`);
}

/** Returns the path in the checkout, "" for itself; undefined for what is elsewhere. */
function insideOf(file: string, at: string): string | undefined {
  if (file === at) return "";
  return file.startsWith(`${at}/`) ? file.slice(at.length + 1) : undefined;
}

/** Adds a path and all that leads to it, as the kernel walks it; false if links lead where nobody can tell. */
function follow(file: string, place: WatchedPlace, names: Set<string>): boolean {
  if (/^\/+(?:proc\/(?:[^/]+\/)+(?:cwd|root|fd\/[^/]+)|dev\/fd\/[^/]+)\//.test(file)) return false;
  const waiting = file.split("/").toReversed();
  let way: string[] = [];
  for (let links = 0; waiting.length > 0;) {
    const part = waiting.pop() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      way = way.slice(0, -1);
      continue;
    }
    way = [...way, part];
    const target = stepOn(`/${way.join("/")}`, place, names);
    if (target === undefined) continue;
    if (++links > linksMax) return false;
    way = target.startsWith("/") ? [] : way.slice(0, -1);
    waiting.push(...target.split("/").toReversed());
  }
  return true;
}

/** Adds a file of the checkout on the way, and returns where it leads if it is a link. */
function stepOn(file: string, { at, tree, home }: WatchedPlace, names: Set<string>): string | undefined {
  const inside = insideOf(file, at);
  if (inside !== undefined && inside !== "") {
    names.add(inside);
    return linkAt(tree, inside);
  }
  const inHome = home && insideOf(file, home.at);
  return home === undefined || inHome === undefined ? undefined : linkAt(home.tree, inHome);
}

/** The kernel gives up after as many. */
const linksMax = 40;

function linkAt(tree: Tree, inside: string): string | undefined {
  for (const folder of tree) {
    const host = `${folder}/${inside}`;
    const stat = lstatOf(host);
    if (stat === undefined) continue;
    return stat.isSymbolicLink() && !isWhiteout(stat) ? fs.readlinkSync(host) : undefined;
  }
  return undefined;
}
