import { join } from "node:path";
import { settlesWithin } from "../process/deadline.ts";
import { endLeftovers } from "../process/supervise.ts";
import { shownAddress } from "../config/show.ts";
import type { HookConfig } from "../config/types.ts";
import { hooksLimits } from "./limits.ts";
import { plural } from "../base/plural.ts";
import type { Redactor } from "../base/redact.ts";
import type { RunEntry } from "./run-entry.ts";
import { runProgram } from "./command.ts";
import { hookKey, readCursor, removeCursor, writeCursor, type Cursor } from "./cursor.ts";
import { openHookLog, type HookLog } from "./log.ts";
import { matchedName, messageOf, type Message } from "./message.ts";
import { openQueue, type Outcome, type Queue } from "./queue.ts";
import { post } from "./webhook.ts";

/** Which hooks to notify of which run, and how. */
export interface HooksOptions {
  readonly hooks: readonly HookConfig[];
  readonly run: string;
  /** What people call the run, like `invoices#3`. */
  readonly name: string;
  readonly plan: string;
  /** The folder of the run, in the state folder. */
  readonly dir: string;
  /** The root of the user's checkout. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redactor;
  /** The journal has these entries already. */
  readonly entries: readonly RunEntry[];
  /** Why a command is not what was approved, or undefined; checked each time before it runs. */
  readonly whyNotApproved: (command: readonly string[]) => string | undefined;
  /** Gets the first failure of each hook. */
  readonly warn: (message: string) => void;
  /** Overrides for the usual times. */
  readonly times?: Partial<HookTimes> | undefined;
}

/** How long a hook may take. */
export interface HookTimes {
  readonly webhookMsMax: number;
  readonly commandMsMax: number;
  readonly backoffMs: readonly number[];
  readonly drainMs: number;
  readonly hurryMs: number;
}

/** The hooks of a run while this process drives it. Whatever happens to them, the run continues. */
export interface Hooks {
  readonly hear: (entry: RunEntry) => void;
  /** Gives them a while for the remaining events, a short one once the signal aborts; the next driver delivers the rest. */
  readonly end: (signal: AbortSignal) => Promise<void>;
}

/** Starts with the events an earlier driver did not deliver; a new hook gets events from now on. */
export function openHooks(options: HooksOptions): Hooks {
  const { dir, entries, warn } = options;
  const hooks = new Map(options.hooks.map((hook, at) => [hookKey(hook), { hook, at }]));
  if (hooks.size === 0) {
    removeCursor(dir);
    return { hear: () => undefined, end: async () => undefined };
  }
  const before = readCursor(dir);
  let seen = entries.at(-1)?.seq ?? 0;
  const cursor: Cursor = new Map([...hooks.keys()].map((key) => [key, before.get(key) ?? seen]));
  const log = openHookLog(dir);
  const save = () => {
    const written = writeCursor(dir, cursor);
    if (!written.ok) log.note(`the progress of deliveries could not be saved: ${written.failure.message}`);
  };
  save();
  const listeners = [...hooks].map(([key, { hook, at }]) => {
    const moved = (seq: number) => {
      cursor.set(key, seq);
      save();
    };
    return openListener({ ...options, hook, at, key, log, moved, times: { ...usualTimes, ...options.times } });
  });
  for (const { key, hear } of listeners) entries.filter(({ seq }) => seq > cursor.get(key)!).forEach(hear);
  return {
    hear: (entry) => {
      seen = entry.seq;
      for (const { hear } of listeners) hear(entry);
    },
    end: async (signal) => {
      await drain(listeners, { ...usualTimes, ...options.times }, { signal, warn });
      for (const { key, queue } of listeners) if (queue.left() === 0) cursor.set(key, seen);
      save();
      for (const { reportRest } of listeners) reportRest();
    },
  };
}

const usualTimes: HookTimes = {
  webhookMsMax: hooksLimits.hookWebhookMsMax,
  commandMsMax: hooksLimits.hookCommandMsMax,
  backoffMs: hooksLimits.hookBackoffMs,
  drainMs: hooksLimits.hookDrainMs,
  hurryMs: hooksLimits.hookHurryMs,
};

interface Listener {
  readonly key: string;
  readonly queue: Queue;
  readonly hear: (entry: RunEntry) => void;
  /** Reports what is left for the next driver, if anything is. */
  readonly reportRest: () => void;
}

interface ListenerOptions extends Omit<HooksOptions, "times"> {
  readonly hook: HookConfig;
  /** Its place in the settings. */
  readonly at: number;
  readonly key: string;
  readonly log: HookLog;
  readonly moved: (seq: number) => void;
  readonly times: HookTimes;
}

function openListener(options: ListenerOptions): Listener {
  const { hook, key, run, plan, moved, times } = options;
  const { note, fail, reportRest } = voiceOf(options);
  const queue = openQueue({
    ...deliveryOf(options),
    backoffMs: hook.command === undefined ? times.backoffMs : [],
    failedOnce: (message, why) => note(message, `${why}; retrying`),
    settled: (message, outcome) => {
      if (outcome.kind === "delivered") note(message, "delivered");
      else fail(message, outcome.why);
      moved(message.seq);
    },
    dropped: (message) => fail(message, `missed an event, because ${hooksLimits.hookQueueMax} others are waiting`),
  });
  const hear = (entry: RunEntry) => {
    const name = matchedName(hook, entry);
    if (name !== undefined) queue.add(messageOf(entry, { run, plan, name }));
  };
  return { key, queue, hear, reportRest: () => reportRest(queue.left()) };
}

/** Everything goes to the log; a person is warned of the first failure. */
function voiceOf({ hook, at, name, redact, log, warn }: ListenerOptions) {
  const label = `hook ${at + 1} (${targetOf(hook)})`;
  let isWarned = false;
  const note = (message: Message, words: string) =>
    log.note(redact.text(`${label}, ${message.name}, event ${message.seq}: ${words}`));
  const fail = (message: Message, why: string) => {
    note(message, why);
    if (!isWarned) warn(redact.text(`${label} ${why}. The run continues; details are in ${log.file}.`));
    isWarned = true;
  };
  const reportRest = (left: number) => {
    if (left === 0) return;
    log.note(`${label}: ${left} left for the next driver`);
    warn(
      `${label} has not received ${plural(left, "event")} yet. \`stint resume ${name}\` retries; ${log.file} says why.`,
    );
  };
  return { note, fail, reportRest };
}

function targetOf({ webhook, command = [] }: HookConfig): string {
  return webhook === undefined ? command.join(" ") : shownAddress(webhook);
}

interface Delivery {
  readonly prepare: () => Promise<unknown>;
  readonly deliver: (message: Message, signal: AbortSignal) => Promise<Outcome>;
}

function deliveryOf(options: ListenerOptions): Delivery {
  const { hook, at, key, run, dir, times, whyNotApproved } = options;
  const { webhook, command = [] } = hook;
  if (webhook !== undefined) {
    return {
      prepare: async () => undefined,
      deliver: async (message, signal) => await post(webhook, message, { msMax: times.webhookMsMax, signal }),
    };
  }
  const marker = ["STINT_HOOK_ID", `${run}/${key}`] as const;
  const logFile = join(dir, `hook-${at + 1}.log`);
  const asked = { ...options, command, marker, logFile, msMax: times.commandMsMax };
  return {
    // A program that a dead driver left running would get the same event again, and two of them would interfere.
    prepare: async () => await endLeftovers({ marker: marker.join("=") }),
    deliver: async (message, signal) => {
      const why = whyNotApproved(command);
      if (why !== undefined) return { kind: "failed", why: `was not run: ${why}`, again: false };
      return await runProgram(asked, message, signal);
    },
  };
}

/** Most hooks finish within a moment; a person who has to wait longer sees why, and can end it. */
async function drain(
  listeners: readonly Listener[],
  { drainMs, hurryMs }: HookTimes,
  { signal, warn }: { readonly signal: AbortSignal; readonly warn: (message: string) => void },
): Promise<void> {
  const idle = Promise.all(listeners.map(({ queue }) => queue.idle()));
  const isOver = await settlesWithin(idle, Math.min(hurryMs, drainMs));
  const leftMs = drainMs - hurryMs;
  if (!isOver && !signal.aborted && leftMs > 0) {
    const over = new AbortController();
    const aborted = new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { signal: over.signal });
    });
    warn(`waiting up to ${leftMs / 1000} s for hooks to receive the remaining events. Ctrl-C skips this.`);
    await Promise.race([settlesWithin(idle, leftMs), aborted]);
    over.abort();
  }
  for (const { queue } of listeners) queue.stop();
  await idle;
}
