import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { systemReason } from "../base/result.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { planLimits } from "./limits.ts";
import { isId } from "./ids.ts";
import { oneFileOf, planFileBytesMax } from "./plan-folder.ts";
import { decodeText } from "./text.ts";
import type { PlanFile, PlanFiles } from "./types.ts";

/**
 * Reads the plan's folder, or its one file, and `.stint/` as they are on disk, without ever following a link or opening a FIFO.
 * What is not a plain file of moderate size is kept as a reason, so that approval cannot overlook it.
 */
export function readPlanFilesFromDisk(root: string, planName: string): PlanFiles {
  const reader = new Reader(root);
  reader.read(".stint");
  if (isId(planName)) {
    reader.read("plans", planName);
    reader.oneFile(planName);
  }
  return reader.files;
}

/** Why a file whose name was not UTF-8 is refused: its decoded name may be that of another file, or of several. */
export const lossyName = "its name is not valid UTF-8; rename it";

/** Whether a decoded path may stand for other bytes than its own. */
export function isLossy(path: string): boolean {
  return path.includes("\uFFFD");
}

/** Lists the plans by name: folders of `plans/`, whatever their names, and files there that say `stint:` at the top. Links are no plans. */
export function listPlans(root: string): string[] {
  const plans = (entriesOf(join(root, "plans")) ?? []).flatMap((entry) => {
    const path = join(root, "plans", entry);
    const stat = statOf(path);
    if (stat?.isDirectory() === true) return [entry];
    const name = entry.replace(/\.md$/, "");
    return stat?.isFile() === true && oneFileOf(name) === `plans/${entry}` && isId(name) && saysStint(path)
      ? [name]
      : [];
  });
  return [...new Set(plans)].toSorted();
}

/** Says of each file that could be a plan of `plans/` by its name why it is none; of notes with other names it says nothing. */
export function whyFilesAreNoPlans(root: string): string[] {
  const names = (entriesOf(join(root, "plans")) ?? []).filter((entry) => entry.endsWith(".md")).toSorted();
  return names.flatMap((entry) => {
    const path = join(root, "plans", entry);
    if (!isId(entry.replace(/\.md$/, "")) || statOf(path)?.isFile() !== true || saysStint(path)) return [];
    return [`plans/${entry} is not a plan: ${whyNoPlan(path)}`];
  });
}

function whyNoPlan(path: string): string {
  const file = readPlainFile(path);
  if ("unreadable" in file) return `it ${file.unreadable}`;
  if (file.bytes.length === 0) return "it is empty";
  return "problem" in decodeText(path, file.bytes) ? "it is not UTF-8 text" : 'its front matter has no "stint: 1"';
}

/** People keep notes beside their plans; only a plan has this key in its front matter. */
function saysStint(path: string): boolean {
  const file = readPlainFile(path);
  const text = "bytes" in file ? new TextDecoder().decode(file.bytes) : "";
  const split = splitFrontMatter(text);
  // Lint says what is wrong with front matter that is not closed.
  const front = typeof split === "object" ? split.yaml : split === "unclosed" ? text : "";
  return /^stint[ \t]*:/m.test(front);
}

class Reader {
  readonly files = new Map<string, PlanFile>();
  private readonly root: string;
  private totalBytes = 0;

  constructor(root: string) {
    this.root = root;
  }

  /** Reads `.stint`, or one folder of `plans`; a link on the way there would lead elsewhere. */
  read(top: string, name?: string): void {
    const folder = name === undefined ? top : `${top}/${name}`;
    for (const part of new Set([top, folder])) {
      const stat = statOf(join(this.root, part));
      if (stat === undefined) return;
      if (!stat.isDirectory()) {
        this.refuse(folder, part === folder ? `is ${kindOf(stat)}, not a folder` : `is below ${kindOf(stat)}`);
        return;
      }
    }
    this.walk(folder);
  }

  /** Reads the one file of a plan; a link on the way there was refused with the folder. */
  oneFile(name: string): void {
    const path = oneFileOf(name);
    const isFolder = statOf(join(this.root, "plans"))?.isDirectory() ?? false;
    const stat = isFolder ? statOf(join(this.root, path)) : undefined;
    if (stat?.isFile() === true) this.file(path);
    else if (stat !== undefined) this.refuse(path, `is ${kindOf(stat)}, not a file`);
  }

  /** Walks with a list instead of recursion, because the depth of the tree is not ours to choose. */
  private walk(top: string): void {
    const pending = [top];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const names = entriesOf(join(this.root, folder));
      if (names === undefined) this.refuse(folder, "is a folder that cannot be listed");
      for (const name of names ?? []) {
        if (this.files.size >= planLimits.planFilesMax) {
          this.refuse(top, `has more than ${planLimits.planFilesMax} files`);
          return;
        }
        this.entry(`${folder}/${name}`, pending);
      }
    }
  }

  private entry(path: string, pending: string[]): void {
    const stat = statOf(join(this.root, path));
    if (isLossy(path)) this.refuse(path, lossyName);
    else if (stat === undefined) this.refuse(path, "cannot be read");
    else if (stat.isDirectory() && !/\.(?:md|yaml)$/.test(path)) pending.push(path);
    else if (!stat.isFile()) this.refuse(path, `is ${kindOf(stat)}, not a file`);
    else this.file(path);
  }

  private file(path: string): void {
    if (this.files.has(path)) return;
    const file = readPlainFile(join(this.root, path), planFileBytesMax(path));
    this.totalBytes += "bytes" in file ? file.bytes.length : 0;
    const isTooMuch = this.totalBytes > planLimits.planBytesMax;
    this.files.set(
      path,
      isTooMuch ? { unreadable: `exceeds the limit of ${planLimits.planBytesMax} bytes for a whole plan` } : file,
    );
  }

  private refuse(path: string, unreadable: string): void {
    this.files.set(path, { unreadable });
  }
}

/** Reads one file of moderate size, without following links or blocking. It looks again after opening: the entry may have been replaced. */
export function readPlainFile(path: string, bytesMax: number = planLimits.planFileBytesMax): PlanFile {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { unreadable: `is ${kindOf(stat)}, not a file` };
    return withMode(readBounded(descriptor, stat.size, bytesMax), stat);
  } catch (error) {
    return { unreadable: `cannot be read: ${systemReason(error)}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads one byte more than it may keep, so that a file which grows while it is read is noticed. */
function readBounded(descriptor: number, size: number, max: number): PlanFile {
  if (size > max) return { unreadable: `is too large: ${size} bytes; a plan file may have at most ${max}` };
  const buffer = Buffer.alloc(Math.min(size, max) + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < buffer.length; length += count) {
    count = readSync(descriptor, buffer, length, buffer.length - length, null);
  }
  return length > size
    ? { unreadable: "changed while it was being read" }
    : { bytes: Uint8Array.from(buffer.subarray(0, length)) };
}

/** Git looks at the owner's bit alone, so we do as well. */
function withMode(file: PlanFile, { mode }: Stats): PlanFile {
  return "bytes" in file && (mode & constants.S_IXUSR) !== 0 ? { ...file, executable: true } : file;
}

function entriesOf(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isFIFO()) return "a FIFO";
  if (stat.isSocket()) return "a socket";
  return stat.isFile() ? "a file" : "a device";
}
