import type { Dice } from "../rounds/dice.ts";
import { errno, type Call } from "./errno.ts";
import { FileBytes } from "./file-bytes.ts";

export interface SimFile {
  readonly kind: "file";
  readonly ino: bigint;
  readonly bytes: FileBytes;
  /** The open file that has its lock. */
  lockedBy: object | null;
}

export interface SimFolder {
  readonly kind: "folder";
  readonly ino: bigint;
  readonly seen: Map<string, SimNode>;
  readonly stored: Map<string, SimNode>;
}

export type SimNode = SimFile | SimFolder;

/** Where a name is or would be. */
export interface Place {
  readonly folder: SimFolder;
  readonly name: string;
}

/** One name that comes, goes or means something else from now on. */
export interface NameChange extends Place {
  readonly node: SimNode | null;
}

/** The tree of names: the one that processes see and the one that power loss would leave. */
export class Names {
  #inos = 1n;
  readonly root: SimFolder = this.newFolder();
  /** Not durable yet, in order; the changes of one operation come to pass together or not at all. */
  #pending: (readonly NameChange[])[] = [];

  newFile(): SimFile {
    return { kind: "file", ino: this.#inos++, bytes: new FileBytes(), lockedBy: null };
  }

  newFolder(): SimFolder {
    return { kind: "folder", ino: this.#inos++, seen: new Map(), stored: new Map() };
  }

  find(path: string, call: Call): SimNode {
    return partsOf(path).reduce<SimNode>((node, name) => childOf(node, name, call), this.root);
  }

  findFolder(path: string, call: Call): SimFolder {
    const node = this.find(path, call);
    if (node.kind !== "folder") throw errno("ENOTDIR", call);
    return node;
  }

  place(path: string, call: Call): Place {
    const parts = partsOf(path);
    const name = parts.pop();
    if (name === undefined) throw new Error("Internal error: expected a path below the root, but was the root");
    const folder = parts.reduce<SimNode>((node, part) => childOf(node, part, call), this.root);
    if (folder.kind !== "folder") throw errno("ENOTDIR", call);
    return { folder, name };
  }

  /** Readers see it at once. */
  change(operation: readonly NameChange[]): void {
    for (const change of operation) apply(change, change.folder.seen);
    this.#pending.push(operation);
  }

  /** Makes the names in a folder durable, and in other folders what had to come before. */
  sync(folder: SimFolder): void {
    const synced = new Set([folder]);
    const due: (readonly NameChange[])[] = [];
    const later: (readonly NameChange[])[] = [];
    for (const operation of this.#pending.toReversed()) {
      const isDue = operation.some((change) => synced.has(change.folder));
      if (isDue) for (const change of operation) synced.add(change.folder);
      (isDue ? due : later).push(operation);
    }
    for (const operation of due.toReversed()) store(operation);
    this.#pending = later.toReversed();
  }

  /** Each folder keeps its first few changes. */
  losePower(dice: Dice): void {
    const left = this.#countKept(dice);
    for (const operation of this.#pending) {
      const folders = new Set(operation.map((change) => change.folder));
      const isKept = [...folders].every((folder) => left.get(folder)! > 0);
      for (const folder of folders) left.set(folder, isKept ? left.get(folder)! - 1 : 0);
      if (isKept) store(operation);
    }
    this.#pending = [];
    startAgain(this.root, dice);
  }

  #countKept(dice: Dice): Map<SimFolder, number> {
    const counts = new Map<SimFolder, number>();
    for (const operation of this.#pending) {
      for (const folder of new Set(operation.map((change) => change.folder)))
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    // All and nothing are what a long list would hardly ever come to by an even chance.
    for (const [folder, count] of counts) counts.set(folder, dice.pick([0, count, dice.below(count + 1)]));
    return counts;
  }
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function childOf(node: SimNode, name: string, call: Call): SimNode {
  if (node.kind !== "folder") throw errno("ENOTDIR", call);
  const child = node.seen.get(name);
  if (child === undefined) throw errno("ENOENT", call);
  return child;
}

function apply({ name, node }: NameChange, names: Map<string, SimNode>): void {
  if (node === null) names.delete(name);
  else names.set(name, node);
}

function store(operation: readonly NameChange[]): void {
  for (const change of operation) apply(change, change.folder.stored);
}

function startAgain(folder: SimFolder, dice: Dice): void {
  folder.seen.clear();
  for (const [name, node] of folder.stored) {
    folder.seen.set(name, node);
    if (node.kind === "folder") startAgain(node, dice);
    else node.bytes.losePower(dice);
  }
}
