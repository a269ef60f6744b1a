import { expect, test } from "vitest";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf, type Hold } from "../../../src/engine/state.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";
import { nextHold } from "../../../src/engine/park.ts";

test("a usage limit parks the run until its reset and costs no attempt", () => {
  const until = "2026-11-15T23:00:00Z";
  const world = new World([spec("a")]);
  const script = honest((_, attempt) => (attempt === 1 ? { kind: "limit", until } : { kind: "ok" }));
  world.go(script);
  expect(world.state.parked).toEqual({ reason: "limit", why: "the agent's usage limit is reached", until });
  expect(exitCode(world.state)).toBe(75);
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  world.go(script);
  expect(taskOf(world.state, "a").spent).toBe(0);
  expect(exitCode(world.state)).toBe(0);
});

test("limits with no reset known back off longer each time, then wait for a person", () => {
  const world = new World([spec("a")]);
  const waits: (number | null)[] = [];
  for (let round = 0; round < 6; round += 1) {
    world.go((action, state) => {
      if (action.type === "park") waits.push(action.afterMs);
      return honest(() => ({ kind: "limit", until: null }))(action, state);
    });
    world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  }
  expect(waits).toEqual([60_000, 300_000, 900_000, 1_800_000, 3_600_000, null]);
});

test("a reset time that lies in the past is believed once; then the run backs off instead of looping", () => {
  const world = new World([spec("a")]);
  const waits: (number | null)[] = [];
  for (let round = 0; round < 7; round += 1) {
    world.go((action, state) => {
      if (action.type === "park") waits.push(action.afterMs);
      return honest(() => ({ kind: "limit", until: "2020-01-01T00:00:00Z" }))(action, state);
    });
    world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  }
  expect(waits).toEqual([0, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, null]);
});

test("an idle run waits for what ends by itself first, the soonest; a person is needed only where nothing else is left", () => {
  const limit = (until: string | null): Hold => ({ reason: "limit", until, why: "" });
  const auth: Hold = { reason: "auth", until: null, why: "" };
  const [sooner, later] = [limit("2026-11-15T22:00:00Z"), limit("2026-11-15T23:00:00Z")];
  expect(nextHold([auth, later, sooner])).toBe(sooner);
  expect(nextHold([later, limit(null)])).toEqual(limit(null));
  expect(nextHold([auth])).toBe(auth);
  expect(nextHold([])).toBe(undefined);
});
