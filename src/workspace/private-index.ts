import { type BigIntStats, lstatSync } from "node:fs";
import { lstat, utimes, writeFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { checksumOf, type IndexEntry, parseIndex } from "../git/index-file.ts";
import type { ObjectFormat } from "../git/names.ts";
import { pathIn, readRegularFile } from "./fingerprint.ts";

/** How many entries are compared between two turns of the event loop. */
const entriesPerTurn = 1_000;

/**
 * Copies an index for one call of `git add`. Git compares times in whole seconds, so it hashes again every file written
 * in the same second as the index, which after a quick checkout is all of them. The index holds nanoseconds: those that
 * match prove a file unchanged, and the others lose their recorded times, so that git does look.
 */
export async function copyForAdd(
  { bytes }: CheckoutIndex,
  to: string,
  { format, unproven }: { readonly format: ObjectFormat; readonly unproven: readonly IndexEntry[] },
): Promise<void> {
  for (const { at } of unproven) bytes.fill(0, at, at + 16);
  const checksum = checksumOf(bytes, format);
  checksum.copy(bytes, bytes.length - checksum.length);
  await writeFile(to, bytes, { flag: "wx", mode: 0o600 });
  // Dated ahead of every entry, because what remains is proven and must not be doubted within this second.
  const ahead = Date.now() / 1000 + 60;
  await utimes(to, ahead, ahead);
}

/** Our index of a checkout, with what is needed to compare times. */
export interface CheckoutIndex {
  readonly dir: string;
  readonly bytes: Buffer;
  readonly entries: IndexEntry[];
  readonly writtenNs: bigint;
}

export async function readIndex(
  { dir, index }: { readonly dir: string; readonly index: string },
  format: ObjectFormat,
): Promise<CheckoutIndex> {
  const [bytes, stat] = await Promise.all([readRegularFile(index), lstat(index, { bigint: true })]);
  return { dir, bytes, entries: parseIndex(bytes, format), writtenNs: stat.mtimeNs };
}

/** Lists the files of a checkout whose times do not prove that they are unchanged. */
export async function unprovenIn(
  index: CheckoutIndex,
  entries: readonly IndexEntry[] = index.entries,
): Promise<IndexEntry[]> {
  const unproven: IndexEntry[] = [];
  for (const [count, entry] of entries.entries()) {
    if (!isProvenUnchanged(index, entry)) unproven.push(entry);
    if (count % entriesPerTurn === 0) await setImmediate();
  }
  return unproven;
}

/** A file changed after the index was written has a later time of change, which nothing but the clock can set back. */
function isProvenUnchanged({ dir, bytes, writtenNs }: CheckoutIndex, entry: IndexEntry): boolean {
  const [changed, modified] = [timeAt(bytes, entry.at), timeAt(bytes, entry.at + 8)];
  if (changed >= writtenNs || modified >= writtenNs) return false;
  const stat = statOf(pathIn(dir, entry.rawPath));
  return stat !== undefined && stat.ctimeNs === changed && stat.mtimeNs === modified;
}

function timeAt(bytes: Buffer, at: number): bigint {
  return BigInt(bytes.readUInt32BE(at)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 4));
}

function statOf(path: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
