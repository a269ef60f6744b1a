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
import { type Reads, readsIn } from "../checks/reads/reads.ts";
import { checkoutStyle, removeCheckout } from "./checkout.ts";
import type { Tree } from "../sandbox/tree-lookup.ts";
import type { Layer } from "../sandbox/layer.ts";
import { layerIn } from "./layered.ts";
import { pristineTrees, type Trees } from "./pristine.ts";
import { furnish, refurnish, type Furnished, type FurnishResult } from "./furnished.ts";
import { freshSurroundings, setupLog, treeOf, type Furniture } from "./set-up.ts";
import { readMemory, type ReadMemory } from "./read-memory.ts";
import { removeTree } from "./remove.ts";
import type { CheckRequest, FreshOptions, RoomPort, RoomRequest } from "./room-port.ts";
import type { Workspaces } from "./real-workspaces.ts";

export interface RoomOptions {
  readonly control: Control;
  readonly furniture: Furniture;
  /** The folder that has one folder per room. */
  readonly dir: string;
  /** The trees that rooms share; absent where each room has all files of its own. */
  readonly trees?: Trees | undefined;
  /** What checks were seen to read; absent where nobody looks. */
  readonly memory?: ReadMemory | undefined;
}

/** Makes rooms that share their files where the machine can do that. */
export function roomsIn(options: Omit<RoomOptions, "trees">): RoomOptions {
  const { layers, tracer } = options.furniture.sandbox;
  const dir = join(options.dir, "trees");
  if (layers === undefined) return options;
  const memory = tracer === undefined ? undefined : readMemory(options.control, options.furniture);
  return { ...options, memory, trees: pristineTrees({ ...options, layers, dir }) };
}

/** Makes rooms in a folder that no other process shares, and that goes with them: two people may check a plan at once. */
export function ownRooms(options: Omit<RoomOptions, "trees">): RoomOptions & AsyncDisposable {
  const dir = join(options.dir, randomUUID());
  return { ...roomsIn({ ...options, dir }), [Symbol.asyncDispose]: () => removeTree(dir) };
}

type InBackground = (work: Promise<unknown>) => void;

/** Rooms of a run. */
export function realRooms(
  options: RoomOptions,
  { workspaces, inBackground }: { readonly workspaces: Workspaces; readonly inBackground: InBackground },
): RoomPort {
  const check = (request: RoomRequest) => checkInFreshRoom(options, request, inBackground);
  return {
    areCheap: options.trees !== undefined,
    check,
    checkBase: async (request) => {
      if (options.trees !== undefined) return await check({ ...request, commit: request.base });
      const workspace = await workspaces.fresh(request.key, request);
      const { evidence, room } = await checkIn(options, workspace, request);
      const { control, furniture } = options;
      // Restoring here would otherwise change the workspace of another driver's agent.
      request.stillOwn();
      if (room.ok)
        workspaces.keep(request.key, await refurnish(control, room.value, { furniture, believeTimes: true }));
      return evidence;
    },
    unread: async (request) => (await options.memory?.unread(request)) ?? new Set(),
    landed: (commit) => options.memory?.landed(commit),
    sweep: async () => {
      await endLeftovers({ cwdWithin: options.dir, environWithin: options.dir });
      await removeTree(options.dir);
    },
  };
}

/** Runs checks in checkouts of a commit that are made for them and thrown away, with an empty HOME. */
export async function checkInFreshRoom(
  options: RoomOptions,
  request: RoomRequest,
  inBackground?: InBackground,
): Promise<CheckEvidence[]> {
  const { control, furniture, dir, trees } = options;
  if (trees !== undefined) return await checkInLayers({ ...options, trees }, request, inBackground);
  const room = join(dir, randomUUID());
  const { commit, without, logDir, signal } = request;
  try {
    const made = await furnish(control, furniture, { dir: room, commit, without, ...checkoutStyle, logDir, signal });
    return (await checkIn({ control, furniture }, made, request)).evidence;
  } finally {
    await later(removeCheckout(room), inBackground);
  }
}

/** Gives each check a layer of its own above the tree of the commit, so that none sees what another did. */
async function checkInLayers(
  { control, furniture, dir, trees, memory }: RoomOptions & { readonly trees: Trees },
  { checks, logDir, signal, watched, answered, watch, ...request }: RoomRequest,
  inBackground?: InBackground,
): Promise<CheckEvidence[]> {
  const { made, release } = await trees.hold({ ...request, logDir, signal });
  const askInLayer = async (check: MechanicalCheck, number: number, reads?: Hear): Promise<CheckEvidence> => {
    if (!made.ok) return brokenBySetup(check, made.failure.message, logDir);
    const room = join(dir, randomUUID());
    try {
      const place = { dir: room, tree: made.value.tree, layer: await layerIn(room, made.value.tree) };
      const logFile = join(logDir, `check-${number}.log`);
      return await ask({ control, furniture }, check, { room: place, logFile, signal, watched, reads });
    } finally {
      await later(removeTree(room), inBackground);
    }
  };
  const askWatched = async (check: MechanicalCheck, number: number): Promise<CheckEvidence> => {
    const isWatched = watch?.has(checkKey(check)) === true && memory?.canWatch(check) === true;
    if (!isWatched) return await askInLayer(check, number);
    return await believing(memory, check, {
      watched: () => askInLayer(check, number, (reads) => memory.note(request.commit, check, reads)),
      alone: () => askInLayer(check, number),
    });
  };
  const evidence: CheckEvidence[] = [];
  try {
    for (const check of checks) {
      if (!isMechanical(check)) continue;
      const found = await askWatched(check, evidence.length + 1);
      evidence.push(found);
      signal.throwIfAborted();
      await answered?.(found, check);
    }
    return evidence;
  } finally {
    release();
  }
}

/** Is called with what a green check read, if that is known for sure. */
type Hear = (reads: Reads) => void;

/** A check that is not green while it is watched is asked again without: nobody is to blame for being watched. */
async function believing(
  memory: ReadMemory,
  check: MechanicalCheck,
  asks: { readonly watched: () => Promise<CheckEvidence>; readonly alone: () => Promise<CheckEvidence> },
): Promise<CheckEvidence> {
  const first = await asks.watched().catch(() => undefined);
  if (first?.state === "green" || (first !== undefined && memory.isHonest(check))) return first;
  const alone = await asks.alone();
  memory.compare(check, alone);
  return alone;
}

async function later(work: Promise<void>, inBackground: InBackground | undefined): Promise<void> {
  if (inBackground === undefined) await work;
  else inBackground(work);
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
      ? await ask({ control, furniture }, check, { room: placeOf(room.value), logFile, signal, watched })
      : brokenBySetup(check, room.failure.message, logDir);
    evidence.push(found);
    signal.throwIfAborted();
    await answered?.(found, check);
  }
  return { evidence, room };
}

/** Where one check runs. */
interface Place {
  readonly dir: string;
  /** The files that it finds there. */
  readonly tree: Tree;
  readonly layer?: Layer;
}

function placeOf({ request, checkout }: Furnished): Place {
  return { dir: request.dir, tree: [checkout.dir] };
}

/** Runs one check, and listens to its test runners from outside the tree. */
async function ask(
  { control, furniture }: Pick<RoomOptions, "control" | "furniture">,
  check: MechanicalCheck,
  {
    room: { dir, tree, layer },
    logFile,
    signal,
    watched,
    reads: hear,
  }: Pick<CheckRequest, "signal" | "watched"> & {
    readonly room: Place;
    readonly logFile: string;
    readonly reads?: Hear | undefined;
  },
): Promise<CheckEvidence> {
  const network = check.kind === "run" && check.network;
  const reports = await mkdtemp(join(dir, "heard-"));
  const tools = witnessTools();
  const trace = hear === undefined ? undefined : join(dir, "trace");
  const parts = { control, dir, layer, network, visible: [tools], outbox: reports, trace };
  const { env, enclosure } = await freshSurroundings(furniture, parts);
  const witness = { tools, reports: enclosure.folders.outbox };
  const { redact, watch } = furniture;
  const within = treeOf(dir);
  const result = await evaluateCheck(check, { tree, within, env, enclosure, witness, logFile, redact, signal, watch });
  const { label, state, why, tail, durationMs } = result;
  if (trace !== undefined && result.state === "green") {
    const { workspace: at } = enclosure.folders;
    const start = join(at, check.kind === "run" ? check.cwd : ".");
    const found = await readsIn(trace, { at, start, tree: [within, ...tree] });
    if (found !== undefined) hear?.(found);
  }
  const shown: CheckEvidence = { key: checkKey(check), label, state, why, tail, durationMs };
  if (check.kind !== "run") return shown;
  return withHeard({ ...shown, log: logFile }, await readReports(reports, enclosure.folders.workspace), watched);
}

function brokenBySetup(check: MechanicalCheck, why: string, logDir: string): CheckEvidence {
  const line = why.split("\n")[0] ?? "";
  const asked = { key: checkKey(check), label: labelOf(check) };
  return { ...asked, state: "broken", why: line, tail: why, durationMs: 0, cause: "set-up", log: setupLog(logDir) };
}
