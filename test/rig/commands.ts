import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { untilFound } from "./follow.ts";
import type { Rig } from "./rig.ts";

/** Where commands to the newest run arrive. */
export function commandFolder(rig: Rig): string {
  const runs = join(rig.gitDir, "stint", "runs");
  return join(runs, readdirSync(runs).toSorted().at(-1) ?? "", "commands");
}

/** The names of files that wait there, without what was put aside. */
export function commandNames(rig: Rig): readonly string[] {
  const dir = commandFolder(rig);
  return existsSync(dir) ? readdirSync(dir).filter((name) => name !== "aside") : [];
}

/** Resolves with the name of the first command that lies there whole. */
export async function untilSent(rig: Rig): Promise<string> {
  const dir = commandFolder(rig);
  const signal = AbortSignal.timeout(30_000);
  return untilFound(
    () => [existsSync(dir) ? dir : join(dir, "..")],
    () => commandNames(rig).find((name) => /^[^.].*\.json$/.test(name)),
    signal,
  );
}

/** Puts a file there as some process that is no `stint` might. */
export function putCommand(rig: Rig, name: string, content: unknown): void {
  mkdirSync(commandFolder(rig), { recursive: true, mode: 0o700 });
  const temporary = join(commandFolder(rig), `.${name}.tmp`);
  writeFileSync(temporary, typeof content === "string" ? content : JSON.stringify(content));
  renameSync(temporary, join(commandFolder(rig), name));
}
