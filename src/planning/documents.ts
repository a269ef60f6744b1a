import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { readPlainFile } from "../agents/driver-kit/outbox.ts";
import { planLimits } from "../plan/limits.ts";
import type { SessionOutput } from "./machine/session-output.ts";
import { readDraft } from "./read-outbox.ts";

/** Writes exactly these files into a folder, atomically and durably. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await completeFolder(folder);
  const { made, old } = besides(folder);
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) await writeDurably(join(made, name), bytes);
  await rm(old, { recursive: true, force: true });
  if (existsSync(folder)) await rename(folder, old);
  await rename(made, folder);
  realFiles.fsyncDir(dirname(folder));
  await rm(old, { recursive: true, force: true });
}

/** Renames the complete new folder, where a kill came between the two renames. */
async function completeFolder(folder: string): Promise<void> {
  const { made, old } = besides(folder);
  if (!existsSync(folder) && existsSync(old) && existsSync(made)) await rename(made, folder);
}

function besides(folder: string) {
  return { made: `${folder}.new`, old: `${folder}.old` };
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
  realFiles.fsyncDir(dirname(path));
}

/** The output of a session as files: the documents, the proposal for the rules, and the rest as JSON. */
export function filesOfOutput({ draft, rules, questions, findings }: SessionOutput): Map<string, Uint8Array> {
  return new Map([
    ...draftWithRules({ draft, rules }),
    ...(questions.length === 0 ? [] : [["questions.json", jsonBytes(questions)] as const]),
    ...(findings === null ? [] : [["findings.json", jsonBytes(findings)] as const]),
  ]);
}

/** Lists a draft and its proposal for the rules as files of one folder. */
export function draftWithRules({ draft, rules }: Pick<SessionOutput, "draft" | "rules">): Map<string, Uint8Array> {
  return new Map([...draft, ...(rules === null ? [] : [["rules.md", rules] as const])]);
}

/** Reads a draft that was written as `draftWithRules` lists it. */
export async function readKept(folder: string): Promise<Pick<SessionOutput, "draft" | "rules">> {
  await completeFolder(folder);
  const draft = await readDraft(folder, []);
  const rules = await readPlainFile(folder, "rules.md", planLimits.planFileBytesMax).catch(() => null);
  return { draft, rules };
}

/** Reads every file below a folder of ours, by its path from there; none where the folder is missing. */
export async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, Uint8Array>();
  for (const path of names.toSorted())
    files.set(
      path.slice(folder.length + sep.length),
      await readPlainFile(dirname(path), path.slice(dirname(path).length + 1), planLimits.inputFileBytesMax),
    );
  return files;
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
