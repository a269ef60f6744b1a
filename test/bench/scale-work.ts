import { hash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { decide } from "../../src/engine/decide.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { fold } from "../../src/engine/evolve.ts";
import { realFiles, type FilePort } from "../../src/journal/file-port.ts";
import { readFrom } from "../../src/journal/follow.ts";
import type { RunEntry } from "../../src/hooks/run-entry.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { journalStart } from "../../src/journal/scan.ts";
import { TrainWorld } from "../rig/train-world.ts";
import { planShapes, type PlanShape } from "./scale-plans.ts";

declare const gc: () => void;
/** So that it is not collected. */
const kept: unknown[] = [];
const at = "2026-11-15T20:17:33.000Z";

/** One measurement in a process of its own, so that memory is that of this work alone; the answer is one line of JSON. */
const [work, ...words] = process.argv.slice(2);
const jobs = { schedule, journal };
const job = jobs[work as keyof typeof jobs];
console.log(
  JSON.stringify({ ...job(...(words as [string, string, string])), rssMax: process.resourceUsage().maxRSS / 1024 }),
);

/**
 * A plan to its end by the shipped engine, on 8 lanes, as the driver asks it: `decide` after every event. Time is that of
 * the processor, and small plans are run until their events are as many: neither load nor compilation counts for one only.
 */
function schedule(shape: string, count: string) {
  const tasks = planShapes[shape as PlanShape](Number(count));
  const costs = [];
  let events: readonly RunEvent[] = [];
  play(planShapes.layers(1_000));
  for (let done = 0; done < 10_000; done += tasks.length) {
    const played: ReturnType<typeof play>[] = [];
    const ms = worked(() => played.push(play(tasks)));
    for (const { world, deciding } of played) {
      costs.push({ event: (ms * 1000) / world.events.length, decision: deciding });
      events = world.events;
    }
  }
  return { ...medians(costs), events: events.length, last: events.at(-1)?.type, heap: heapOf(() => fold(events)) };
}

function medians(costs: readonly { event: number; decision: number }[]) {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return {
    usPerEvent: middle(costs.map(({ event }) => event)),
    usPerDecision: middle(costs.map(({ decision }) => decision)),
  };
}

function play(tasks: ReturnType<(typeof planShapes)["wide"]>) {
  let state = 7;
  const chance = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const world = new TrainWorld(tasks, { parallel: 8 }, { chance, resultOf: () => "passed" });
  const half = tasks.length * 4.5;
  let deciding = 0;
  while (world.begin()) {
    world.step();
    if (deciding === 0 && world.events.length > half) deciding = decisionUs(world);
  }
  return { world, deciding };
}

/** Half-way, where as much is ready as is done. */
function decisionUs({ state }: TrainWorld): number {
  const ms = worked(() => {
    for (let round = 0; round < 1_000; round += 1) decide(state);
  });
  return ms;
}

/** Megabytes that something new keeps alive. */
function heapOf(make: () => unknown): number {
  gc();
  const before = process.memoryUsage().heapUsed;
  kept.push(make());
  gc();
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
}

/** The events of a plan appended, read and folded; with and without waiting for the disk. */
function journal(path: string, count: string, tip: string) {
  const { events: played, state } = play(planShapes.layers(Number(count))).world;
  const events = played.map((event) => withObjectNames(event, new Map([[state.tip, tip]])));
  mkdirSync(dirname(path), { recursive: true });
  const synced = Math.min(events.length, 1_000);
  const floor = bareMs(`${path}.bare`, events.slice(0, synced));
  const durable = timed(() => append(`${path}.synced`, events.slice(0, synced), realFiles));
  const framed = worked(() => append(path, events, { ...realFiles, fsync: () => {} }));
  const entries: RunEvent[] = [];
  let [scanned, folded] = [0, 0];
  const entriesHeap = heapOf(() => (scanned = worked(() => scanAll(path).forEach((entry) => entries.push(entry)))));
  const stateHeap = heapOf(() => (folded = worked(() => void kept.push(fold(entries)))));
  const bytes = realFiles.stat(path)?.size ?? 0;
  return { events: events.length, bytes, synced, floor, durable, framed, scanned, folded, stateHeap, entriesHeap };
}

/** Gives commits names that git knows, or at least accepts: `stint status` asks it about the tip. */
function withObjectNames(event: RunEvent, known: ReadonlyMap<string, string>): RunEvent {
  return JSON.parse(JSON.stringify(event), (_, value: unknown) =>
    typeof value === "string" && /^(base|t\d+\.\d+)$/.test(value) ? (known.get(value) ?? hash("sha1", value)) : value,
  );
}

function append(path: string, events: readonly RunEvent[], files: FilePort): void {
  const opened = openJournal(files, path);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { journal } = opened.value;
  for (const event of events) if (!journal.append(event, at).ok) throw new Error("not appended");
  journal.close();
}

/** The least that a durable log of the same events costs: one write and one fsync each. */
function bareMs(path: string, events: readonly RunEvent[]): number {
  writeFileSync(path, "");
  const fd = openSync(path, "a");
  const taken = timed(() => {
    for (const event of events) {
      writeSync(fd, `${JSON.stringify(event)}\n`);
      fsyncSync(fd);
    }
  });
  closeSync(fd);
  return taken;
}

function scanAll(path: string): readonly RunEvent[] {
  const read = readFrom(realFiles, path, journalStart);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value.entries as readonly RunEntry[];
}

/** By the clock: what waits for the disk uses no processor. */
function timed(step: () => void): number {
  const begun = performance.now();
  step();
  return performance.now() - begun;
}

/** Milliseconds of the processor, which a machine that has other work does not lengthen. */
function worked(step: () => void): number {
  const begun = process.cpuUsage();
  step();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
