import path from "node:path";

/** What a process tree asked for, by the paths it used. */
export interface Asked {
  /** Names that were looked up, found or not, each with the folders that it may be relative to; undefined if that is any folder somebody worked in. */
  readonly names: readonly Name[];
  /** Folders whose entries were read. */
  readonly listed: ReadonlySet<string>;
  /** Folders that processes worked in, as they were named. */
  readonly workedIn: readonly Name[];
  /** What was renamed, linked or removed as a folder, and what came about as a folder. */
  readonly moved: readonly Name[];
  readonly made: readonly Name[];
  readonly executed: readonly Name[];
}

export interface Name {
  readonly path: string;
  readonly from: string | undefined;
}

/**
 * Reads what strace wrote about a command that began in `start`; what the sandbox did before is left out. Returns undefined if
 * the text is not whole, or if something happened after which names no longer tell which file was meant.
 */
export function readTrace(text: string, start: string): Asked | undefined {
  const lines = text.split("\n");
  const leader = /^\d+/.exec(text)?.[0] ?? "none";
  const begin = lines.findIndex((line) => decode(/^\d+ +chdir\("(.*)"\) += 0$/.exec(line)?.[1] ?? "") === start);
  if (begin === -1 || !lines.slice(-leaderTailMax).some((line) => isEnd(line, leader))) return undefined;
  const workedIn = [{ path: start, from: "/" }];
  const found: Found = { names: new Map(), listed: new Set(), workedIn, moved: [], made: [], executed: [] };
  for (const line of lines.slice(begin + 1)) if (!readLine(line, found)) return undefined;
  return { ...found, names: [...found.names.values()] };
}

/** The leader is the last to end; lines about its last threads may follow. */
const leaderTailMax = 20;

function isEnd(line: string, leader: string): boolean {
  return line.startsWith(`${leader} `) && line.includes("+++ exited with 0 +++");
}

interface Found {
  readonly names: Map<string, Name>;
  readonly listed: Set<string>;
  readonly workedIn: Name[];
  readonly moved: Name[];
  readonly made: Name[];
  readonly executed: Name[];
}

function readLine(line: string, found: Found): boolean {
  const [, call, args] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
  const result = /(?:\) += |resumed>.*\) += )-?\d+<([^>]*)>/.exec(line)?.[1];
  if (result !== undefined) add(found, { path: decode(result), from: "/" });
  if (call === undefined || args === undefined) return true;
  // By this flag, a path that begins with "/" begins elsewhere.
  if (blinding.has(call) || args.includes("RESOLVE_IN_ROOT")) return / = -1 /.test(line);
  if (listing.has(call)) return list(args, found);
  const named = namesIn(call, args);
  if (named === undefined) return false;
  for (const name of named) add(found, name);
  if (call === "chdir") found.workedIn.push(...named);
  if (call === "fchdir") found.workedIn.push({ path: folderIn(args), from: "/" });
  if (call.startsWith("mkdir")) found.made.push(...named);
  if (call.startsWith("rename")) found.made.push(...named.slice(1));
  if (/^(?:rename|link)/.test(call)) found.moved.push(...named.slice(0, 1));
  if (call === "rmdir" || args.includes("AT_REMOVEDIR")) found.moved.push(...named);
  if (call.startsWith("execve")) found.executed.push(...named);
  return !linking.has(call) || /^\s*\d+.* = -1 /.test(line) || leadsElsewhere(named);
}

/** After these, names may mean other files. */
const blinding = new Set(["mount", "umount2", "chroot", "pivot_root", "move_mount", "open_tree", "open_by_handle_at"]);
const listing = new Set(["getdents", "getdents64"]);
const linking = new Set(["symlink", "symlinkat"]);

function list(args: string, { listed }: Found): boolean {
  listed.add(folderIn(args));
  return true;
}

function folderIn(args: string): string {
  return decode(/^\d+<([^>]*)>/.exec(args)?.[1] ?? "");
}

function add({ names }: Found, name: Name): void {
  names.set(`${name.from ?? ""}\0${name.path}`, name);
}

/** Returns the paths in the arguments of a call; undefined if one was cut off, or if the process did not let it be read. */
function namesIn(call: string, args: string): Name[] | undefined {
  if (/(?:^|>, )0x[0-9a-f]/.test(args) && call !== "getcwd") return undefined;
  const texts = [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"(\.\.\.)?/g)];
  // What follows is arguments of a program, or what the kernel answered.
  const paths = texts.slice(0, /link(?:at)?$|^rename/.test(call) && !call.startsWith("readlink") ? 2 : 1);
  if (paths.some(([, , , cut]) => cut !== undefined)) return undefined;
  return paths.map(([, from, path = ""]) => ({ path: decode(path), from: folderOf(from) }));
}

/** Returns the folder that a name is relative to; undefined if what was open is no folder, or one that is gone. */
function folderOf(open: string | undefined): string | undefined {
  return open?.startsWith("/") === true && !open.endsWith(" (deleted)") ? decode(open) : undefined;
}

/** Whether a link that was made leads out of everything that is watched, whatever it is relative to. */
function leadsElsewhere([target, at]: readonly Name[]): boolean {
  if (target === undefined || at === undefined) return false;
  if (!at.path.startsWith("/") && at.from === undefined) return false;
  const link = at.path.startsWith("/") ? at.path : `${at.from ?? ""}/${at.path}`;
  const end = target.path.startsWith("/") ? target.path : `${link}/../${target.path}`;
  return ["/tmp/", "/stint/home/"].some((folder) => path.normalize(end).startsWith(folder));
}

/** Turns what strace wrote into the text it stands for; bytes that are not UTF-8 become marks of their own. */
function decode(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  for (const [part, octal, letter] of text.matchAll(/\\([0-7]{1,3})|\\(.)|[^\\]+/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(letters[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(part, "utf8"));
  }
  return Buffer.from(bytes).toString("utf8");
}

const letters: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, e: 27 };
