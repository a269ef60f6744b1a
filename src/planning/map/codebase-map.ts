import { setImmediate } from "node:timers/promises";
import { head } from "../../git/user-repo.ts";
import { listTree, readObjects, type Entry } from "../../git/objects.ts";
import { planningLimits } from "../limits.ts";
import { derivedBy } from "./derived.ts";
import type { FileFacts, MapFile } from "./facts.ts";
import { fit, type FittedMap } from "./fit.ts";
import { rank } from "./rank.ts";
import { factsOf } from "./symbols.ts";
import { cacheKey, openMapCache } from "./map-cache.ts";
import type { Project } from "../../project/project.ts";

/** Which commit is mapped, how large the map may be, and for which goal. */
interface MapRequest {
  /** A commit of the control repository; HEAD of the user's checkout where it is absent. */
  readonly commit?: string;
  /** The largest size of the map, estimated by `planningLimits.mapTokenBytes`. */
  readonly tokens: number;
  readonly goal?: string;
  readonly signal?: AbortSignal;
}

/** A map, and how much work it was. */
interface CodebaseMap extends FittedMap {
  readonly commit: string;
  /** How many files the commit has. */
  readonly filesInAll: number;
  /** How many files were read, because the cache did not have them. */
  readonly filesRead: number;
}

/** Maps the files of a commit: what they define, ranked by use and by the goal, within a budget. The same commit gives the same text. */
export async function codebaseMap(project: Project, request: MapRequest): Promise<CodebaseMap> {
  const commit = request.commit ?? (await head(project.repo)).sha;
  const entries = (await listTree(project.control, commit, { sizes: true })).filter(isFile);
  const listed = entries.slice(0, planningLimits.mapFilesMax);
  const { facts, filesRead } = await allFacts(project, listed, request.signal);
  const isDerived = derivedBy(await attributesOf(project, entries));
  const files = listed.flatMap((entry): MapFile[] => {
    const { path, size = 0 } = entry;
    const known = isLarge(entry) ? nothing : facts.get(cacheKey(entry.oid, path));
    return known ? [{ path, size, facts: known, isDerived: known.isMade || isDerived(path) }] : [];
  });
  request.signal?.throwIfAborted();
  return { ...fit(rank(files, request.goal ?? ""), request.tokens), commit, filesInAll: entries.length, filesRead };
}

/** Links and submodules have no text of their own. */
function isFile({ type, mode }: Entry): boolean {
  return type === "blob" && mode !== "120000";
}

function isLarge({ size = 0 }: Entry): boolean {
  return size > planningLimits.mapFileBytesMax;
}

const nothing: FileFacts = { symbols: [], words: "", imports: [], isMade: true };

type AllFacts = Map<string, FileFacts | null>;

/** Takes the facts of earlier maps from the cache, and reads the other files now. */
async function allFacts(
  project: Project,
  entries: readonly Entry[],
  signal: AbortSignal | undefined,
): Promise<{ facts: AllFacts; filesRead: number }> {
  const cache = await openMapCache(project.paths.scratch);
  const facts: AllFacts = new Map();
  const missing = new Map<string, Entry>();
  for (const entry of entries) {
    const key = cacheKey(entry.oid, entry.path);
    if (isLarge(entry) || facts.has(key)) continue;
    const known = cache.get(key);
    if (known === undefined) missing.set(key, entry);
    else facts.set(key, known);
  }
  for (const batch of batches([...missing])) await readBatch(project, batch, { facts, signal });
  if (missing.size > 0) await cache.replace(facts);
  return { facts, filesRead: missing.size };
}

type Missing = readonly [key: string, entry: Entry];

/** Splits files into batches: large, so that git starts seldom, and small, so that little text is in memory. */
function* batches(missing: readonly Missing[]): Generator<Missing[]> {
  let batch: Missing[] = [];
  let bytes = 0;
  for (const one of missing) {
    const { size = 0 } = one[1];
    if (
      batch.length >= planningLimits.mapBatchFilesMax ||
      (batch.length > 0 && bytes + size > planningLimits.mapBatchBytesMax)
    ) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function readBatch(
  project: Project,
  batch: readonly Missing[],
  { facts, signal }: { readonly facts: AllFacts; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const objects = await readObjects(
    project.control,
    batch.map(([, { oid }]) => oid),
  );
  for (const [at, [key, { path }]] of batch.entries()) {
    // Parsing blocks everything else in this process, such as the sessions of a run and Ctrl-C.
    if (at % filesInARow === 0) await setImmediate();
    signal?.throwIfAborted();
    const body = objects[at]?.body ?? Buffer.alloc(0);
    facts.set(key, isBinary(body) ? null : await factsOf(path, body.toString("utf8")));
  }
}

const filesInARow = 16;

/** Tells whether a file is binary, by the same rule as git. */
function isBinary(body: Buffer): boolean {
  return body.subarray(0, 8_000).includes(0);
}

async function attributesOf(project: Project, entries: readonly Entry[]): Promise<string> {
  const entry = entries.find(({ path }) => path === ".gitattributes");
  if (entry === undefined || isLarge(entry)) return "";
  const [object] = await readObjects(project.control, [entry.oid]);
  return object?.body.toString("utf8") ?? "";
}
