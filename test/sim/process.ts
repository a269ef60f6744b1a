import type { ProcessIdentity } from "../../src/engine/session.ts";
import type { Timeline } from "./timeline.ts";

/** Thrown into code whose process is dead; it has no errno, so that nobody takes it for a fault of the disk. */
export class Killed extends Error {
  constructor(process: SimProcess) {
    super(`${process.name} (pid ${process.identity.pid}) is dead`);
    this.name = "Killed";
  }
}

/** What may befall a process whenever it reaches for the world: it may kill it. */
export interface Fate {
  readonly reached: (process: SimProcess, call: string) => void;
}

/** One simulated process: what it does reaches the world only while it lives, and what it waits for comes only while it is not stopped. */
export class SimProcess {
  readonly name: string;
  readonly identity: ProcessIdentity;
  readonly #timeline: Timeline;
  readonly #fate: Fate;
  readonly #deaths: (() => void)[] = [];
  #held: (() => void)[] | null = null;
  #dead = false;
  /** Whether somebody has pressed Ctrl-C. */
  isInterrupted = false;

  constructor(timeline: Timeline, fate: Fate, named: { readonly name: string; readonly identity: ProcessIdentity }) {
    this.#timeline = timeline;
    this.#fate = fate;
    this.name = named.name;
    this.identity = named.identity;
  }

  get isAlive(): boolean {
    return !this.#dead;
  }

  get isStopped(): boolean {
    return this.#held !== null;
  }

  /** Every call of a port begins here: it throws where the process is dead, or dies of it. */
  reach(call: string): void {
    if (!this.#dead) this.#fate.reached(this, call);
    if (this.#dead) throw new Killed(this);
  }

  /**
   * A call that takes time: `work` happens at its end, all at once, and its result comes back. A dead process never hears of
   * it, and a stopped one when it goes on. Where the signal aborts first, the call rejects with the signal's reason.
   */
  async call<T>(
    call: string,
    options: { readonly ms: number; readonly signal?: AbortSignal },
    work: () => T,
  ): Promise<T> {
    this.reach(call);
    options.signal?.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      const abort = () => {
        unset();
        reject(options.signal?.reason as Error);
      };
      const unset = this.after(options.ms, () => {
        options.signal?.removeEventListener("abort", abort);
        try {
          this.reach(`${call} done`);
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      options.signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** A timer of the process: it does not go off once the process is dead, and late where it was stopped. */
  after(ms: number, happen: () => void): () => void {
    let isUnset = false;
    const goOff = () => {
      if (this.#dead || isUnset) return;
      if (this.#held !== null) {
        this.#held.push(goOff);
        return;
      }
      try {
        happen();
      } catch (error) {
        // Its own timer may be where it dies, and nobody else is to hear of that.
        if (!(error instanceof Killed && this.#dead)) throw error;
      }
    };
    const unset = this.#timeline.after(ms, goOff);
    return () => {
      isUnset = true;
      unset();
    };
  }

  /** Told once, when it dies. */
  onDeath(tell: () => void): void {
    this.#deaths.push(tell);
  }

  /** SIGKILL. */
  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const tell of this.#deaths) tell();
  }

  /** SIGSTOP. */
  stop(): void {
    this.#held ??= [];
  }

  /** SIGCONT. */
  go(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const goOff of held) this.#timeline.after(0, goOff);
  }
}
