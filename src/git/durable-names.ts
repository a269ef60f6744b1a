import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns where an object lies if a repository has it itself and unpacked. */
export function looseFile(store: { readonly objectsDir: string }, oid: string): string {
  return join(store.objectsDir, oid.slice(0, 2), oid.slice(2));
}

/** Makes the names of loose objects durable: git syncs their content, but not the folders they are in. */
export async function syncNames(store: { readonly objectsDir: string }, oids: readonly string[]): Promise<void> {
  const folders = new Set(oids.map((oid) => dirname(looseFile(store, oid))));
  await Promise.all([...folders].map((folder) => syncFolder(folder)));
  if ([...folders].every((folder) => durable.has(folder))) return;
  await syncFolder(store.objectsDir);
  for (const folder of folders) durable.add(folder);
}

/** Folders of objects whose own names are known to be durable; a repository has at most 256 of them. */
const durable = new Set<string>();

/** Makes the names in a folder durable, which `fsync` of a file does not do. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
