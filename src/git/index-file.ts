import { createHash } from "node:crypto";
import type { ObjectFormat } from "./names.ts";

/** One tracked file as an index records it. */
export interface IndexEntry {
  /** The path's bytes, one character each, because a file name need not be UTF-8. */
  readonly rawPath: string;
  readonly mode: number;
  readonly oid: string;
  /** The offset of its recorded times in the file. */
  readonly at: number;
}

export const gitlinkMode = 0o160000;

const headerBytes = 12;
const statBytes = 40;

/** Reads an index of ours without a process. Git is configured to write version 2, and version 3 differs by one field. */
export function parseIndex(bytes: Buffer, format: ObjectFormat): IndexEntry[] {
  const version = bytes.length < headerBytes ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3))
    throw new Error(`Internal error: expected an index of version 2 or 3, but was ${version}`);
  const oidBytes = format === "sha256" ? 32 : 20;
  if (!checksumOf(bytes, format).equals(bytes.subarray(-oidBytes)))
    throw new Error("Internal error: expected an index with a correct checksum, but it is damaged");
  const entries: IndexEntry[] = [];
  let at = headerBytes;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + statBytes + oidBytes;
    const extended = (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
    const pathAt = flagsAt + (extended ? 4 : 2);
    const end = bytes.indexOf(0, pathAt);
    entries.push({
      rawPath: bytes.toString("latin1", pathAt, end),
      mode: bytes.readUInt32BE(at + 24),
      oid: bytes.toString("hex", at + statBytes, flagsAt),
      at,
    });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}

/** Computes the hash that ends an index, over everything before it. */
export function checksumOf(bytes: Buffer, format: ObjectFormat): Buffer {
  return createHash(format)
    .update(bytes.subarray(0, Math.max(0, bytes.length - (format === "sha256" ? 32 : 20))))
    .digest();
}
