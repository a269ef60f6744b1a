import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "./cli.ts";
import { untilFound } from "./follow.ts";
import type { Rig } from "./rig.ts";
import { whyNoStrace } from "./strace.ts";

/** Whether the machine can show what a process asks of the system. */
export const hasStrace = whyNoStrace() === undefined;

/** A command line that waits at a call to the system. */
export interface Stopped {
  /** Resolves once it is. */
  readonly isStopped: () => Promise<number>;
  readonly goOn: () => Promise<Ended>;
}

/** Runs the command line to its end; returns its calls, and those of its children, in order. */
export async function traced(rig: Rig, words: readonly string[], calls: readonly string[]): Promise<string[]> {
  const { trace, start } = prepare(rig, ["-f", "--seccomp-bpf", "-y", "-e", `trace=${calls.join(",")}`]);
  await start(words).ended;
  return readFileSync(trace, "utf8").split("\n");
}

/** Starts the command line so that the system stops it after its first call of that name on that file. */
export function startStopped(rig: Rig, words: readonly string[], at: { call: string; file: string }): Stopped {
  const inject = ["-e", `trace=${at.call}`, "-e", `inject=${at.call}:signal=SIGSTOP:when=1`];
  const { trace, start } = prepare(rig, ["-f", "-P", at.file, ...inject]);
  const running = start(words);
  const stop = () => /^(\d+) .*stopped by SIGSTOP/m.exec(readFileSync(trace, "utf8"))?.[1];
  const isStopped = async () => Number(await untilFound(() => [rig.outside], stop, AbortSignal.timeout(60_000)));
  return {
    isStopped,
    goOn: async () => {
      process.kill(await isStopped(), "SIGCONT");
      return running.ended;
    },
  };
}

let count = 0;

function prepare(rig: Rig, options: readonly string[]) {
  const name = `strace-${(count += 1)}`;
  const [trace, program] = [join(rig.outside, `${name}.txt`), join(rig.outside, `${name}.mjs`)];
  const cli = process.env["STINT_CLI"] ?? join(import.meta.dirname, "..", "..", "dist", "cli.js");
  const words = ["-qq", "-s", "300", "-o", trace, ...options, process.execPath, cli];
  const body = `spawnSync("strace", [...${JSON.stringify(words)}, ...process.argv.slice(2)], { stdio: "inherit" }).status`;
  writeFileSync(trace, "");
  writeFileSync(program, `import { spawnSync } from "node:child_process"; process.exitCode = ${body};`);
  return { trace, start: (args: readonly string[]) => rig.start(args, { program }) };
}

const changing = ["write", "pwrite64", "writev", "ftruncate", "truncate", "rename", "renameat2", "unlink", "unlinkat"];
const making = ["mkdir", "mkdirat", "link", "linkat", "symlink", "chmod", "fchmod", "utimensat"];
/** What tells whether a process locks, writes or makes durable. */
export const changingCalls = ["flock", "fcntl", "openat", "pread64", "fsync", ...changing, ...making];

/** Locks, and whatever writes where runs are kept; a call that failed changed nothing. */
export function changesIn({ gitDir }: Rig, trace: readonly string[]): string[] {
  const done = trace.filter((line) => !/= -1 E\w+/.test(line));
  const isWrite = new RegExp(
    `^\\d+ +(?:openat\\(.*(?:O_WRONLY|O_RDWR|O_CREAT)|(?:${[...changing, ...making].join("|")})\\()`,
  );
  const isLock = /^\d+ +(?:flock\(|fcntl\(.*F_(?:OFD_)?SETLK)/;
  return done.filter((line) => isLock.test(line) || (isWrite.test(line) && line.includes(join(gitDir, "stint"))));
}
