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
import { type Cursor, hookKey, readCursor, removeCursor, writeCursor } from "./cursor.ts";
import { type HookLog, openHookLog } from "./log.ts";
import { matchedName } from "./match.ts";
import { type Message, messageOf } from "./message.ts";
import { openQueue, type Outcome, type Queue } from "./queue.ts";
import { post } from "./webhook.ts";

/** Whom to tell, of which run, and how. */
export interface HooksOptions {
  readonly hooks: readonly HookConfig[];
  readonly run: string;
  readonly plan: string;
  /** Of the run, in the state folder. */
  readonly dir: string;
  /** Of the user's checkout. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redactor;
  /** What the journal holds already. */
  readonly entries: readonly RunEntry[];
  /** Why a command is not what was approved, or undefined; asked before each time it runs. */
  readonly whyNotApproved: (command: readonly string[]) => string | undefined;
  /** Told of the first failure of each hook. */
  readonly warn: (message: string) => void;
  /** Where the usual times do not hold. */
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

/** Those who are told of a run's events while this process drives it. Whatever becomes of them, the run goes on. */
export interface Hooks {
  readonly hear: (entry: RunEntry) => void;
  /** Gives them a while to hear the rest, a short one once the signal aborts; what is left then is for the next driver. */
  readonly end: (signal: AbortSignal) => Promise<void>;
}

/** Begins with what an earlier driver left unsaid; a hook that no driver knew before hears from now on. */
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
    if (!written.ok) log.note(`what was delivered could not be written down: ${written.failure.message}`);
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
      for (const { tellOfRest } of listeners) tellOfRest();
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
  /** Says what is left for the next driver, if anything is. */
  readonly tellOfRest: () => void;
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
  const { note, fail, tellOfRest } = voiceOf(options);
  const queue = openQueue({
    ...deliveryOf(options),
    backoffMs: hook.command === undefined ? times.backoffMs : [],
    failedOnce: (message, why) => note(message, `${why}; tried again`),
    settled: (message, outcome) => {
      if (outcome.kind === "delivered") note(message, "delivered");
      else fail(message, outcome.why);
      moved(message.seq);
    },
    dropped: (message) => fail(message, `has not heard of an event, because ${hooksLimits.hookQueueMax} others wait`),
  });
  const hear = (entry: RunEntry) => {
    const name = matchedName(hook, entry);
    if (name !== undefined) queue.add(messageOf(entry, { run, plan, name }));
  };
  return { key, queue, hear, tellOfRest: () => tellOfRest(queue.left()) };
}

/** All goes to the log; of what fails, a person hears the first. */
function voiceOf({ hook, at, run, redact, log, warn }: ListenerOptions) {
  const label = `hook ${at + 1} (${targetOf(hook)})`;
  let isTold = false;
  const note = (message: Message, words: string) =>
    log.note(redact.text(`${label}, ${message.name}, event ${message.seq}: ${words}`));
  const fail = (message: Message, why: string) => {
    note(message, why);
    if (!isTold) warn(redact.text(`${label} ${why}. The run goes on; ${log.file} has the rest.`));
    isTold = true;
  };
  const tellOfRest = (left: number) => {
    if (left === 0) return;
    log.note(`${label}: ${left} left for the next driver`);
    warn(
      `${label} has not heard of ${plural(left, "event")} yet. \`stint resume ${run}\` tries again; ${log.file} says why.`,
    );
  };
  return { note, fail, tellOfRest };
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
    // One that a dead driver left running is told the same again, and two of them would be in each other's way.
    prepare: async () => await endLeftovers({ marker: marker.join("=") }),
    deliver: async (message, signal) => {
      const why = whyNotApproved(command);
      if (why !== undefined) return { kind: "failed", why: `is not run: ${why}`, again: false };
      return await runProgram(asked, message, signal);
    },
  };
}

/** Most hear the rest within a moment; a person who has to wait longer is told why, and can end it. */
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
    warn(`hooks have not heard all yet and get another ${leftMs / 1000} s. Ctrl-C ends that.`);
    await Promise.race([settlesWithin(idle, leftMs), aborted]);
    over.abort();
  }
  for (const { queue } of listeners) queue.stop();
  await idle;
}
