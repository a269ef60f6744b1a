import { createHash, randomBytes } from "node:crypto";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { ObjectFormat } from "./names.ts";

/** Where objects are written: the control repository, or the user's. */
export interface ObjectStore {
  readonly objectsDir: string;
  readonly objectFormat: ObjectFormat;
}

/** The name git gives to these bytes. */
export function objectName(format: ObjectFormat, type: string, body: Uint8Array): string {
  return createHash(format).update(`${type} ${body.length}\0`).update(body).digest("hex");
}

/** Where an object lies if the repository holds it itself and unpacked. */
export function looseFile(store: Pick<ObjectStore, "objectsDir">, oid: string): string {
  return join(store.objectsDir, oid.slice(0, 2), oid.slice(2));
}

/** Writes one object durably without a process: the format of a loose object has not changed since 2005, and each git process costs as much as this whole call. */
export async function writeObject(
  store: ObjectStore,
  type: "blob" | "tree" | "commit",
  body: Uint8Array,
): Promise<string> {
  const oid = objectName(store.objectFormat, type, body);
  const file = looseFile(store, oid);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  if (!(await exists(file)))
    await writeDurably(
      file,
      await compress(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]), { level: 1 }),
    );
  await syncNames(store, [oid]);
  return oid;
}

/** Makes the names of loose objects durable, also of those that git wrote, which does not, or a process that died before it did. */
export async function syncNames(store: Pick<ObjectStore, "objectsDir">, oids: readonly string[]): Promise<void> {
  const folders = new Set(oids.map((oid) => dirname(looseFile(store, oid))));
  await Promise.all([...folders].map((folder) => syncFolder(folder)));
  if ([...folders].every((folder) => durable.has(folder))) return;
  await syncFolder(store.objectsDir);
  for (const folder of folders) durable.add(folder);
}

/** Folders of objects whose own names are known to be durable; there are at most 256 of a repository. */
const durable = new Set<string>();

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate);

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file.slice(0, file.lastIndexOf("/"))}/tmp_obj_${randomBytes(8).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", 0o444);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the names in a folder durable, as `fsync` of a file does not. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
