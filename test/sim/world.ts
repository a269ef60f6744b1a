import type { RunSettings } from "../../src/engine/events.ts";
import type { Paths } from "../../src/project/paths.ts";
import type { Redactor } from "../../src/base/redact.ts";
import { diceOf, type Dice } from "../rounds/dice.ts";
import { Agents } from "./agents.ts";
import { honestHabits, noFaults, someFaults, wildHabits, type Faults, type Habits } from "./chances.ts";
import { Disk } from "./disk.ts";
import { noFaults as soundDisk } from "./faults.ts";
import { Invariants } from "./invariants.ts";
import { Revisions } from "./planner.ts";
import { scenarioOf, type Scenario } from "./plans.ts";
import { SimProcess } from "./process.ts";
import { Repository } from "./repository.ts";
import { Rooms } from "./rooms.ts";
import type { Surroundings } from "./surroundings.ts";
import { Timeline } from "./timeline.ts";

/** Nobody has secrets here. */
export const unredacted: Redactor = {
  text: (text) => text,
  value: (json) => json,
  stream: () => ({ write: (chunk) => chunk, end: () => Buffer.alloc(0) }),
};

interface Doom {
  readonly calls: number;
  readonly from?: RegExp | undefined;
  /** What happens when it is dead. */
  readonly aftermath?: () => void;
}

const home = "/repo/.git/stint";

/** Everything that outlives a process: disk, repository, agents, time, and what was seen. */
export class World implements Surroundings {
  readonly dice: Dice;
  readonly scenario: Scenario;
  readonly timeline = new Timeline();
  readonly disk: Disk;
  readonly repository = new Repository();
  readonly agents = new Agents();
  readonly rooms = new Rooms();
  readonly revisions = new Revisions();
  faults: Faults = someFaults;
  habits: Habits = wildHabits;
  isCalm = false;
  readonly watchers: Invariants;
  readonly paths: Paths = {
    state: home,
    approvals: `${home}/approvals`,
    locks: `${home}/locks`,
    runs: `${home}/runs`,
    planningSessions: `${home}/plannings`,
    scratch: "/scratch",
  };
  readonly branch = "stint/p";
  readonly base: string;
  settings: RunSettings;
  /** Told what happens, where somebody reads along. */
  readonly say: (text: string) => void;
  readonly violations: string[] = [];
  readonly #listeners = new Set<{ readonly folder: string; readonly changed: () => void }>();
  readonly #dooms = new Map<SimProcess, Doom>();
  #processes: SimProcess[] = [];
  #boot = 1;
  #pids = 100;
  #ids = 0;

  constructor(seed: number, say: (text: string) => void = () => {}) {
    this.say = say;
    this.dice = diceOf(seed);
    this.scenario = scenarioOf(this.dice);
    this.settings = this.scenario.settings;
    this.disk = new Disk(this.dice);
    this.disk.makeFolders([this.paths.approvals, this.paths.locks, this.paths.runs]);
    this.base = this.repository.commit(null, this.scenario.tree, "base");
    this.watchers = new Invariants(this);
    this.repository.observer = this.watchers;
    this.agents.released = (agent) => this.watchers.released(agent);
  }

  spawn(name: string): SimProcess {
    // Now and then the kernel gives out a number again.
    const pid = this.dice.chance(0.1) && this.#processes.length > 0 ? this.#freePid() : (this.#pids += 1);
    const startTime = String(this.timeline.elapsed() * 10 + this.#pids);
    const identity = { pid, startTime, bootId: `boot-${this.#boot}` };
    const fate = { reached: (process: SimProcess, call: string) => this.#countDown(process, call) };
    const process = new SimProcess(this.timeline, fate, { name, identity });
    this.#processes.push(process);
    return process;
  }

  get processes(): readonly SimProcess[] {
    return this.#processes;
  }

  /** It dies after so many calls, counted from now or from the first one that is meant. */
  doom(process: SimProcess, doom: Doom): void {
    this.#dooms.set(process, doom);
  }

  /** The current fails: all processes die, and the disk forgets what was not synced. */
  powerLoss(): void {
    this.say("-- power loss");
    for (const process of this.#processes) process.kill();
    this.#processes = [];
    this.#boot += 1;
    this.disk.powerLoss();
    this.repository.powerLoss(this.dice);
  }

  /** From now on nothing fails, and agents do what they are asked. */
  calm(): void {
    this.isCalm = true;
    this.faults = noFaults;
    this.habits = honestHabits;
    Object.assign(this.disk.faults, soundDisk());
    this.#dooms.clear();
  }

  /** Something must not be. */
  blame(why: string): void {
    this.say(`!! ${why}`);
    this.violations.push(why);
  }

  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  /** Whoever watches is told of changes in a folder. */
  watch(folder: string, changed: () => void): () => void {
    const listener = { folder, changed };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  readonly changed = (folder: string): void => {
    for (const listener of this.#listeners) if (listener.folder === folder) listener.changed();
  };

  #freePid(): number {
    const dead = this.#processes.filter((process) => !process.isAlive);
    const living = new Set(this.#processes.filter((process) => process.isAlive).map(({ identity }) => identity.pid));
    const free = dead.map(({ identity }) => identity.pid).filter((pid) => !living.has(pid));
    return free.length === 0 ? (this.#pids += 1) : this.dice.pick(free);
  }

  #countDown(process: SimProcess, call: string): void {
    const doom = this.#dooms.get(process);
    if (doom === undefined || doom.from?.test(call) === false) return;
    this.#dooms.set(process, { ...doom, calls: doom.calls - 1, from: undefined });
    if (doom.calls > 0) return;
    this.say(`-- kill -9 of ${process.name} (pid ${process.identity.pid}) at ${call}`);
    this.#dooms.delete(process);
    process.kill();
    doom.aftermath?.();
  }
}
