import fs from "node:fs";

/** The files of a checkout: those of one folder, or of several, where what is in the first hides what is in the next. */
export type Tree = readonly [string, ...string[]];

/** A file, folder or link of a tree. */
export interface Found {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Where it is on the host; a folder may be in several places, of which this is the first. */
  readonly host: string;
  /** Its path in the tree, without links. */
  readonly path: string;
}

/** Nothing is there, or a link on the way leads out of the tree, or in a circle. */
export type NotFound = "absent" | "outside" | "loop";

/**
 * Looks a path up as a process in the tree would, but never outside it. A link at its end is followed only if that is asked for.
 * Folders that hide all that is below them are not known here: what is looked up has none that matter.
 */
export function lookUp(tree: Tree, path: string, options: { readonly follow: boolean }): Found | NotFound {
  const waiting = partsOf(path).toReversed();
  const way: Place[] = [{ name: "", hosts: tree, kind: "folder" }];
  let links = 0;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const at = way.at(-1) as Place;
    if (name === ".." && at.kind === "folder") {
      if (way.length === 1) return "outside";
      way.pop();
      continue;
    }
    const next = at.kind === "folder" ? placeIn(at.hosts, name) : undefined;
    if (next === undefined) return "absent";
    if (next.kind !== "link" || (waiting.length === 0 && !options.follow)) {
      way.push(next);
      continue;
    }
    const target = fs.readlinkSync(next.hosts[0]);
    if (target.startsWith("/")) return "outside";
    if (++links > linksMax) return "loop";
    waiting.push(...partsOf(target).toReversed());
  }
  const last = way.at(-1) as Place;
  const inside = way.slice(1).map(({ name }) => name);
  return { kind: last.kind, host: last.hosts[0], path: inside.join("/") };
}

/** The kernel gives up after as many. */
const linksMax = 40;

interface Place {
  readonly name: string;
  readonly kind: Found["kind"];
  readonly hosts: Tree;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function placeIn(folders: Tree, name: string): Place | undefined {
  const hosts: string[] = [];
  for (const folder of folders) {
    const host = `${folder}/${name}`;
    const stat = fs.lstatSync(host, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (isWhiteout(stat)) break;
    if (!stat.isDirectory()) {
      if (hosts.length === 0) return { name, kind: kindOf(stat), hosts: [host] };
      break;
    }
    hosts.push(host);
  }
  const [first, ...rest] = hosts;
  return first === undefined ? undefined : { name, kind: "folder", hosts: [first, ...rest] };
}

/** Whether this marks a file of a lower folder as removed. */
export function isWhiteout(stat: fs.Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0;
}

function kindOf(stat: fs.Stats): Found["kind"] {
  if (stat.isFile()) return "file";
  return stat.isSymbolicLink() ? "link" : "other";
}
