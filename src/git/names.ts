import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** An author as git writes it. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

export type ObjectFormat = "sha1" | "sha256";

/** Computes the name that git gives to an object; a process for each of thousands of files would be too slow. */
export function objectId(format: ObjectFormat, type: "blob" | "tree", bytes: Uint8Array): string {
  return createHash(format).update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Guards every call that puts an object name on a command line. */
export function assertOid(oid: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid))
    throw new Error(`Internal error: expected an object name, but was ${oid}`);
  return oid;
}

/** Guards every call that moves a ref: only full names are moved, because a short one could mean several. */
export function assertRef(ref: string): string {
  if (!/^refs\/[^\0\n ]+$/.test(ref)) throw new Error(`Internal error: expected a full ref name, but was ${ref}`);
  return ref;
}

/** Returns what `update-ref` takes for "must not exist yet", as long as `oid`. */
export function zeroLike(oid: string): string {
  return "0".repeat(oid.length);
}

/** Splits `-z` output into byte slices, because a file name need not be UTF-8. */
export function splitNul(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) parts.push(bytes.subarray(from));
  return parts;
}

/** Joins parts for `-z` input. */
export function joinNul(parts: readonly string[]): string {
  return parts.map((part) => `${part}\0`).join("");
}
