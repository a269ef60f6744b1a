import { expect, test } from "vitest";
import type { FilePort } from "../../../src/journal/file-port.ts";
import { type Journal, openJournal } from "../../../src/journal/journal.ts";
import { newDisk, newProcess } from "../../sim/disk-rig.ts";
import type { Disk } from "../../sim/disk.ts";

const path = "/state/runs/one/journal.jsonl";
const at = "2026-11-15T22:00:00.000Z";
const seeds = 4;
/** More than a life makes. */
const callsMax = 120;

test("power loss before any call of a life keeps every acknowledged entry", () => {
  const { acknowledged, lost, damaged, repaired } = losses((files) => files);
  expect(acknowledged).toBeGreaterThan(1500);
  expect({ lost, damaged }).toEqual({ lost: 0, damaged: 0 });
  expect(repaired).toBeGreaterThan(0);
});

test("with faults of every kind before it, too", () => {
  const { acknowledged, lost, damaged } = losses((files, disk) => {
    Object.assign(disk.faults, { failWrite: 0.03, failFsync: 0.05, failRead: 0.02, failName: 0.02, tornKill: 0.02 });
    return files;
  });
  expect(acknowledged).toBeGreaterThan(500);
  expect({ lost, damaged }).toEqual({ lost: 0, damaged: 0 });
});

test.each<[string, (files: FilePort) => FilePort]>([
  ["fsync", (files) => ({ ...files, fsync: () => {} })],
  ["fsync of folders", (files) => ({ ...files, fsyncDir: () => {} })],
])("without %s entries would be lost", (_name, mutate) => {
  const { lost } = losses(mutate);
  expect(lost).toBeGreaterThan(20);
});

test("a folder that a killed process had made, but not synced, is synced by the next one", () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const disk = newDisk(seed, ["/state"]);
    const killed = newProcess("one", (process, call) => {
      if (call === "fsyncDir /state") process.kill();
    });
    expect(() => openJournal(disk.files(killed), path)).toThrow("one (pid 211) is dead");
    expect(disk.list("/state")).toEqual(["runs"]);
    const acknowledged: number[] = [];
    appendSome(disk.files(newProcess("two")), acknowledged);
    disk.powerLoss();
    const opened = openJournal(disk.files(newProcess("next")), path);
    expect(opened.ok && opened.value.entries.map((entry) => entry["n"])).toEqual(acknowledged);
  }
});

interface Losses {
  acknowledged: number;
  lost: number;
  damaged: number;
  repaired: number;
}

/** Lets lives end by power loss before each of their calls, and counts what a reader finds of what they were told is durable. */
function losses(view: (files: FilePort, disk: Disk) => FilePort): Losses {
  const sum: Losses = { acknowledged: 0, lost: 0, damaged: 0, repaired: 0 };
  for (let seed = 0; seed < seeds; seed += 1) {
    for (let last = 0; last < callsMax; last += 1) {
      const disk = newDisk(seed * callsMax + last, ["/state"]);
      const acknowledged = live(disk, last, view);
      disk.powerLoss();
      disk.faults = { full: false, failWrite: 0, failFsync: 0, failRead: 0, failName: 0, tornKill: 0 };
      const opened = openJournal(disk.files(newProcess("next")), path);
      const found = opened.ok ? opened.value.entries.map((entry) => Number(entry["n"])) : [];
      sum.acknowledged += acknowledged.length;
      sum.lost += acknowledged.filter((n) => !found.includes(n)).length;
      if (!opened.ok) sum.damaged += 1;
      else if (opened.value.repaired !== undefined) sum.repaired += 1;
    }
  }
  return sum;
}

/** Two processes, one after the other, append until the power goes; returns what they were told is durable. */
function live(disk: Disk, last: number, view: (files: FilePort, disk: Disk) => FilePort): number[] {
  const acknowledged: number[] = [];
  let calls = 0;
  for (const name of ["one", "two"]) {
    const process = newProcess(name, (process) => {
      if (calls === last || (name === "one" && calls === last - 30)) process.kill();
      calls += 1;
    });
    try {
      appendSome(view(disk.files(process), disk), acknowledged);
    } catch {
      expect(process.isAlive).toBe(false);
    }
  }
  return acknowledged;
}

function appendSome(files: FilePort, acknowledged: number[]): void {
  const opened = openJournal(files, path);
  if (!opened.ok) return;
  for (const entry of opened.value.entries) acknowledged.push(Number(entry["n"]));
  for (let count = 0; count < 6; count += 1) appendOne(opened.value.journal, acknowledged);
}

function appendOne(journal: Journal, acknowledged: number[]): void {
  const n = acknowledged.length;
  const event = { type: "test", n, text: "x".repeat((n * 397) % 1400) };
  if (journal.append(event, at).ok) acknowledged.push(n);
}
