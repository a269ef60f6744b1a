import { addRank, addRanks, noRanks, type RankBits } from "./ranked.ts";
import { claimKeys, type Claims } from "../plan/claims.ts";

/** The parts of a task that decide which others may run beside it. */
interface Claimant {
  readonly rank: number;
  readonly claims: Claims;
}

/**
 * Finds which tasks of a run might touch the same files. Two claims meet where the key of one begins with the key of the
 * other, so all claims that meet a given one stand together when they are sorted.
 */
export class Meetings {
  readonly #tasks: ReadonlyMap<string, Claimant>;
  /** Made on first use, because a process that only reads a run never needs it. */
  #claims: SortedClaims | undefined;
  readonly #found = new Map<string, RankBits>();

  constructor(tasks: ReadonlyMap<string, Claimant>) {
    this.#tasks = tasks;
  }

  /** Returns the ranks of all tasks that might touch a file of this one, and its own rank. */
  of(id: string): RankBits {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    this.#claims ??= new SortedClaims(this.#tasks);
    const found = noRanks(this.#tasks.size);
    for (const key of claimKeys(this.#claimant(id).claims)) this.#claims.addMeeting(key, found);
    this.#found.set(id, found);
    return found;
  }

  /** Drops an answer that is not needed soon: ten thousand of them would take megabytes. */
  forget(id: string): void {
    this.#found.delete(id);
  }

  /** Adds to what a task claims. */
  grow(id: string, paths: readonly string[]): void {
    const { rank } = this.#claimant(id);
    this.#found.clear();
    for (const key of claimKeys({ paths, folders: [] })) this.#claims?.insert(key, rank);
  }

  #claimant(id: string): Claimant {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new Error(`Internal error: expected a task of the run, but was ${id}`);
    return task;
  }
}

interface Claim {
  readonly key: string;
  readonly rank: number;
}

class SortedClaims {
  readonly #claims: Claim[];
  readonly #size: number;
  /** A set for each place that many tasks claim. A claim is in few of them, so together they stay small. */
  readonly #crowds = new Map<string, RankBits>();

  constructor(tasks: ReadonlyMap<string, Claimant>) {
    const ofTask = ({ rank, claims }: Claimant) => claimKeys(claims).map((key) => ({ key, rank }));
    this.#claims = [...tasks.values()].flatMap(ofTask);
    this.#claims.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#size = tasks.size;
  }

  insert(key: string, rank: number): void {
    this.#crowds.clear();
    const at = this.#firstThat((other) => other >= key);
    this.#claims.splice(at, 0, { key, rank });
  }

  /** Adds the claims below the key, then those of a folder around it. */
  addMeeting(key: string, found: RankBits): void {
    const below = this.#firstThat((other) => other >= key);
    this.#add({ from: below, to: this.#firstThat((other) => other > key && !other.startsWith(key)) }, found);
    for (const folder of foldersAround(key)) {
      const from = this.#firstThat((other) => other >= folder);
      this.#add({ from, to: this.#firstThat((other) => other > folder) }, found);
    }
  }

  #add({ from, to }: { readonly from: number; readonly to: number }, found: RankBits): void {
    const name = `${from}-${to}`;
    const crowd = this.#crowds.get(name);
    if (crowd !== undefined) return addRanks(found, crowd);
    const isCrowd = to - from > found.length;
    const ranks = isCrowd ? noRanks(this.#size) : found;
    for (let at = from; at < to; at += 1) addRank(ranks, this.#claims[at]!.rank);
    if (!isCrowd) return;
    this.#crowds.set(name, ranks);
    addRanks(found, ranks);
  }

  /** Finds the first claim for which the condition is true; it must be true for all after it as well. */
  #firstThat(isTrue: (key: string) => boolean): number {
    let [low, high] = [0, this.#claims.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isTrue(this.#claims[middle]!.key)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function foldersAround(key: string): string[] {
  const folders = key === "" ? [] : [""];
  for (let end = key.indexOf("/"); end !== -1 && end < key.length - 1; end = key.indexOf("/", end + 1)) {
    folders.push(key.slice(0, end + 1));
  }
  return folders;
}
