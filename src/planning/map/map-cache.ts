import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { planningLimits } from "../limits.ts";
import type { FileFacts } from "./facts.ts";
import { factsVersion } from "./symbols.ts";

/** Facts about blobs from earlier maps; null means a blob without text. */
interface MapCache {
  readonly get: (key: string) => FileFacts | null | undefined;
  /** Keeps exactly these for the next map; what cannot be written is computed again then. */
  readonly replace: (facts: ReadonlyMap<string, FileFacts | null>) => Promise<void>;
}

/** Includes the kind of the name, because the same bytes are read by other rules under another one. */
export function cacheKey(oid: string, path: string): string {
  return `${oid}${posix.extname(path).toLowerCase().slice(0, extensionCharsMax)}`;
}

const extensionCharsMax = 12;

/** Opens the cache of a repository, one file that is read and written whole; one that is damaged or of another release is ignored. */
export async function openMapCache(scratch: string): Promise<MapCache> {
  const folder = join(scratch, "map");
  const file = join(folder, "facts.jsonl");
  const lines = linesIn(await contentOf(file));
  return {
    get: (key) => parsed(lines.get(key)),
    replace: async (facts) => {
      const aside = join(folder, `${randomBytes(8).toString("hex")}.tmp`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeAll(aside, facts);
        await rename(aside, file);
      } catch {
        await rm(aside, { force: true }).catch(() => undefined);
      }
    },
  };
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return (await stat(file)).size > planningLimits.mapCacheBytesMax ? Buffer.alloc(0) : await readFile(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Returns the lines by key, not yet parsed; none where the checksum on the last line does not match. */
function linesIn(content: Buffer): Map<string, string> {
  const sealed = content.length - sealBytes;
  const lines = new Map<string, string>();
  if (
    sealed < 0 ||
    content.toString("latin1", sealed) !== sealOf(createHash("sha256").update(content.subarray(0, sealed)))
  )
    return lines;
  for (let at = 0; at < sealed;) {
    const end = content.indexOf(10, at);
    const tab = content.indexOf(9, at);
    lines.set(content.toString("latin1", at, tab), content.toString("utf8", tab + 1, end));
    at = end + 1;
  }
  return lines;
}

function sealOf(hash: ReturnType<typeof createHash>): string {
  return `${hash.update(`facts ${factsVersion}`).digest("hex")}\n`;
}

const sealBytes = 65;

function parsed(line: string | undefined): FileFacts | null | undefined {
  return line === undefined ? undefined : (JSON.parse(line) as FileFacts | null);
}

/** Writes without fsync: a file without its checksum is ignored. */
async function writeAll(path: string, facts: ReadonlyMap<string, FileFacts | null>): Promise<void> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600);
  let left = planningLimits.mapCacheBytesMax - sealBytes;
  try {
    let chunk: string[] = [];
    let chars = 0;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(chunk.join(""));
      left -= bytes.length;
      if (left >= 0) {
        hash.update(bytes);
        await handle.writeFile(bytes);
      }
      chunk = [];
      chars = 0;
    };
    for (const [key, one] of facts) {
      const line = `${key}\t${JSON.stringify(one)}\n`;
      chunk.push(line);
      chars += line.length;
      if (chars > chunkChars) await flush();
    }
    await flush();
    await handle.writeFile(sealOf(hash));
  } finally {
    await handle.close();
  }
}

const chunkChars = 1_000_000;
