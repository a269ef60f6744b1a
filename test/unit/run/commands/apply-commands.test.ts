import { expect, test } from "vitest";
import { fail, ok } from "../../../../src/base/result.ts";
import type { Command } from "../../../../src/engine/commands.ts";
import { applyCommands } from "../../../../src/run/commands/apply-commands.ts";
import type { ArrivedCommand } from "../../../../src/run/commands/command-port.ts";
import { spec, World } from "../../../rig/world.ts";

const pause: Command = { v: 1, id: "1", run: "r", epoch: 1, kind: "pause" };

/** A run at epoch 1, and all that happens to its journal and to the files of commands, in order. */
function staged() {
  const world = new World([spec("a")]);
  const order: string[] = [];
  const apply = (arrived: readonly ArrivedCommand[], onAppend: () => void = () => undefined) =>
    applyCommands(
      {
        take: () => arrived,
        remove: (id) => void order.push(`remove ${id}`),
        setAside: (id) => void order.push(`set aside ${id}`),
        watch: () => () => undefined,
      },
      {
        ...{ state: world.state, epoch: 1, pid: 7, approvedRevision: () => null },
        append: (event) => {
          onAppend();
          world.add(event);
          order.push(event.type);
        },
      },
    );
  return { world, order, apply };
}

test("a command is journaled, and only then its file goes", () => {
  const { order, apply, world } = staged();
  apply([{ id: "1", command: ok(pause) }]);
  expect(order).toEqual(["paused", "remove 1"]);
  expect(world.state.paused).toBe(true);
});

test("a command that the journal has already is not applied again, and its file goes", () => {
  const { order, apply } = staged();
  apply([{ id: "1", command: ok(pause) }]);
  apply([{ id: "1", command: ok(pause) }]);
  expect(order).toEqual(["paused", "remove 1", "remove 1"]);
});

test("a command that cannot be journaled keeps its file, for the next driver", () => {
  const { order, apply } = staged();
  const full = () => {
    throw new Error("ENOSPC");
  };
  expect(() => apply([{ id: "1", command: ok(pause) }], full)).toThrow("ENOSPC");
  expect(order).toEqual([]);
});

test("a file that is no command is journaled as ignored, with the reason, and set aside", () => {
  const { order, apply, world } = staged();
  apply([{ id: "2", command: fail("no-command", "it is not JSON") }]);
  expect(order).toEqual(["command-ignored", "set aside 2"]);
  expect(world.events.at(-1)).toMatchObject({ command: "2", kind: "unknown", why: "it is not JSON" });
});

test("a command for another driver is ignored as stale", () => {
  const { apply, world } = staged();
  apply([{ id: "1", command: ok({ ...pause, epoch: 2 }) }]);
  expect(world.events.at(-1)).toMatchObject({ type: "command-ignored", command: "1", stale: true });
});
