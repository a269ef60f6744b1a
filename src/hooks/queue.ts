import { setTimeout as sleep } from "node:timers/promises";
import { hooksLimits } from "./limits.ts";
import type { Message } from "./message.ts";

/** What became of one try, or of all of them. */
export type Outcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed"; readonly why: string; readonly again: boolean }
  /** Stint is ending; whether it arrived is unknown. */
  | { readonly kind: "aborted" };

/** How a message is delivered, and what is called with the result. */
export interface QueueOptions {
  /** This is called once, before the first message. */
  readonly prepare: () => Promise<unknown>;
  readonly deliver: (message: Message, signal: AbortSignal) => Promise<Outcome>;
  /** Waits between tries. */
  readonly backoffMs: readonly number[];
  /** Called for each failure that is retried. */
  readonly failedOnce: (message: Message, why: string) => void;
  /** Called for each message that arrived or was given up, in order. */
  readonly settled: (message: Message, outcome: Exclude<Outcome, { kind: "aborted" }>) => void;
  readonly dropped: (message: Message) => void;
}

/** Delivers messages one at a time, in order, in the background. */
export interface Queue {
  readonly add: (message: Message) => void;
  /** How many have neither arrived nor been given up. */
  readonly left: () => number;
  /** Resolves when none is left, or when it was stopped. */
  readonly idle: () => Promise<void>;
  /** Aborts the current delivery and starts no more. */
  readonly stop: () => void;
}

export function openQueue(options: QueueOptions): Queue {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting: Message[] = [];
  let underWay: Message | undefined;
  let pump: Promise<void> | undefined;
  let prepared: Promise<unknown> | undefined;
  const work = async (): Promise<void> => {
    await (prepared ??= options.prepare().catch(() => undefined));
    while (!signal.aborted && (underWay = waiting.shift()) !== undefined) {
      const outcome = await deliverAtLast(underWay, options, signal);
      if (outcome.kind === "aborted") break;
      options.settled(underWay, outcome);
      underWay = undefined;
    }
    pump = undefined;
  };
  return {
    add: (message) => {
      waiting.push(message);
      const oldest = waiting.length > hooksLimits.hookQueueMax ? waiting.shift() : undefined;
      if (oldest !== undefined) options.dropped(oldest);
      pump ??= work();
    },
    left: () => waiting.length + (underWay === undefined ? 0 : 1),
    idle: async () => await pump,
    stop: () => stopping.abort(),
  };
}

async function deliverAtLast(
  message: Message,
  { deliver, backoffMs, failedOnce }: QueueOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  // Even a bug of ours in here must not reach the run.
  const attempt = async (): Promise<Outcome> =>
    await deliver(message, signal).catch((error: Error) => ({ kind: "failed", why: error.message, again: false }));
  for (const waitMs of backoffMs) {
    const outcome = await attempt();
    if (outcome.kind !== "failed" || !outcome.again) return outcome;
    failedOnce(message, outcome.why);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { kind: "aborted" };
  }
  return await attempt();
}
