import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { startCli, type CliContext, type Ended, type Running } from "./cli.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { newestJournal, readJournal, type JournalEvent } from "./follow.ts";
import { layOutMoves } from "./lay-out.ts";
import type { Moves, Saved } from "./moves.ts";
import { document, plan, type PlanSpec } from "./plan.ts";
import { endProcessesOf, processesOf, type RigProcess } from "./processes.ts";

export interface RigOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** A function gets the folder outside the repo, for checks that are held or leave marks there. */
  readonly plan?: PlanSpec | ((outside: string) => PlanSpec);
  /** Front matter of .stint/rules.md. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Merged, section by section, into a config that runs the scripted agent one task at a time. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The list `hooks` of the config. */
  readonly hooks?: readonly unknown[] | ((outside: string) => readonly unknown[]);
  readonly moves?: Moves;
  /** `bwrap` confines agents and checks; what lies outside the repo stays writable for them, so that tests can steer. */
  readonly sandbox?: "bwrap" | "none";
}

export interface CallOptions extends Partial<Pick<CliContext, "cwd" | "env" | "program" | "under" | "ownGroup">> {}

/** `status --json`, as docs/formats/command-line.md has it. */
export interface Status {
  readonly run: string;
  readonly plan: string;
  readonly state: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly state: string;
    readonly attempts: number;
    readonly commit: string | null;
    readonly reason: string | null;
  }[];
  readonly questions: readonly {
    readonly id: string;
    readonly task: string;
    readonly about: string;
    readonly question: string;
    readonly options: readonly string[];
    readonly files: readonly string[];
  }[];
  readonly cost: { readonly usd: number; readonly input_tokens: number; readonly output_tokens: number };
}

/** A real repo, the real CLI and a scripted agent, in a folder of their own. */
export interface Rig extends AsyncDisposable {
  readonly root: string;
  readonly repo: string;
  readonly gitDir: string;
  /** Of every command line: nothing of the machine that runs the tests but its PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the agent's moves, holds and saved facts are: never inside the repo. */
  readonly outside: string;
  /** Runs the CLI to its end. */
  readonly stint: (args: readonly string[], options?: CallOptions) => Promise<Ended>;
  readonly start: (args: readonly string[], options?: CallOptions) => Running;
  readonly moves: (moves: Moves) => void;
  /** Lets go a hold of the agent or of a check. */
  readonly release: (name: string) => void;
  readonly saved: (name: string) => Saved;
  readonly isMarked: (name: string) => boolean;
  readonly journal: () => readonly JournalEvent[];
  /** Appends bytes to the newest journal, as a write cut short by a power loss would. */
  readonly tearJournal: (bytes: string) => void;
  readonly events: (type: string, task?: string) => readonly JournalEvent[];
  readonly status: () => Promise<Status>;
  readonly git: (...args: readonly string[]) => string;
  readonly controlGit: (...args: readonly string[]) => string;
  readonly write: (path: string, text: string) => void;
  readonly commit: (message: string) => string;
  readonly fingerprint: () => Record<string, string>;
  readonly processes: () => readonly RigProcess[];
}

/** Makes a rig; `await using` removes its folder and whatever still runs in it. */
export async function createRig(options: RigOptions = {}): Promise<Rig> {
  const root = realpathSync(mkdtempSync(join(folderFor(options.sandbox ?? "none"), "stint-rig-")));
  const [repo, outside] = [join(root, "repo"), join(root, "outside")];
  for (const name of ["repo", "outside", "home", "state", "config", "tmp"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "home", ".gitconfig"), gitConfig);
  const env = hermeticEnvironment(root);
  const context: CliContext = { cwd: repo, env, gitDir: join(repo, ".git"), outside };
  const rig = rigAt(root, context);

  rig.git("init", "--quiet");
  for (const [path, text] of Object.entries(filesOf(options, outside))) rig.write(path, text);
  rig.commit("Start");
  rig.moves(options.moves ?? {});
  return rig;
}

/** In a sandbox the temporary folder is private anyway; what it hides is to be seen from elsewhere. */
function folderFor(sandbox: "bwrap" | "none"): string {
  if (sandbox === "none") return tmpdir();
  const folder = join(import.meta.dirname, "..", "..", ".cache", "rigs");
  mkdirSync(folder, { recursive: true });
  return folder;
}

function rigAt(root: string, context: CliContext): Rig {
  const { cwd: repo, env, gitDir, outside } = context;
  const start: Rig["start"] = (args, more = {}) =>
    startCli(args, { ...context, ...more, env: { ...env, ...more.env } });
  const stint: Rig["stint"] = async (args, more) => start(args, more).ended;
  const git: Rig["git"] = (...args) =>
    execFileSync("git", args, { cwd: repo, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const write: Rig["write"] = (path, text) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  const journal: Rig["journal"] = () => readJournal(gitDir);
  return {
    root,
    repo,
    gitDir,
    env,
    outside,
    start,
    stint,
    git,
    write,
    journal,
    tearJournal: (bytes) => {
      appendFileSync(newestJournal(gitDir) ?? "", bytes);
    },
    controlGit: (...args) => git("--git-dir", join(gitDir, "stint", "control.git"), ...args),
    events: (type, task) =>
      journal().filter((event) => event.type === type && (task === undefined || event.task === task)),
    moves: (moves) => layOutMoves(outside, moves),
    release: (name) => {
      writeFileSync(join(outside, name), "");
    },
    saved: (name) => JSON.parse(readFileSync(join(outside, name), "utf8")) as Saved,
    isMarked: (name) => existsSync(join(outside, name)),
    status: async () => JSON.parse((await stint(["status", "--json"])).stdout) as Status,
    commit: (message) => {
      git("add", "--all");
      git("commit", "--quiet", "--message", message);
      return git("rev-parse", "HEAD");
    },
    fingerprint: () => fingerprintOf(repo, git),
    processes: () => processesOf(root),
    [Symbol.asyncDispose]: async () => {
      endProcessesOf(root);
      if (process.env["RIG_KEEP"] === undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const gitConfig = "[user]\n\tname = Rig User\n\temail = rig@example.com\n[init]\n\tdefaultBranch = main\n";

/** Nothing of the machine that runs the tests but its PATH. */
function hermeticEnvironment(root: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(root, "home"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CONFIG_HOME: join(root, "config"),
    TMPDIR: join(root, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    RIG_MOVES: join(root, "outside", "moves.json"),
  };
}

function filesOf(options: RigOptions, outside: string): Record<string, string> {
  const spec = typeof options.plan === "function" ? options.plan(outside) : options.plan;
  return {
    "README.md": "A repo of the tests.\n",
    ".stint/config.yaml": stringify(configOf(options, outside)),
    ...(options.rules === undefined ? {} : { ".stint/rules.md": document(options.rules, "Work carefully.") }),
    ...(spec === undefined ? {} : plan(spec)),
    ...options.files,
  };
}

function configOf({ config: more = {}, hooks = [], sandbox = "none" }: RigOptions, outside: string) {
  const command = ["/bin/sh", join(import.meta.dirname, "agent.sh"), process.execPath];
  const config: Record<string, Record<string, unknown>> = {
    agents: { scripted: { driver: "command", command, env: ["RIG_MOVES"] } },
    roles: { executor: { agent: "scripted" } },
    run: { parallel: 1, sandbox, replan: "never" },
    workspace: sandbox === "none" ? {} : { mounts: [`${outside}:rw`, import.meta.dirname] },
  };
  for (const [section, values] of Object.entries(more)) config[section] = { ...config[section], ...values };
  const list = typeof hooks === "function" ? hooks(outside) : hooks;
  return list.length === 0 ? config : { ...config, hooks: list };
}

/** A check's command that waits until the test releases `name`. */
export function heldBy(name: string, outside: string): string {
  const file = `'${join(outside, name)}'`;
  return `{ : >${file}.reached; test -e ${file} || '${process.execPath}' '${join(import.meta.dirname, "hold.mjs")}' ${file}; }`;
}
