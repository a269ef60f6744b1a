import type { CheckEvidence } from "../../src/engine/evidence.ts";
import type { RunState } from "../../src/engine/state.ts";
import { runPaths } from "../../src/project/paths.ts";
import type { CheckRequest, RoomPort } from "../../src/workspace/room-port.ts";
import { checkKey, isMechanical, type MechanicalCheck } from "../../src/checks/checks.ts";
import { labelOf } from "../../src/checks/evaluate-check.ts";
import { span } from "./chances.ts";
import { factOf, isTrue, whyOf } from "./facts.ts";
import type { SimProcess } from "./process.ts";
import type { Tree } from "./repository.ts";
import type { Surroundings } from "./surroundings.ts";
import { freshWorkspace } from "./workspaces.ts";

/** Where checks run: a process that may outlive its driver. */
export interface Room {
  readonly process: SimProcess;
  readonly dir: string;
  readonly driver: SimProcess;
}

/** All rooms that ever were. */
export class Rooms {
  readonly all: Room[] = [];

  /** Those whose driver is dead. */
  leftovers(): Room[] {
    return this.all.filter(({ process, driver }) => process.isAlive && !driver.isAlive);
  }

  /** Ends what runs in a folder or below it. */
  endIn(dir: string): void {
    for (const room of this.all) if (room.dir === dir || room.dir.startsWith(`${dir}/`)) room.process.kill();
  }
}

/** Rooms as one driver has them. */
export function roomPort(world: Surroundings, driver: SimProcess, state: RunState): RoomPort {
  const { repository, dice, rooms } = world;
  const paths = runPaths(world.paths, state.run);
  const make = (what: string, signal: AbortSignal, work: () => Tree) => {
    const fails = dice.chance(world.faults.git);
    return driver.call(`make ${what}`, { ms: span(dice), signal }, () => {
      if (fails) throw new Error(`${what} cannot be made`);
      return work();
    });
  };
  return {
    areCheap: true,
    check: async (request) => {
      const tree = await make("a room", request.signal, () => repository.treeOf(request.commit));
      return checkIn(world, enter(world, driver, `${paths.rooms}/${rooms.all.length}`), { ...request, tree });
    },
    checkBase: async (request) => {
      const { key, base, signal, stillOwn } = request;
      const dir = paths.workspace(key);
      const tree = await make("a workspace", signal, () => {
        freshWorkspace(world, driver, { dir, base, stillOwn });
        return repository.treeOf(base);
      });
      return checkIn(world, enter(world, driver, dir), { ...request, tree });
    },
    unread: () => Promise.resolve(new Set<string>()),
    landed: () => undefined,
    sweep: () => driver.call("sweep rooms", { ms: span(dice) }, () => rooms.endIn(paths.rooms)),
  };
}

function enter(world: Surroundings, driver: SimProcess, dir: string): Room {
  const room: Room = { process: world.spawn(`room ${dir}`), dir, driver };
  world.rooms.all.push(room);
  driver.onDeath(() => {
    if (room.process.isAlive && !world.dice.chance(world.faults.orphan)) room.process.kill();
  });
  return room;
}

async function checkIn(
  { dice, faults }: Surroundings,
  { process, driver }: Room,
  { tree, checks, signal }: CheckRequest & { readonly tree: Tree },
): Promise<CheckEvidence[]> {
  const isSetUp = !dice.chance(faults.setup);
  const evidence: CheckEvidence[] = [];
  try {
    for (const check of checks) {
      if (!isMechanical(check)) continue;
      const ms = isSetUp ? span(dice) : 0;
      const isFlaky = dice.chance(faults.flaky);
      const look = () => (process.isAlive ? evidenceOf(check, { tree, isFlaky, ms }) : killed(check, ms));
      evidence.push(isSetUp ? await driver.call("check", { ms, signal }, look) : brokenBySetup(check));
    }
    return evidence;
  } finally {
    // A dead driver ends nothing.
    if (driver.isAlive) process.kill();
  }
}

function evidenceOf(
  check: MechanicalCheck,
  { tree, isFlaky, ms }: { readonly tree: Tree; readonly isFlaky: boolean; readonly ms: number },
): CheckEvidence {
  const fact = factOf(check);
  const asked = { ...named(check), durationMs: ms };
  if (fact === null) return { ...asked, state: "broken", why: "command not found (exit 127)" };
  const isGreen = !isFlaky && isTrue(fact, tree);
  const why = whyOf(check, isGreen);
  if (!isGreen) return { ...asked, state: "red", why };
  return { ...asked, state: "green", why, ...(check.kind === "run" && { proof: "exit code only" as const }) };
}

function killed(check: MechanicalCheck, durationMs: number): CheckEvidence {
  return { ...named(check), state: "red", why: "killed by SIGKILL", durationMs };
}

function brokenBySetup(check: MechanicalCheck): CheckEvidence {
  const why = "set-up failed";
  return { ...named(check), state: "broken", why, tail: why, durationMs: 0, cause: "set-up" };
}

type Name = Pick<CheckEvidence, "label" | "tail"> & { readonly key: string };

/** A run asks the same checks often. */
const names = new WeakMap<MechanicalCheck, Name>();

function named(check: MechanicalCheck): Name {
  const known = names.get(check);
  if (known !== undefined) return known;
  const name = { key: checkKey(check), label: labelOf(check), tail: "" };
  names.set(check, name);
  return name;
}
