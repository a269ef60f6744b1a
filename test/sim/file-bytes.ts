import type { Dice } from "../rounds/dice.ts";

/** The smallest unit a disk writes at once. */
export const sectorBytes = 512;

/** Bytes that can grow without being copied at every append. */
class Bytes {
  #room = Buffer.alloc(0);
  size = 0;

  part(from: number, to: number): Buffer {
    return this.#room.subarray(from, Math.min(to, this.size));
  }

  put(bytes: Uint8Array, at: number): void {
    this.resize(Math.max(this.size, at + bytes.byteLength));
    this.#room.set(bytes, at);
  }

  /** What is new at the end is zeros. */
  resize(size: number): void {
    if (size > this.#room.byteLength) {
      const room = Buffer.alloc(Math.max(256, 2 * size));
      room.set(this.part(0, this.size));
      this.#room = room;
    }
    if (size > this.size) this.#room.fill(0, this.size, size);
    this.size = size;
  }

  zero(from: number, to: number): void {
    this.#room.fill(0, from, Math.min(to, this.size));
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The bytes of one file: those that readers see and those that power loss would leave. */
export class FileBytes {
  readonly #seen = new Bytes();
  readonly #stored = new Bytes();
  /** Up to here both are alike, but for what was lost. */
  #alike = 0;
  /** What a failed fsync dropped: the kernel takes it for stored, so no later fsync will store it. */
  #lost: Span[] = [];

  get size(): number {
    return this.#seen.size;
  }

  /** A view, to be copied by whoever keeps it. */
  part(from: number, to: number): Buffer {
    return this.#seen.part(from, to);
  }

  write(bytes: Uint8Array, at: number): void {
    if (bytes.byteLength === 0) return;
    this.#alike = Math.min(this.#alike, at, this.#seen.size);
    this.#forget({ from: at, to: at + bytes.byteLength });
    this.#seen.put(bytes, at);
  }

  /** What was lost is to be stored again; all else is what it was. */
  rewrite(bytes: Uint8Array, at: number): void {
    const span = { from: at, to: at + bytes.byteLength };
    if (!this.#seen.part(span.from, span.to).equals(bytes)) throw new Error("Internal error: expected the same bytes");
    const again = this.#lost.filter(({ from, to }) => from < span.to && to > span.from);
    this.#alike = Math.min(this.#alike, ...again.map(({ from }) => Math.max(from, span.from)));
    this.#forget(span);
  }

  /** The kernel may have stored some of what is cut now, whenever it liked. */
  truncate(size: number, dice: Dice): void {
    if (size === this.#seen.size) return;
    if (dice.chance(0.5)) this.#storeSome(dice);
    this.#alike = Math.min(this.#alike, size);
    this.#forget({ from: size, to: Infinity });
    this.#seen.resize(size);
  }

  sync(dice: Dice): void {
    if (this.#isStored) return;
    this.#store(this.#seen.size, dice);
    this.#alike = Math.min(this.#seen.size, this.#stored.size);
  }

  /** Some whole sectors may have been stored before the error; the rest never will be. */
  failSync(dice: Dice): void {
    const to = this.#seen.size;
    const from = dice.chance(0.6) ? this.#alike : sectorEdge(dice, { from: this.#alike, to });
    if (from < to) this.#lost.push({ from, to });
  }

  losePower(dice: Dice): void {
    if (!this.#isStored) this.#storeSome(dice);
    this.#seen.resize(0);
    this.#seen.put(this.#stored.part(0, this.#stored.size), 0);
    this.#alike = this.#seen.size;
    this.#lost = [];
  }

  get #isStored(): boolean {
    const size = this.#seen.size;
    return this.#alike === size && this.#stored.size === size && this.#lost.length === 0;
  }

  /** Any part of what was not synced: none, all, a prefix, or the whole size with zeros for sectors that were not written. */
  #storeSome(dice: Dice): void {
    const unsynced = { from: this.#alike, to: this.#seen.size };
    // Cutting and overwriting is one step of its own, and may not have been taken yet.
    if (this.#stored.size > unsynced.from && dice.chance(0.5)) return;
    switch (dice.below(5)) {
      case 0:
        return this.#store(unsynced.from, dice);
      case 1:
        return this.#store(unsynced.to, dice);
      case 2:
        return this.#store(unsynced.from + dice.below(unsynced.to - unsynced.from + 1), dice);
      case 3: {
        const edge = sectorEdge(dice, unsynced);
        this.#store(unsynced.to, dice);
        return this.#stored.zero(edge, unsynced.to);
      }
      default:
        this.#store(unsynced.to, dice);
        for (const sector of sectorsOf(unsynced)) if (dice.chance(0.5)) this.#stored.zero(sector.from, sector.to);
    }
  }

  #store(size: number, dice: Dice): void {
    this.#stored.resize(this.#alike);
    this.#stored.put(this.#seen.part(this.#alike, size), this.#alike);
    for (const { from, to } of this.#lost) this.#stored.zero(from, to);
    const last = this.#lost.find(({ from, to }) => from < size && to >= size);
    // The size of a file is stored on its own, so that bytes lost at the end are zeros or not there at all.
    if (last !== undefined && dice.chance(0.5)) this.#stored.resize(last.from);
  }

  #forget(span: Span): void {
    if (this.#lost.length === 0) return;
    const around = this.#lost.flatMap(({ from, to }) => [
      { from, to: Math.min(to, span.from) },
      { from: Math.max(from, span.to), to },
    ]);
    this.#lost = around.filter(({ from, to }) => from < to);
  }
}

/** Where the sectors of a part of a file begin and end. */
function sectorsOf({ from, to }: Span): Span[] {
  const sectors: Span[] = [];
  for (let at = from; at < to;) {
    const end = Math.min(to, (Math.floor(at / sectorBytes) + 1) * sectorBytes);
    sectors.push({ from: at, to: end });
    at = end;
  }
  return sectors;
}

/** Where a part may break off: at its start or at that of any sector in it. */
function sectorEdge(dice: Dice, span: Span): number {
  return span.from === span.to ? span.from : dice.pick(sectorsOf(span)).from;
}
