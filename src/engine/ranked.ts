/** Ids in the order of their ranks, of which no two are the same: the first can be had without sorting ten thousand at every event. */
export class Ranked {
  readonly #rankOf: (id: string) => number;
  readonly #ids: string[] = [];

  constructor(rankOf: (id: string) => number, ids: Iterable<string>) {
    this.#rankOf = rankOf;
    for (const id of ids) this.add(id);
  }

  add(id: string): void {
    const at = this.#positionOf(id);
    if (this.#ids[at] !== id) this.#ids.splice(at, 0, id);
  }

  delete(id: string): void {
    const at = this.#positionOf(id);
    if (this.#ids[at] === id) this.#ids.splice(at, 1);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#ids.values();
  }

  /** Of the first id that does not come before this one. */
  #positionOf(id: string): number {
    const rank = this.#rankOf(id);
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rankOf(this.#ids[middle] ?? "") < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
