import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cliLimits } from "../limits.ts";
import { textDiff } from "../../base/text-diff.ts";
import { shortened } from "../../base/visible.ts";
import type { Io } from "../io.ts";

/** The documents of a draft, by name inside its folder. */
export type DraftFiles = ReadonlyMap<string, string>;

export type Edited =
  /** The difference, as it goes back to the planner. */
  { readonly kind: "changed"; readonly words: string } | { readonly kind: "not"; readonly why: string };

/** Reads the documents of a draft from a folder; editors leave other files there. */
export function draftFiles(folder: string): DraftFiles {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => /^(?:[^/]+|tasks\/[^/.][^/]*)\.md$/.test(name));
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** The person's editor, as git finds it. */
export function editorOf(env: Io["env"]): string | undefined {
  return [env["VISUAL"], env["EDITOR"]].find((set) => (set ?? "").trim() !== "");
}

/** Opens files in the person's editor, which has the terminal meanwhile; returns how it ended where that was not well. */
export async function openEditor(
  io: Io,
  { cwd, paths }: { readonly cwd: string; readonly paths: readonly string[] },
): Promise<string | undefined> {
  const editor = editorOf(io.env) ?? "";
  io.terminal?.flush();
  // Git does the same: the setting may have options, and the shell splits them.
  const child = spawn("sh", ["-c", `${editor} "$@"`, editor, ...paths], { cwd, env: io.env, stdio: "inherit" });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return code === 0 ? undefined : String(code ?? signal);
}

/** Opens files of a draft in the person's editor, which has the terminal meanwhile. */
export async function editFiles(io: Io, folder: string, names: readonly string[]): Promise<Edited> {
  if (editorOf(io.env) === undefined)
    return {
      kind: "not",
      why: "No editor is set. Leave with Ctrl-C, `export EDITOR=…`, then `stint plan --continue`.",
    };
  const before = draftFiles(folder);
  const failed = await openEditor(io, { cwd: folder, paths: names.map((name) => join(folder, name)) });
  if (failed !== undefined) {
    restore(folder, before);
    return { kind: "not", why: `The editor exited with ${failed}; the draft is unchanged.` };
  }
  const words = differenceOf(before, draftFiles(folder));
  return words === "" ? { kind: "not", why: "You changed nothing." } : { kind: "changed", words };
}

/** Writes the difference between two drafts, file by file; empty if they are the same. */
export function differenceOf(before: DraftFiles, after: DraftFiles): string {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const lines = names.flatMap((name) => {
    const hunks = textDiff(before.get(name) ?? "", after.get(name) ?? "");
    const isThere = [before.has(name), after.has(name)];
    if (hunks.length === 0 && isThere[0] === isThere[1]) return [];
    return [`--- ${isThere[0] ? name : "/dev/null"}`, `+++ ${isThere[1] ? name : "/dev/null"}`, ...hunks];
  });
  return shortened(lines.join("\n"), cliLimits.editWordsCharsMax);
}

function restore(folder: string, files: DraftFiles): void {
  for (const name of draftFiles(folder).keys()) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
