import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { journalFolders, readJournal, untilFound, type JournalEvent } from "./follow.ts";

/** How a process ended and what it said. `code` is null where a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line of Stint that is still running. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => Promise<Ended>;
  /** Resolves with the first event of the newest run that has this type and for which `match` holds. */
  readonly waitForEvent: (type: string, match?: (event: JournalEvent) => boolean) => Promise<JournalEvent>;
  /** Resolves when a held agent or check has touched `<name>.reached`. */
  readonly waitForHold: (name: string) => Promise<void>;
  /** Resolves when it has printed this text. */
  readonly waitForOutput: (text: string) => Promise<void>;
}

export interface CliContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly gitDir: string;
  readonly outside: string;
  /** Instead of the CLI. */
  readonly program?: string;
  /** A command line that runs the CLI's: a tracer, say. */
  readonly under?: readonly string[];
  /** With a process group of its own, which then can be killed whole. */
  readonly ownGroup?: boolean;
}

/** STINT_CLI names another build to test; the default is the one of `npm run build`. */
const cliFile = process.env["STINT_CLI"] ?? join(import.meta.dirname, "..", "..", "dist", "cli.js");

/** Starts the real CLI in a process of its own. */
export function startCli(args: readonly string[], context: CliContext): Running {
  const { child, ended, out } = spawnIntoFiles(args, context);
  const gone = new AbortController();
  const until = async <T>(folders: () => readonly string[], look: () => T | undefined): Promise<T> =>
    untilFound(folders, look, gone.signal);
  void ended.then((end) => gone.abort(new Error(`stint ${args.join(" ")} ended too early: ${JSON.stringify(end)}`)));
  return {
    pid: child.pid ?? 0,
    ended,
    kill: async (signal) => {
      child.kill(signal);
      return ended;
    },
    waitForEvent: async (type, match = () => true) =>
      until(
        () => journalFolders(context.gitDir),
        () => readJournal(context.gitDir).find((event) => event.type === type && match(event)),
      ),
    waitForHold: async (name) => {
      const file = join(context.outside, `${name}.reached`);
      await until(
        () => [context.outside],
        () => (existsSync(file) ? true : undefined),
      );
    },
    waitForOutput: async (text) => {
      await until(
        () => [dirname(out)],
        () => readFileSync(out, "utf8").includes(text) || undefined,
      );
    },
  };
}

/** Output goes to files: a pipe would stay open as long as any orphan of a killed driver holds it. */
function spawnIntoFiles(args: readonly string[], context: CliContext) {
  const { cwd, env, outside, program = cliFile, under = [], ownGroup = false } = context;
  const folder = mkdtempSync(join(outside, "cli-"));
  const [out, err] = [join(folder, "stdout"), join(folder, "stderr")];
  const descriptors = [openSync(out, "w"), openSync(err, "w")] as const;
  const [command = "", ...rest] = [...under, process.execPath, program, ...args];
  const child = spawn(command, rest, { cwd, env, stdio: ["ignore", ...descriptors], detached: ownGroup });
  for (const descriptor of descriptors) closeSync(descriptor);
  const ended = once(child, "exit").then(([code]): Ended => ({
    code: code as number | null,
    stdout: readFileSync(out, "utf8"),
    stderr: readFileSync(err, "utf8"),
  }));
  return { child, ended, out };
}
