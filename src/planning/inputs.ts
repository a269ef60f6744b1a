import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { checksLimits } from "../checks/limits.ts";
import { planLimits } from "../plan/limits.ts";
import { planningLimits } from "./limits.ts";
import { promptsLimits } from "../prompts/limits.ts";
import { whyForbidden } from "../plan/protected.ts";
import { readPlainFile } from "../plan/read.ts";
import { visible } from "../base/visible.ts";
import { inputNames, type InputFile } from "./machine/input-names.ts";
import { fail, ok, systemReason, type Failure, type Result } from "../base/result.ts";
import { decodeText } from "../plan/text.ts";

/**
 * Reads the inputs of a goal, by their path next to the plan, such as `inputs/login.png`. Folders are walked without
 * following links; hidden files in them are skipped.
 */
export async function readInputs(
  paths: readonly string[],
  cwd: string,
): Promise<Result<ReadonlyMap<string, Uint8Array>, Failure<"no-input">>> {
  const found = new Map<string, FoundFile>();
  const problems: string[] = [];
  for (const path of paths) await look(resolve(cwd, path), { cwd, found, problems });
  const files = [...found.values()];
  const read = problems.length > 0 ? [] : readAll(files, problems);
  if (problems.length > 0) return refused(problems);
  const names = inputNames(files);
  return ok(new Map(read.map((bytes, at) => [names[at] ?? "", bytes])));
}

interface FoundFile extends InputFile {
  readonly path: string;
  /** The path as a person would type it. */
  readonly shown: string;
  readonly size: number;
}

interface Search {
  readonly cwd: string;
  readonly found: Map<string, FoundFile>;
  readonly problems: string[];
}

async function look(top: string, search: Search): Promise<void> {
  const pending = [top];
  const before = search.problems.length;
  let [entries, files] = [0, 0];
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    if (++entries > planningLimits.inputEntriesMax) {
      search.problems.push(
        `${shownAs(top, search.cwd)} has more than ${planningLimits.inputEntriesMax} files and folders. Name the files that matter.`,
      );
      return;
    }
    const stat = await lstat(path).catch((error: unknown) => systemReason(error));
    if (typeof stat !== "string" && stat.isDirectory()) pending.unshift(...(await entriesOf(path, search)));
    else {
      files += 1;
      take(path, { top, stat, search });
    }
  }
  if (files === 0 && search.problems.length === before)
    search.problems.push(`${shownAs(top, search.cwd)} has no files that can be inputs. Name the files that matter.`);
}

async function entriesOf(folder: string, { cwd, problems }: Search): Promise<string[]> {
  try {
    const names = await readdir(folder);
    const shown = names.filter((name) => !name.startsWith(".")).toSorted();
    return shown.slice(0, planningLimits.inputEntriesMax).map((name) => join(folder, name));
  } catch (error) {
    problems.push(
      `${shownAs(folder, cwd)} cannot be listed: ${systemReason(error)}. Fix its permissions, or leave it out.`,
    );
    return [];
  }
}

function take(
  path: string,
  { top, stat, search }: { readonly top: string; readonly stat: Stats | string; readonly search: Search },
): void {
  const { found, problems, cwd } = search;
  const shown = shownAs(path, cwd);
  const below = path === top ? 1 : relative(top, path).split("/").length + 1;
  const segments = path.split("/").filter((segment) => segment !== "");
  const why = typeof stat === "string" ? whyAbsent(stat) : whyNoFile(path, stat);
  if (why !== undefined) problems.push(`${shown} ${why}.`);
  else if (typeof stat !== "string" && !found.has(path))
    found.set(path, { path, shown, segments, below, size: stat.size });
}

function whyAbsent(reason: string): string {
  return ["no such file or directory", "not a directory"].includes(reason)
    ? "does not exist. Correct the path"
    : `cannot be read: ${reason}. Fix its permissions, or leave it out`;
}

function whyNoFile(path: string, stat: Stats): string | undefined {
  if (stat.isSymbolicLink()) return "is a symbolic link. Name the file that it points to";
  if (!stat.isFile()) return "is not a regular file. Leave it out";
  const secret = whyForbidden(basename(path), []);
  if (secret !== undefined) return `cannot be an input: ${secret}, and inputs are committed. Leave it out`;
  return stat.size > planLimits.inputFileBytesMax
    ? `has ${stat.size} bytes; an input may have at most ${planLimits.inputFileBytesMax}. Give a smaller one`
    : undefined;
}

/** Reads all files, once it is clear that all of them fit. */
function readAll(files: readonly FoundFile[], problems: string[]): Uint8Array[] {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > promptsLimits.inputFilesMax)
    problems.push(
      `${files.length} input files are too many; at most ${promptsLimits.inputFilesMax} are allowed. Leave some out.`,
    );
  if (bytes > promptsLimits.inputBytesMax)
    problems.push(
      `All inputs together have ${bytes} bytes; at most ${promptsLimits.inputBytesMax} are allowed. Leave some out.`,
    );
  if (problems.length > 0) return [];
  return files.map(({ path, shown }) => {
    const file = readPlainFile(path, planLimits.inputFileBytesMax);
    const why = "bytes" in file ? whyNoInput(path, file.bytes) : file.unreadable;
    if (why !== undefined) problems.push(`${shown} ${why}.`);
    return "bytes" in file ? file.bytes : new Uint8Array();
  });
}

/** Says why the content of a file cannot be an input: its name and its first bytes must agree. */
function whyNoInput(name: string, bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "is empty. Leave it out";
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const kind = media.find(({ extensions }) => extensions.includes(extension));
  if (kind !== undefined) {
    if (kind.magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"))) return undefined;
    return `is named .${extension} but is not a ${kind.name}. Rename it to match its content`;
  }
  if ("text" in decodeText(name, bytes)) return undefined;
  const isMedia = media.some(({ magic }) => magic.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1")));
  return isMedia
    ? "is an image or a PDF with another extension. Rename it to match its content"
    : "is neither text in UTF-8 nor PNG, JPEG, GIF, WebP or PDF. Export it as one of these, or leave it out";
}

/** The kinds of files, with the bytes that each begins with. */
const media: readonly { readonly name: string; readonly extensions: readonly string[]; readonly magic: RegExp }[] = [
  { name: "PNG", extensions: ["png"], magic: /^\x89PNG\r\n.\n/s },
  { name: "JPEG", extensions: ["jpg", "jpeg"], magic: /^\xff\xd8\xff/ },
  { name: "GIF", extensions: ["gif"], magic: /^GIF8[79]a/ },
  { name: "WebP", extensions: ["webp"], magic: /^RIFF[^]{4}WEBP/ },
  { name: "PDF", extensions: ["pdf"], magic: /^%PDF-/ },
];

function shownAs(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return visible(near === "" || near.startsWith("..") ? path : near);
}

function refused(problems: readonly string[]): Result<never, Failure<"no-input">> {
  const named = problems.slice(0, checksLimits.pathsNamedMax);
  const more = problems.length > named.length ? [`and ${problems.length - named.length} more`] : [];
  return fail("no-input", `these cannot be inputs:\n${[...named, ...more].map((line) => `  ${line}`).join("\n")}`);
}
