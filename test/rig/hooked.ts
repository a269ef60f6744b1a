import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HookConfig } from "../../src/config/types.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { openHooks, type Hooks, type HooksOptions } from "../../src/hooks/hooks.ts";
import type { RunEntry } from "../../src/hooks/run-entry.ts";
import { zeroHash } from "../../src/journal/framing.ts";
import { redactor } from "../../src/base/redact.ts";
import { endProcessesOf, processesOf } from "./processes.ts";

/** Hooks without a run: the test says what happens, and when a driver begins and ends. */
export interface Hooked extends Disposable {
  /** The user's checkout. */
  readonly root: string;
  /** The run's folder. */
  readonly dir: string;
  /** What a person was told. */
  readonly warned: readonly string[];
  /** Opens them as a driver does that finds these events in the journal. */
  readonly open: (hooks: readonly HookConfig[], more?: Partial<HooksOptions>) => Hooks;
  /** The log, without its times. */
  readonly log: () => string[];
  /** Puts an executable script into the checkout. */
  readonly script: (name: string, text: string) => void;
  readonly processes: () => readonly string[];
}

export const run = "20261116-120000-work-ab12";

/** Waits that a test can sit out. */
export const quick = { backoffMs: [5, 5, 5], webhookMsMax: 10_000, drainMs: 30_000, hurryMs: 30_000 };

export const unhurried = new AbortController().signal;

export function createHooked(): Hooked {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stint-hooks-")));
  const [root, dir] = [join(folder, "repo"), join(folder, "run")];
  for (const made of [root, dir]) mkdirSync(made);
  const warned: string[] = [];
  return {
    root,
    dir,
    warned,
    open: (hooks, more = {}) =>
      openHooks({
        hooks,
        run,
        name: "work#1",
        plan: "work",
        dir,
        root,
        env: { PATH: process.env["PATH"], HOME: folder },
        redact: redactor([]),
        entries: [],
        whyNotApproved: () => undefined,
        warn: (message) => void warned.push(message.replaceAll(dir, "…")),
        times: quick,
        ...more,
      }),
    log: () => {
      const lines = readFileSync(join(dir, "hooks.log"), "utf8").trimEnd().split("\n");
      return lines.map((line) => line.slice(line.indexOf(" ") + 1));
    },
    script: (name, text) => writeFileSync(join(root, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 }),
    processes: () => processesOf(folder).map(({ command }) => command),
    [Symbol.dispose]: () => {
      endProcessesOf(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A line of a journal. */
export function entry(seq: number, event: RunEvent): RunEntry {
  return { v: 1, seq, epoch: 1, at: "2026-11-16T12:00:00.000Z", prev: zeroHash, hash: zeroHash, ...event };
}

export const integrated = (seq: number, task = "01-a") =>
  entry(seq, { type: "task-integrated", task, attempt: 1, commit: "c".repeat(40) });
