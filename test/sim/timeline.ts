interface Happening {
  readonly at: number;
  readonly happen: () => void;
}

/** Virtual time: whatever is going to happen, in the order in which it will. */
export class Timeline {
  #elapsed = 0;
  #set = Date.parse("2026-11-15T22:00:00.000Z");
  readonly #ahead: Happening[] = [];

  /** Milliseconds since the beginning, by a clock that nobody can set. */
  elapsed(): number {
    return this.#elapsed;
  }

  /** The time by the wall clock. */
  wall(): number {
    return this.#set + this.#elapsed;
  }

  /** Somebody sets the wall clock. */
  jump(ms: number): void {
    this.#set += ms;
  }

  /** Lets something happen so many milliseconds from now, unless the returned function is called first. */
  after(ms: number, happen: () => void): () => void {
    const happening = { at: this.#elapsed + Math.max(0, ms), happen };
    // What is due at the same time happens in the order it was asked for.
    let place = this.#ahead.length;
    while (place > 0 && this.#ahead[place - 1]!.at > happening.at) place -= 1;
    this.#ahead.splice(place, 0, happening);
    return () => {
      const found = this.#ahead.indexOf(happening);
      if (found !== -1) this.#ahead.splice(found, 1);
    };
  }

  /** Lets the next thing happen, and all that follows from it at once; false where nothing is ahead. */
  async step(): Promise<boolean> {
    // Whoever has just begun may not have got as far as to wait for anything.
    if (this.#ahead.length === 0) await followUp();
    const next = this.#ahead.shift();
    if (next === undefined) return false;
    this.#elapsed = next.at;
    next.happen();
    await followUp();
    return true;
  }
}

/** All that follows without waiting for anything has happened then. */
async function followUp(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
