import { expect, test } from "vitest";
import { createBell } from "../../../src/base/bell.ts";
import { ok } from "../../../src/base/result.ts";
import type { Command } from "../../../src/engine/commands.ts";
import { hearCommands } from "../../../src/run/hear-commands.ts";
import type { Run } from "../../../src/run/run.ts";
import { spec, World } from "../../rig/world.ts";

/** A run that hears commands; `arrive` is what the file system does. */
function hearing(waiting: readonly string[] = []) {
  const world = new World([spec("a")]);
  const bell = createBell();
  const failures: unknown[] = [];
  let arrived = [...waiting];
  let wake: (() => void) | undefined;
  let owned = true;
  const commands = {
    take: () => arrived.map((id) => ({ id, command: ok<Command>({ v: 1, id, run: "r", epoch: 1, kind: "pause" }) })),
    remove: (id: string) => (arrived = arrived.filter((other) => other !== id)),
    watch: (look: () => void) => {
      wake = look;
      return () => (wake = undefined);
    },
  };
  const run = {
    ...{ state: world.state, epoch: 1, pid: 1, bell, append: (event: never) => world.add(event) },
    ports: { commands, planner: { approved: () => null } },
    stillOwn: () => {
      if (!owned) throw new Error("another process drives the run");
    },
  } as unknown as Run;
  const stop = hearCommands(run, (failure) => failures.push(failure));
  return {
    ...{ world, bell, failures, stop },
    arrive: (id: string) => {
      arrived.push(id);
      wake?.();
    },
    isWatching: () => wake !== undefined,
    lose: () => (owned = false),
  };
}

test("commands that were there before are heard at once, later ones as they arrive, until it stops", () => {
  const { world, arrive, stop, isWatching } = hearing(["1"]);
  expect([...world.state.commands]).toEqual(["1"]);
  arrive("2");
  expect([...world.state.commands]).toEqual(["1", "2"]);
  stop();
  arrive("3");
  expect([...world.state.commands]).toEqual(["1", "2"]);
  expect(isWatching()).toBe(false);
});

test("a driver that was overruled takes nothing, stops listening and wakes the loop with the failure", () => {
  const { world, arrive, lose, failures, bell, isWatching } = hearing();
  lose();
  const rung = bell.count();
  arrive("1");
  expect([...world.state.commands]).toEqual([]);
  expect(failures).toEqual([new Error("another process drives the run")]);
  expect(bell.count()).toBe(rung + 1);
  expect(isWatching()).toBe(false);
});
