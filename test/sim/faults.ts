import type { Dice } from "../rounds/dice.ts";
import { errno, type Call } from "./errno.ts";

/** What is wrong with a disk now; a number is the probability at one call. */
export interface Faults {
  /** Writes are short or fail, and nothing can be created. */
  full: boolean;
  failWrite: number;
  failFsync: number;
  failRead: number;
  /** Of rename, unlink, mkdir and of an open that creates. */
  failName: number;
  /** That a write kills its process in the middle. */
  tornKill: number;
}

export function noFaults(): Faults {
  return { full: false, failWrite: 0, failFsync: 0, failRead: 0, failName: 0, tornKill: 0 };
}

/** Rolls the dice over the faults of a disk. */
export class Trouble {
  readonly #dice: Dice;
  readonly #faultsNow: () => Faults;

  constructor(dice: Dice, faultsNow: () => Faults) {
    this.#dice = dice;
    this.#faultsNow = faultsNow;
  }

  strikes(fault: Exclude<keyof Faults, "full">): boolean {
    const probability = this.#faultsNow()[fault];
    return probability > 0 && this.#dice.chance(probability);
  }

  read(call: Call): void {
    if (this.strikes("failRead")) throw errno("EIO", call);
  }

  name(call: Call): void {
    if (this.strikes("failName")) throw errno("EIO", call);
  }

  newName(call: Call): void {
    if (this.#faultsNow().full) throw errno("ENOSPC", call);
    this.name(call);
  }

  /** How many of so many bytes there is room for. */
  room(count: number): number {
    if (this.strikes("failWrite")) throw errno("EIO", { syscall: "write" });
    if (!this.#faultsNow().full || count === 0) return count;
    if (count === 1 || this.#dice.chance(0.5)) throw errno("ENOSPC", { syscall: "write" });
    return 1 + this.#dice.below(count - 1);
  }

  /** Why an fsync fails, if it does: a full disk may only tell then, since it looks for room as late as it can. */
  fsync(): Error | undefined {
    if (this.strikes("failFsync")) return errno("EIO", { syscall: "fsync" });
    return this.#faultsNow().full && this.#dice.chance(0.1) ? errno("ENOSPC", { syscall: "fsync" }) : undefined;
  }
}
