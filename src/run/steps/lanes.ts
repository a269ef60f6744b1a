import { join } from "node:path";
import type { MechanicalCheck } from "../../checks/checks.ts";
import type { CheckEvidence } from "../../engine/evidence.ts";
import type { RoomPort, RoomRequest } from "../../workspace/room-port.ts";

/** Does the same work on several lanes at once; when one fails, the others are aborted, and nothing is left running. */
export async function onLanes<T>(
  count: number,
  signal: AbortSignal,
  work: (lane: number, signal: AbortSignal) => Promise<T>,
): Promise<T[]> {
  const abort = new AbortController();
  const both = AbortSignal.any([signal, abort.signal]);
  const failures: unknown[] = [];
  const lanes = Array.from({ length: count }, async (_, lane) => {
    try {
      return [await work(lane, both)];
    } catch (error) {
      failures.push(error);
      abort.abort();
      return [];
    }
  });
  const done = (await Promise.all(lanes)).flat();
  if (failures.length > 0) throw failures[0];
  return done;
}

/** Spreads checks over fresh rooms; each room takes the next check when it is free. Logs of further rooms go to folders of their own. */
export async function checkOnLanes(
  rooms: RoomPort,
  lanes: number,
  { checks, logDir, signal, ...request }: RoomRequest & { readonly checks: readonly MechanicalCheck[] },
): Promise<CheckEvidence[]> {
  const onHostNetwork = checks.filter((check) => check.kind === "run" && check.network);
  const rest = checks.filter((check) => !onHostNetwork.includes(check)).values();
  const count = Math.max(1, Math.min(lanes, checks.length));
  const evidence = await onLanes(count, signal, (lane, both) => {
    const own = lane === 0 ? logDir : join(logDir, `room-${lane + 1}`);
    // With the network of the host, two checks could want the same port: the first room asks all of these.
    const asked = lane === 0 ? chain(onHostNetwork, rest) : rest;
    return rooms.check({ ...request, checks: asked, logDir: own, signal: both });
  });
  return evidence.flat();
}

function* chain<T>(first: Iterable<T>, then: Iterable<T>): Generator<T> {
  yield* first;
  yield* then;
}
