import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { takeCaches } from "./cache-folders.ts";
import { cacheLine, type CacheLine } from "./cache-line.ts";
import { workspaceLimits } from "./limits.ts";
import { removeTree } from "./remove.ts";

/** The folders that a room finds below its HOME, which stay until they are released. */
export interface HeldCaches {
  /** The uppermost first; there is always one. */
  readonly lower: readonly [string, ...string[]];
  /** Whether work that landed in this run filled some of them. */
  readonly haveLanded: boolean;
  readonly release: () => void;
}

/** What tools made or downloaded in the HOMEs of a run's rooms, for later rooms of the run. */
export interface Caches {
  /**
   * For a check of a commit; `base` are those that the run's base filled, so that no agent had a hand in them. The base itself
   * gets no others, because what its checks leave is kept as the base's.
   */
  readonly forCheck: (commit: string, whose: "base" | "landed") => Promise<HeldCaches>;
  /**
   * For the set-up of a commit: what it makes reaches final verification, so no work that landed may have a hand in it. What
   * the base's own makes reaches other runs: it gets none at all.
   */
  readonly forSetup: (commit: string) => Promise<HeldCaches>;
  /** Puts aside what a check left in a HOME, until the commit has landed. */
  readonly keep: (left: { readonly commit: string; readonly home: string; readonly state: string }) => Promise<void>;
  /** Puts aside what a set-up left, in a folder that its checks see as well; returns whether it left anything. */
  readonly keepSetup: (left: {
    readonly commit: string;
    readonly home: string;
    readonly to: string;
  }) => Promise<boolean>;
  /** Lets later rooms have what was put aside of this commit, and what will be. */
  readonly landed: (commit: string) => void;
  /** Ends once all that landed so far is there for later rooms. */
  readonly settled: () => Promise<void>;
  /** Forgets all of it. */
  readonly remove: () => Promise<void>;
}

export interface CacheOptions {
  readonly dir: string;
  /** The commit of a person that the run began with. */
  readonly base: string;
}

/** A folder that a room left, and whether it is only here. */
interface Left {
  readonly dir: string;
  readonly isOurs: boolean;
}

export function keptCaches({ dir, base }: CacheOptions): Caches {
  const lines = { base: cacheLine(dir, "base"), landed: cacheLine(dir, "landed") };
  const { note, landed, settled, remove } = leftovers({ dir, base }, lines);
  return {
    forCheck: async (commit, whose) => {
      // What landed just now would otherwise be compiled again, which takes longer than to wait for it.
      await settled();
      const isBases = whose === "base" || commit === base;
      return await holdAll(dir, isBases ? [lines.base] : [lines.landed, lines.base], lines.landed);
    },
    forSetup: async (commit) => {
      await settled();
      return await holdAll(dir, commit === base ? [] : [lines.base]);
    },
    keep: async ({ commit, home, state }) => {
      // Before the work a check is red as a rule, and what it left is a person's code's nevertheless.
      if (state !== "green" && (state !== "red" || commit !== base)) return;
      const left = join(dir, `left-${randomUUID()}`);
      if (await takeOrNothing(home, left)) note(commit, { dir: left, isOurs: true });
    },
    keepSetup: async ({ commit, home, to }) => {
      await removeTree(to);
      const isLeft = await takeOrNothing(home, to);
      if (isLeft) note(commit, { dir: to, isOurs: false });
      return isLeft;
    },
    landed,
    settled,
    remove,
  };
}

/** Collects what rooms left, and merges it behind everybody's back once its commit has landed. */
function leftovers({ dir, base }: CacheOptions, lines: Readonly<Record<"base" | "landed", CacheLine>>) {
  const pending = new Map<string, Left[]>();
  const done = new Set([base]);
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const later = (work: () => Promise<unknown>) => {
    queue = queue.then(() => (isClosed ? undefined : work())).catch(() => undefined);
  };
  const takeOf = (commit: string): readonly Left[] => {
    const left = pending.get(commit) ?? [];
    pending.delete(commit);
    return left;
  };
  const merge = async (commit: string) => {
    // What was left meanwhile is merged along with it.
    const left = takeOf(commit);
    const line = commit === base ? lines.base : lines.landed;
    try {
      if (left.length > 0) await line.add(left.map((one) => one.dir));
    } finally {
      await removeOurs(left);
    }
  };
  const note = (commit: string, left: Left) => {
    pending.set(commit, [...takeOf(commit), left]);
    if (done.has(commit)) return later(() => merge(commit));
    const tooMany = [...pending.keys()].slice(0, -workspaceLimits.pendingCachesMax);
    for (const old of tooMany.map(takeOf)) later(() => removeOurs(old));
  };
  return {
    note,
    landed: (commit: string) => {
      done.add(commit);
      later(() => merge(commit));
    },
    settled: async () => void (await queue),
    remove: async () => {
      isClosed = true;
      await queue;
      isClosed = false;
      pending.clear();
      for (const line of Object.values(lines)) line.forget();
      await removeTree(dir);
    },
  };
}

async function removeOurs(left: readonly Left[]): Promise<void> {
  for (const { dir, isOurs } of left) if (isOurs) await removeTree(dir);
}

/** Nothing depends on a cache: if a HOME cannot be read, or the disk is full, nothing is kept of it. */
async function takeOrNothing(home: string, to: string): Promise<boolean> {
  try {
    return await takeCaches(home, to);
  } catch {
    await removeTree(to).catch(() => undefined);
    return false;
  }
}

async function holdAll(dir: string, lines: readonly CacheLine[], landed?: CacheLine): Promise<HeldCaches> {
  // A HOME is joined even if there is nothing to join: a plain folder would let programs set the kernel's own marks.
  const empty = join(dir, "empty");
  await mkdir(empty, { recursive: true, mode: 0o700 });
  const held = lines.map((line) => ({ line, ...line.hold() }));
  const folders = held.flatMap((one) => one.dir ?? []);
  return {
    lower: [folders[0] ?? empty, ...folders.slice(1)],
    haveLanded: held.some((one) => one.line === landed && one.dir !== undefined),
    release: () => held.forEach(({ release }) => release()),
  };
}
