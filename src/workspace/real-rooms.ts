import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { endLeftovers } from "../process/supervise.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import type { Control } from "../git/control.ts";
import { checkKey, isMechanical, type MechanicalCheck } from "../checks/checks.ts";
import { evaluateCheck, labelOf } from "../checks/evaluate-check.ts";
import { withHeard } from "../checks/witness/expect-tests.ts";
import { readReports } from "../checks/witness/report.ts";
import { witnessTools } from "../checks/witness/witness.ts";
import { checkoutStyle, removeCheckout } from "./checkout.ts";
import {
  freshSurroundings,
  furnish,
  setupLog,
  refurnish,
  type Furnished,
  type FurnishResult,
  type Furniture,
} from "./furnished.ts";
import { removeTree } from "./remove.ts";
import type { CheckRequest, FreshOptions, RoomPort, RoomRequest } from "./room-port.ts";
import type { Workspaces } from "./real-workspaces.ts";

export interface RoomOptions {
  readonly control: Control;
  readonly furniture: Furniture;
  /** The folder that has one folder per room. */
  readonly dir: string;
}

/** Rooms of a run. */
export function realRooms(
  options: RoomOptions,
  {
    workspaces,
    inBackground,
  }: { readonly workspaces: Workspaces; readonly inBackground: (work: Promise<unknown>) => void },
): RoomPort {
  return {
    check: (request) => checkInFreshRoom(options, request, inBackground),
    checkBase: async (request) => {
      const workspace = await workspaces.fresh(request.key, request);
      const { evidence, room } = await checkIn(options, workspace, request);
      const { control, furniture } = options;
      // Restoring here would otherwise change the workspace of another driver's agent.
      request.stillOwn();
      if (room.ok)
        workspaces.keep(request.key, await refurnish(control, room.value, { furniture, believeTimes: true }));
      return evidence;
    },
    sweep: async () => {
      await endLeftovers({ cwdWithin: options.dir, environWithin: options.dir });
      await removeTree(options.dir);
    },
  };
}

/** Runs checks in a checkout of a commit that is made for them and thrown away, with an empty HOME. */
export async function checkInFreshRoom(
  { control, furniture, dir }: RoomOptions,
  request: RoomRequest,
  inBackground?: (work: Promise<unknown>) => void,
): Promise<CheckEvidence[]> {
  const room = join(dir, randomUUID());
  const { commit, without, logDir, signal } = request;
  try {
    const made = await furnish(control, furniture, { dir: room, commit, without, ...checkoutStyle, logDir, signal });
    return (await checkIn({ control, furniture }, made, request)).evidence;
  } finally {
    const removed = removeCheckout(room);
    if (inBackground === undefined) await removed;
    else inBackground(removed);
  }
}

interface Checked {
  readonly evidence: CheckEvidence[];
  /** The room as the last check left it; it is another folder if a check spoiled what set-up had made. */
  readonly room: FurnishResult;
}

async function checkIn(
  { control, furniture }: Pick<RoomOptions, "control" | "furniture">,
  made: FurnishResult,
  { checks, logDir, signal, watched, stillOwn, answered }: CheckRequest & Partial<FreshOptions>,
): Promise<Checked> {
  const evidence: CheckEvidence[] = [];
  let room = made;
  for (const check of checks) {
    if (!isMechanical(check)) continue;
    // Code run by one check can rewrite what the next one reads, so each starts from a verified room.
    if (evidence.length > 0) stillOwn?.();
    if (evidence.length > 0 && room.ok) room = await refurnish(control, room.value, { furniture });
    const logFile = join(logDir, `check-${evidence.length + 1}.log`);
    const found = room.ok
      ? await ask({ control, furniture }, check, { room: room.value, logFile, signal, watched })
      : brokenBySetup(check, room.failure.message, logDir);
    evidence.push(found);
    signal.throwIfAborted();
    await answered?.(found, check);
  }
  return { evidence, room };
}

/** Runs one check, and listens to its test runners from outside the tree. */
async function ask(
  { control, furniture }: Pick<RoomOptions, "control" | "furniture">,
  check: MechanicalCheck,
  {
    room,
    logFile,
    signal,
    watched,
  }: Pick<CheckRequest, "signal" | "watched"> & { readonly room: Furnished; readonly logFile: string },
): Promise<CheckEvidence> {
  const network = check.kind === "run" && check.network;
  const { dir } = room.request;
  const root = room.checkout.dir;
  const reports = await mkdtemp(join(dir, "heard-"));
  const tools = witnessTools();
  const parts = { control, dir, network, visible: [tools], outbox: reports };
  const { env, enclosure } = await freshSurroundings(furniture, parts);
  const witness = { tools, reports: enclosure.folders.outbox };
  const { redact, watch } = furniture;
  const result = await evaluateCheck(check, { tree: [root], within: root, env, enclosure, witness, logFile, redact, signal, watch });
  const { label, state, why, tail, durationMs } = result;
  const shown: CheckEvidence = { key: checkKey(check), label, state, why, tail, durationMs };
  if (check.kind !== "run") return shown;
  return withHeard({ ...shown, log: logFile }, await readReports(reports, enclosure.folders.workspace), watched);
}

function brokenBySetup(check: MechanicalCheck, why: string, logDir: string): CheckEvidence {
  const line = why.split("\n")[0] ?? "";
  const asked = { key: checkKey(check), label: labelOf(check) };
  return { ...asked, state: "broken", why: line, tail: why, durationMs: 0, cause: "set-up", log: setupLog(logDir) };
}
