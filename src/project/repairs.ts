import { basename, dirname, join } from "node:path";
import type { EventOf } from "../engine/events.ts";
import type { FilePort } from "../journal/file-port.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

/**
 * The cuts of a journal that it does not tell of yet: of this opening, or of one that came to nothing before it could say
 * so. The torn bytes are kept beside the journal, so none is forgotten.
 */
export function untoldRepairs(
  files: FilePort,
  path: string,
  entries: readonly RunEntry[],
): EventOf<"journal-repaired">[] {
  const told = new Set(entries.flatMap((entry) => (entry.type === "journal-repaired" ? basename(entry.keptAt) : [])));
  const [folder, prefix] = [dirname(path), `${basename(path)}.torn-`];
  const kept = files.readdir(folder).filter((name) => name.startsWith(prefix) && !told.has(name));
  return kept.toSorted().map((name) => {
    const keptAt = join(folder, name);
    return { type: "journal-repaired", bytes: files.stat(keptAt)?.size ?? 0, keptAt };
  });
}
