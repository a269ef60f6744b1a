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
import { type Caches, keptCaches } from "./caches.ts";
import { homeIn, layerIn } from "./layered.ts";
import { type Pristine, pristineTrees, type Trees } from "./pristine.ts";
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
  /** The caches that rooms leave for later ones; absent where every HOME is new. */
  readonly caches?: Caches | undefined;
  /** The commit of a person that everything begins with. */
  readonly base: string;
}

type PlainOptions = Pick<RoomOptions, "control" | "furniture" | "dir" | "base">;

/** Makes rooms that share their files where the machine can do that. */
export function roomsIn(options: PlainOptions): RoomOptions {
  const { control, furniture, base, dir } = options;
  const { layers, tracer } = furniture.sandbox;
  if (layers === undefined) return options;
  const memory = tracer === undefined ? undefined : readMemory(control, furniture);
  const caches = keptCaches({ dir: join(dir, "caches"), base });
  const trees = pristineTrees({ control, furniture, layers, caches, dir: join(dir, "trees") });
  return { ...options, memory, caches, trees };
}

/** Makes rooms in a folder that no other process shares, and that goes with them: two people may check a plan at once. */
export function ownRooms(options: PlainOptions): RoomOptions & AsyncDisposable {
  const dir = join(options.dir, randomUUID());
  const rooms = roomsIn({ ...options, dir });
  const remove = async () => {
    await rooms.caches?.remove();
    await removeTree(dir);
  };
  return { ...rooms, [Symbol.asyncDispose]: remove };
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
      if (options.trees !== undefined) {
        options.caches?.landed(request.base);
        return await check({ ...request, commit: request.base });
      }
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
    landed: (commit) => {
      options.memory?.landed(commit);
      options.caches?.landed(commit);
    },
    sweep: async () => {
      await endLeftovers({ cwdWithin: options.dir, environWithin: options.dir });
      await options.caches?.remove();
      await removeTree(options.dir);
    },
  };
}

/** Runs checks in checkouts of a commit that are made for them and thrown away, as is what they change in HOME. */
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
  options: RoomOptions & { readonly trees: Trees },
  request: RoomRequest,
  inBackground?: InBackground,
): Promise<CheckEvidence[]> {
  const { checks, logDir, signal, answered } = request;
  const { made, release } = await options.trees.hold(request);
  const evidence: CheckEvidence[] = [];
  try {
    for (const check of checks) {
      if (!isMechanical(check)) continue;
      const logFile = join(logDir, `check-${evidence.length + 1}.log`);
      const found = made.ok
        ? await askAndWatch(options, check, { ...request, pristine: made.value, logFile, inBackground })
        : brokenBySetup(check, made.failure.message, logDir);
      evidence.push(found);
      signal.throwIfAborted();
      await answered?.(found, check);
    }
    return evidence;
  } finally {
    release();
  }
}

interface LayerRequest extends Pick<RoomRequest, "commit" | "caches" | "signal" | "watched" | "watch"> {
  readonly pristine: Pristine;
  readonly logFile: string;
  readonly inBackground: InBackground | undefined;
}

/** Is called with what a green check read, if that is known for sure. */
type Hear = (reads: Reads) => void;

/** Only green counts while a check is watched; otherwise it is asked again without, and that answer counts. */
async function askAndWatch(
  options: RoomOptions,
  check: MechanicalCheck,
  request: LayerRequest,
): Promise<CheckEvidence> {
  const { memory } = options;
  const alone = async () => await askInLayer(options, check, request);
  const isWatched = request.watch?.has(checkKey(check)) === true && memory?.canWatch(check) === true;
  if (!isWatched) return await alone();
  const hear = (reads: Reads) => memory.note(request.commit, check, reads);
  const first = await askInLayer(options, check, request, hear).catch(() => undefined);
  if (first?.state === "green") return { ...first, watched: true };
  const found = await alone();
  if (found.state === "green") memory.leaveAlone(check);
  return found;
}

/** Runs one check above the tree, with the caches that it may have below its HOME. */
async function askInLayer(
  { control, furniture, dir, caches }: RoomOptions,
  check: MechanicalCheck,
  { pristine: { tree, home }, commit, caches: whose = "landed", inBackground, ...how }: LayerRequest,
  reads?: Hear,
): Promise<CheckEvidence> {
  const room = join(dir, randomUUID());
  const held = await caches?.forCheck(commit, whose);
  try {
    const homeLayer = held && (await homeIn(room, home === undefined ? held.lower : [home, ...held.lower]));
    const place = { dir: room, tree, layer: await layerIn(room, tree), homeLayer };
    const found = await ask({ control, furniture }, check, { room: place, reads, ...how });
    // Final verification is the last to look: nobody needs what it leaves.
    if (homeLayer && whose !== "base") await caches?.keep({ commit, home: homeLayer.upper, state: found.state });
    return held?.haveLanded === true && check.kind === "run" ? { ...found, caches: "landed" } : found;
  } finally {
    held?.release();
    await later(removeTree(room), inBackground);
  }
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
  readonly homeLayer?: Layer | undefined;
}

function placeOf({ request, checkout }: Furnished): Place {
  return { dir: request.dir, tree: [checkout.dir] };
}

/** Runs one check, and listens to its test runners from outside the tree. */
async function ask(
  { control, furniture }: Pick<RoomOptions, "control" | "furniture">,
  check: MechanicalCheck,
  {
    room: { dir, tree, layer, homeLayer },
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
  const parts = { control, dir, layer, homeLayer, network, visible: [tools], outbox: reports, trace };
  const { env, enclosure } = await freshSurroundings(furniture, parts);
  const witness = { tools, reports: enclosure.folders.outbox };
  const { redact, watch } = furniture;
  const within = treeOf(dir);
  const result = await evaluateCheck(check, { tree, within, env, enclosure, witness, logFile, redact, signal, watch });
  const { label, state, why, tail, durationMs } = result;
  if (trace !== undefined && result.state === "green") {
    const { workspace: at, home } = enclosure.folders;
    const start = join(at, check.kind === "run" ? check.cwd : ".");
    const homeTree = homeLayer && { at: home, tree: [homeLayer.upper, ...homeLayer.lower] as const };
    const found = await readsIn(trace, { at, start, tree: [within, ...tree], home: homeTree });
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
