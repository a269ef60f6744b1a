import type { Dice } from "../rounds/dice.ts";
import type { SimProcess } from "./process.ts";

/** Text by path. */
export type Tree = ReadonlyMap<string, string>;

export interface Commit {
  readonly id: string;
  readonly parent: string | null;
  readonly tree: Tree;
  /** The message, or what it is for. */
  readonly about: string;
}

/** The folder of one attempt or judge. */
export interface Workspace {
  readonly files: Map<string, string>;
  readonly base: string;
  /** The agent or person who wrote into it last. */
  touchedBy: SimProcess | null;
  /** The driver that made it, until an agent gets it. */
  freshFor: SimProcess | null;
  /** The driver that is about to remove it. */
  removing: SimProcess | null;
}

/** Told at the very moment, so that nothing can be lost between two looks. */
export interface RepositoryObserver {
  readonly removed: (dir: string, files: Tree, base: string) => void;
  readonly moved: (ref: string, move: RefMove) => void;
}

export interface RefMove {
  readonly old: string | null;
  readonly next: string;
  /** Null for somebody who is no part of the simulation. */
  readonly by: SimProcess | null;
}

/** Git as far as a run needs it: what is there is durable at once, as the real one is told to make it. */
export class Repository {
  readonly commits = new Map<string, Commit>();
  /** The run's ref, rescue refs and keep refs. */
  readonly refs = new Map<string, string>();
  /** The user's, by name. */
  readonly branches = new Map<string, string>();
  /** Those of the remote, by name. */
  readonly remote = new Map<string, string>();
  /** By folder. */
  readonly workspaces = new Map<string, Workspace>();
  observer: RepositoryObserver = { removed: () => {}, moved: () => {} };
  readonly #treeIds = new WeakMap<Tree, string>();

  /** Named by its content: the same again is the same commit. */
  commit(parent: string | null, tree: Tree, about: string): string {
    const id = hash(`commit ${parent}\0${this.treeId(tree)}\0${about}`);
    if (!this.commits.has(id)) this.commits.set(id, { id, parent, tree, about });
    return id;
  }

  treeOf(commit: string): Tree {
    const found = this.commits.get(commit);
    if (found === undefined) throw new Error(`git: bad object ${commit}`);
    return found.tree;
  }

  /** The same for the same content. */
  treeId(tree: Tree): string {
    let id = this.#treeIds.get(tree);
    if (id === undefined) {
      const paths = [...tree.keys()].toSorted();
      id = hash(paths.map((path) => `${path}\0${tree.get(path)}`).join("\0"));
      this.#treeIds.set(tree, id);
    }
    return id;
  }

  /** Also where both are the same. */
  isAncestor(ancestor: string, commit: string): boolean {
    for (let at: string | null = commit; at !== null; at = this.commits.get(at)?.parent ?? null)
      if (at === ancestor) return true;
    return false;
  }

  moveRef(ref: string, next: string, by: SimProcess | null): void {
    this.#move(this.refs, ref, { ref, next, by });
  }

  moveBranch(branch: string, next: string, by: SimProcess | null): void {
    this.#move(this.branches, branch, { ref: `refs/heads/${branch}`, next, by });
  }

  moveRemote(branch: string, next: string, by: SimProcess | null): void {
    this.#move(this.remote, branch, { ref: `remote refs/heads/${branch}`, next, by });
  }

  makeWorkspace(dir: string, base: string, freshFor: SimProcess): void {
    const files = new Map(this.treeOf(base));
    this.workspaces.set(dir, { files, base, touchedBy: null, freshFor, removing: null });
  }

  removeWorkspace(dir: string): void {
    const found = this.workspaces.get(dir);
    if (found === undefined) return;
    this.workspaces.delete(dir);
    this.observer.removed(dir, found.files, found.base);
  }

  /** An agent or person writes a file, or deletes it where the text is null; false where the folder is gone. */
  write(dir: string, [path, text]: readonly [string, string | null], by: SimProcess | null): boolean {
    const found = this.workspaces.get(dir);
    if (found === undefined) return false;
    if (text === null) found.files.delete(path);
    else found.files.set(path, text);
    found.touchedBy = by;
    return true;
  }

  /** Whoever works in a workspace syncs nothing: files that differ from its base may be as they were there, or empty. */
  powerLoss(dice: Dice): void {
    for (const { files, base } of this.workspaces.values()) {
      const before = this.treeOf(base);
      for (const path of changedPaths(before, files)) {
        if (!dice.chance(0.3)) continue;
        const was = dice.chance(0.5) ? before.get(path) : "";
        if (was === undefined) files.delete(path);
        else files.set(path, was);
      }
    }
  }

  #move(refs: Map<string, string>, name: string, { ref, next, by }: Omit<RefMove, "old"> & { readonly ref: string }) {
    const old = refs.get(name) ?? null;
    refs.set(name, next);
    this.observer.moved(ref, { old, next, by });
  }
}

/** The paths in which two trees differ, sorted. */
export function changedPaths(before: Tree, after: Tree): string[] {
  if (before === after) return [];
  const changed: string[] = [];
  for (const [path, text] of after) if (before.get(path) !== text) changed.push(path);
  for (const path of before.keys()) if (!after.has(path)) changed.push(path);
  return changed.toSorted();
}

/** What both sides made of the base, or the paths they made different things of. */
export function merge(base: Tree, ours: Tree, theirs: Tree): { readonly tree: Tree; readonly conflicts: string[] } {
  const tree = new Map(ours);
  const conflicts: string[] = [];
  for (const path of changedPaths(base, theirs)) {
    const [was, our, their] = [base.get(path), ours.get(path), theirs.get(path)];
    // Whoever has all that the other side has, and more, has merged it.
    const isMerged = our === was || our === their || (our !== undefined && their?.startsWith(our) === true);
    if (!isMerged) conflicts.push(path);
    else if (their === undefined) tree.delete(path);
    else tree.set(path, their);
  }
  return { tree, conflicts };
}

/** 40 hexadecimal digits that follow from the text; no one here looks for two texts with the same. */
export function hash(text: string): string {
  const lanes = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1];
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = lanes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + (a >>> 15)), 0x85ebca6b);
    c = Math.imul(c ^ (code + (b >>> 13)), 0xc2b2ae35);
    d = Math.imul(d ^ (code + (c >>> 16)), 0x27d4eb2f);
    e = Math.imul(e ^ (code + (d >>> 14)), 0x165667b1);
  }
  return [a, b, c, d, e].map((lane) => ((lane ^ (lane >>> 15)) >>> 0).toString(16).padStart(8, "0")).join("");
}
