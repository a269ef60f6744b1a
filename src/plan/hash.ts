import { createHash } from "node:crypto";
import { splitFrontMatter } from "./front-matter.ts";
import { isOfPlan, isOneFile } from "./plan-folder.ts";
import { findBoxes } from "./task-lines.ts";
import { decodeText, overwrite } from "./text.ts";
import type { PlanFile, PlanFiles } from "./types.ts";

/**
 * What an approval approves: sha256, in hex, over every file of the plan (those below `plans/<planName>/`, or
 * `plans/<planName>.md`), every file below `.stint/`, and the `honoured` files: settings for agents elsewhere in the repository that the configuration lets them obey.
 *
 * The files are taken in ascending order of the bytes of their paths. A path is relative to the repo root, has `/`
 * between its parts and is UTF-8. Each file adds to the hash: its path, one NUL byte, the number of its bytes in
 * decimal ASCII, one NUL byte, its bytes. Nothing comes between two files. Of `plans/<planName>/plan.md`, or
 * `plans/<planName>.md`, the bytes are those of `approvedBytes`, so that ticking a box changes nothing; every other byte of every file counts.
 * An executable file (git's mode 100755) adds `executable` and one NUL byte before the number of its bytes: a script
 * that nothing could start and one that a check can start are not the same plan.
 * A file that cannot be read (a FIFO, a symbolic link, too large) adds its path, NUL, `unreadable`, NUL and the reason.
 */
export function approvalHash(files: PlanFiles, planName: string, honoured: PlanFiles = new Map()): string {
  const hash = createHash("sha256");
  for (const [path, file] of approvedFiles(files, planName, honoured)) {
    const bytes = "bytes" in file ? approvedBytes(path, file.bytes) : Buffer.from(file.unreadable);
    const length = "bytes" in file ? String(bytes.length) : "unreadable";
    const mode = "bytes" in file && file.executable === true ? "executable\0" : "";
    hash.update(`${path}\0${mode}${length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * The bytes of a file as they are approved. For a path of the form `plans/<plan>/plan.md` each ticked box counts as
 * empty: the `x` of a task line is read as a space. A task line comes after the front matter, under the heading
 * `## Tasks` and before the next heading of level 1 or 2, outside fenced code, HTML comments and `<pre>` blocks; it is a
 * list item `- [x] [id](tasks/id.md)`, as `findTaskLines` reads it. In `plans/<plan>.md` it is a heading
 * `## [x] id title`, as `readTaskHeading` reads it. Any other file is approved as it is.
 */
export function approvedBytes(path: string, bytes: Uint8Array): Uint8Array {
  if (!/^plans\/[^/]+\/plan\.md$/.test(path) && !isOneFile(path)) return bytes;
  const decoded = decodeText(path, bytes);
  const split = "text" in decoded ? splitFrontMatter(decoded.text) : "none";
  if (!("text" in decoded) || typeof split === "string") return bytes;
  const ticked = findBoxes(split, path).filter((line) => line.ticked);
  const boxes = ticked.map((line) => split.bodyIndex + line.boxIndex);
  return overwrite(bytes, decoded.text, boxes, " ");
}

/** Makes a hash short enough for names that people read and type, to distinguish one request from another. */
export function shortHash(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 8);
}

function approvedFiles(files: PlanFiles, planName: string, honoured: PlanFiles): [string, PlanFile][] {
  const own = [...files].filter(([path]) => isOfPlan(path, planName) || path.startsWith(".stint/"));
  return [...new Map([...honoured, ...own])].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
