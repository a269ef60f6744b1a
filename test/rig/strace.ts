import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newestJournal } from "./follow.ts";
import type { CallOptions, Rig } from "./rig.ts";

/** The calls of the system that change what is on the disk or make it durable. */
const watchedCalls =
  "write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate";

/** One call of a counting run: the `nth` of its kind that `who` made; of git, which call of git. */
export interface Call {
  readonly who: "main thread" | "pool thread" | `git ${string}`;
  readonly name: string;
  readonly nth: number;
  /** Inside the rig, without what is another in every run. */
  readonly path: string;
  /** How many of its kind the main thread made in all. */
  readonly ofMain: number;
}

/** Why processes cannot be traced on this machine; undefined where they can. */
export function whyNoStrace(): string | undefined {
  const { error, status, stderr } = spawnSync("strace", [...quietly("/dev/null"), "-f", ...notChildren, "true"]);
  if (status === 0) return undefined;
  return error === undefined ? `strace does not work here: ${stderr.toString().trim()}` : "strace is not installed";
}

/** Options of a `rig.start` whose calls, and those of its git, are written down. */
export function counting(rig: Rig): CallOptions {
  const traced = ["strace", "-f", "-y", ...notChildren, ...quietly(join(rig.outside, "trace"))];
  return { under: traced, env: { ...onePoolThread, PATH: pathWithGit(rig, "*", ["-y"]) } };
}

/** The calls on files that were made in a counting run; those on pipes and sockets leave nothing behind. */
export function countedCalls(rig: Rig): readonly Call[] {
  const all = linesOf(join(rig.outside, "trace"));
  // The journal is written by the main thread, objects are written by the pool.
  const main = threadThat(all, /fsync\(\d+<[^>]*journal\.jsonl>/);
  const pool = threadThat(all, /fsync\(\d+<[^>]*control\.git\/objects>/);
  const ofMain = (name: string): number => callsIn(main).filter((call) => call.name === name).length;
  const callsOf = (who: Call["who"], lines: readonly string[]): readonly Call[] =>
    callsIn(lines)
      .filter(({ path }) => path.startsWith(rig.root))
      .map(({ name, nth, path }) => ({ who, name, nth, path: lasting(path, rig), ofMain: ofMain(name) }));
  const ofGit = readdirSync(gitCalls(rig)).flatMap((name) =>
    callsOf(`git ${name}`, linesOf(join(gitCalls(rig), name, "trace"))),
  );
  return [...callsOf("main thread", main), ...callsOf("pool thread", pool), ...ofGit];
}

/** Options of a `rig.start` that is killed as it makes this call, before it is made; of git, only that git is. */
export function killedAt(rig: Rig, { who, name, nth, ofMain }: Call): CallOptions {
  const kill = (at: number): readonly string[] => ["-e", `inject=${name}:signal=KILL:when=${at}`];
  const trace = ["strace", "-y", ...quietly(join(rig.outside, "trace"), name)];
  if (who === "main thread") return { under: [...trace, ...kill(nth)], env: onePoolThread };
  if (who !== "pool thread")
    return { env: { ...onePoolThread, PATH: pathWithGit(rig, who.slice(4), ["-y", ...kill(nth)]) } };
  const warm = 2 * (ofMain + margin);
  const under = [...trace, "-f", ...notChildren, ...kill(warm + nth)];
  return { under, env: { ...onePoolThread, RIG_WARM: `${name} ${warm}`, NODE_OPTIONS: warmPool } };
}

/** Options of a `rig.start` that is killed as it writes that line, counted from its start, to the newest run's journal. */
export function killedAtLine(rig: Rig, nth: number): CallOptions {
  const journal = newestJournal(rig.gitDir) ?? "no journal";
  const kill = ["-P", journal, "-e", `inject=write:signal=KILL:when=${nth}`];
  return { under: ["strace", "-y", ...quietly(join(rig.outside, "trace"), "write"), ...kill], env: onePoolThread };
}

/** The file that the process was about to change when it was killed; undefined where the call was not reached. */
export function killedOn(rig: Rig, { who }: Call): string | undefined {
  const isGit = who !== "main thread" && who !== "pool thread";
  const file = isGit ? join(gitCalls(rig), who.slice(4), "trace") : join(rig.outside, "trace");
  const lines = existsSync(file) ? linesOf(file) : [];
  if (!lines.some((line) => line.endsWith("+++ killed by SIGKILL +++"))) return undefined;
  // A call that was never made has no result.
  const [unmade] = callsIn(lines.filter((line) => /= \?$|<unfinished \.\.\.>$/.test(line))).slice(-1);
  return lasting(unmade?.path ?? "", rig);
}

/** The main thread may make a few more calls than in the counting run. */
const margin = 100;
const onePoolThread = { UV_THREADPOOL_SIZE: "1" };
const warmPool = `--import=${join(import.meta.dirname, "warm-pool.mjs")}`;
/** Threads are followed, other programs are not. */
const notChildren = ["--detach-on=execve", "--seccomp-bpf"];

function quietly(file: string, calls: string = watchedCalls): readonly string[] {
  return ["-qq", "-o", file, "-e", `trace=${calls}`];
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\n");
}

function lasting(path: string, { root }: Rig): string {
  const changing =
    /\d{8}-\d{6}-work-[0-9a-f]{4}|[0-9a-f-]{12,}|(?<=[-_])\w{6}(?=$|\/)|(?<=objects\/)\w\w\b|(?<=\/)\d+(?=\.lock)/g;
  return path.replace(`${root}/`, "").replaceAll(changing, "*");
}

/** The lines of the thread that made such a call. */
function threadThat(lines: readonly string[], made: RegExp): readonly string[] {
  const thread = lines.find((line) => made.test(line))?.split(" ", 1)[0] ?? "none";
  return lines.filter((line) => line.startsWith(`${thread} `));
}

/** A line is `[thread] name(arguments) = result`; what another thread interrupted goes on in a line of its own. */
function callsIn(lines: readonly string[]): readonly Omit<Call, "who" | "ofMain">[] {
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, name, rest = ""] = /^(?:\d+ +)?([a-z0-9_]+)\((.*)/.exec(line) ?? [];
    if (name === undefined) return [];
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const [, byDescriptor, byName] = /^(?:\d+<([^>]*)>|(?:AT_FDCWD[^,]*, )?"([^"]*)")/.exec(rest) ?? [];
    return [{ name, nth, path: byDescriptor ?? byName ?? "" }];
  });
}

function gitCalls(rig: Rig): string {
  return join(rig.outside, "git-calls");
}

/** A `git` in front of the real one, which traces the call of that name: `update-ref.2` is the second such call, `*` is all. */
function pathWithGit(rig: Rig, which: string, options: readonly string[]): string {
  const [folder, real] = [join(rig.outside, "bin"), execFileSync("sh", ["-c", "command -v git"]).toString().trim()];
  mkdirSync(gitCalls(rig), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const traced = ["strace", ...quietly('"$call/trace"'), ...options, real].join(" ");
  const script = `#!/bin/sh
skip=
for word; do
  if [ -n "$skip" ]; then skip=; continue; fi
  case $word in -c) skip=yes ;; -*) ;; *) break ;; esac
done
nth=1
until mkdir "${gitCalls(rig)}/$word.$nth" 2>/dev/null; do nth=$((nth + 1)); done
call="${gitCalls(rig)}/$word.$nth"
case $word.$nth in ${which}) exec ${traced} "$@" ;; esac
exec ${real} "$@"
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  return `${folder}:${process.env["PATH"] ?? "/usr/bin:/bin"}`;
}
