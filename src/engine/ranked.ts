/** One bit for each rank: a question about ten thousand tasks at every event is answered for 32 of them at a time. */
export type RankBits = Uint32Array;

export function noRanks(count: number): RankBits {
  return new Uint32Array(Math.ceil(count / 32));
}

export function addRank(bits: RankBits, rank: number): void {
  bits[rank >>> 5]! |= 1 << (rank & 31);
}

export function addRanks(bits: RankBits, more: RankBits): void {
  for (let word = 0; word < more.length; word += 1) bits[word]! |= more[word]!;
}

/** A set of ids that is read in a fixed order, best first. */
export class Ranked {
  readonly #order: readonly string[];
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #bits: RankBits;

  constructor(order: readonly string[], ids: Iterable<string>) {
    this.#order = order;
    this.#ranks = new Map(order.map((id, rank) => [id, rank]));
    this.#bits = noRanks(order.length);
    for (const id of ids) this.add(id);
  }

  add(id: string): void {
    addRank(this.#bits, this.#rankOf(id));
  }

  delete(id: string): void {
    const rank = this.#rankOf(id);
    this.#bits[rank >>> 5]! &= ~(1 << (rank & 31));
  }

  [Symbol.iterator](): Iterator<string> {
    return this.outside(noRanks(this.#order.length));
  }

  /** Yields the ids that are not barred; the caller may bar more between two of them. */
  *outside(barred: RankBits): Generator<string, void> {
    for (let word = 0; word < this.#bits.length; word += 1) {
      let from = 0;
      for (let left = this.#left(word, from, barred); left !== 0; left = this.#left(word, from, barred)) {
        const bit = 31 - Math.clz32(left & -left);
        yield this.#order[word * 32 + bit]!;
        from = bit + 1;
      }
    }
  }

  /** Returns the bits of one word that are not barred, from a bit on. */
  #left(word: number, from: number, barred: RankBits): number {
    // A shift by 32 shifts by nothing.
    return from === 32 ? 0 : this.#bits[word]! & ~barred[word]! & (-1 << from);
  }

  #rankOf(id: string): number {
    const rank = this.#ranks.get(id);
    if (rank === undefined) throw new Error(`Internal error: expected an id that has a rank, but was ${id}`);
    return rank;
  }
}
