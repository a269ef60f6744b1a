import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { visible } from "../../base/visible.ts";
import { joinNul, splitNul } from "../../git/names.ts";
import { git, gitOk } from "../../git/run.ts";
import { planLimits } from "../../plan/limits.ts";
import { readPlainFile } from "../../plan/read.ts";
import { makefiles } from "../../syntax/table.ts";
import { upkeepLimits } from "../limits.ts";

/** A kind of project whose set-up and checks `stint init` knows. */
export type Kind = "node" | "python" | "go" | "rust";

/** What `stint init` reads of a repository. */
export interface Survey {
  /** Paths from the root: tracked, or new and not ignored. */
  readonly files: ReadonlySet<string>;
  /** Contents of manifests by path; `unread` has those that are too large or not plain files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why a manifest was not read, as a sentence. */
  readonly unread: readonly string[];
  /** The folders that git ignores, of those that set-up may fill and `.stint`. */
  readonly ignored: ReadonlySet<string>;
  readonly hooks: HookFolder;
}

/** Where git looks for hooks, and which hooks it finds. */
interface HookFolder {
  /** Its path from the root of the repository; null if it is outside the work tree. */
  readonly path: string | null;
  readonly names: readonly string[];
}

/** A proposed command for `checks` of the rules; a doubtful one is written as a comment. */
export interface Proposal {
  readonly command: string;
  /** The folder it runs in; "" is the root. */
  readonly dir: string;
  /** What the command stands for in the project, shown beside it; it is text from the repository. */
  readonly says?: string | undefined;
  /** Why a person should look before using it. */
  readonly doubt?: string | undefined;
}

/** The command that prepares a fresh checkout for checks. */
export interface Setup {
  readonly command: string;
  readonly dir: string;
  /** Globs from the root of the repository. */
  readonly inputs: readonly string[];
  /** A folder of the checkout, below `dir`, that it fills. */
  readonly makes?: string;
  /** What people should know about it, in one line each. */
  readonly notes: readonly string[];
}

/** One project of the repository. */
export interface Found {
  readonly kind: Kind;
  readonly dir: string;
  /** The files that identify it. */
  readonly evidence: readonly string[];
  readonly setup: Setup | null;
  readonly checks: readonly Proposal[];
  /** Sentences for every agent. */
  readonly prose: readonly string[];
}

/** A protected glob, with the reason that is written beside it. */
export interface Protection {
  readonly glob: string;
  readonly why: string;
}

/** Reads a work tree: its list of files, its manifests, its hooks. It runs nothing, and follows no link. */
export async function surveyOf(root: string): Promise<Survey> {
  const [listed, gone] = await Promise.all([
    paths(root, ["--cached", "--others", "--exclude-standard"]),
    paths(root, ["--deleted"]),
  ]);
  const files = new Set(listed.filter((path) => !gone.includes(path)));
  const texts = new Map<string, string>();
  const unread: string[] = [];
  for (const path of manifestsOf(files)) {
    const found = readPlainFile(join(root, path));
    if ("bytes" in found) texts.set(path, new TextDecoder().decode(found.bytes));
    else
      unread.push(
        `${visible(path)} was not read: it is not a plain file of at most ${planLimits.planFileBytesMax} bytes.`,
      );
  }
  return { files, texts, unread, ignored: await ignoredIn(root, files), hooks: await hooksOf(root) };
}

/** Chooses the manifests to read: those at the root first, because a repository may have any number of folders. */
export function manifestsOf(files: ReadonlySet<string>): string[] {
  const found = [...files].filter((file) => manifest.test(file));
  const [top, below] = [found.filter((path) => !path.includes("/")), found.filter((path) => path.includes("/"))];
  return [...top, ...below].slice(0, upkeepLimits.initManifestsMax);
}

/** Matches manifests that are read, at the root or in a folder there. */
const manifest = new RegExp(
  `^(?:[^/]+/)?(?:package\\.json|\\.yarnrc\\.yml|pyproject\\.toml|(?:dev-)?requirements(?:-dev|-test)?\\.txt|go\\.mod|Cargo\\.toml|${makefiles.join("|")})$`,
);

async function paths(root: string, which: readonly string[]): Promise<string[]> {
  const args = ["ls-files", "-z", ...which];
  const { stdout } = await git(args, { cwd: root, config: "user", keepBytesMax: upkeepLimits.initListBytesMax });
  return splitNul(stdout).map((path) => path.toString("utf8"));
}

async function ignoredIn(root: string, files: ReadonlySet<string>): Promise<Set<string>> {
  const folders = ["", ...new Set([...files].flatMap((path) => /^[^/]+\//.exec(path)?.[0] ?? []))];
  const made = folders.flatMap((folder) => filled.map((name) => `${folder}${name}/x`));
  // Git would refuse `.stint` as a link; so does `layOut`, with a better message.
  const asked = [...made, ".stint/config.yaml"].filter(
    (path) => !path.startsWith(".stint/") || !isLink(root, ".stint"),
  );
  const { stdout } = await git(["check-ignore", "-z", "--stdin", "--no-index"], {
    cwd: root,
    config: "user",
    stdin: joinNul(asked),
  });
  return new Set(splitNul(stdout).map((path) => path.toString("utf8").replace(/\/[^/]*$/, "")));
}

function isLink(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const filled = ["node_modules", ".venv", "vendor", ".cargo-home"];

/** Asks git itself, because `core.hooksPath` may lead anywhere. */
async function hooksOf(root: string): Promise<HookFolder> {
  const answer = await gitOk(["rev-parse", "--path-format=absolute", "--git-path", "hooks"], {
    cwd: root,
    config: "own",
  });
  const folder = answer.toString("utf8").replace(/\n$/, "");
  const path = relative(root, folder);
  const isOutside = path.startsWith("..") || path === ".git" || path.startsWith(".git/");
  return { path: isOutside ? null : path, names: namesIn(folder) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function inDir(dir: string, name: string): string {
  return dir === "" ? name : `${dir}/${name}`;
}

/** Returns the first of these files that a project's folder has. */
export function firstOf({ files }: Survey, dir: string, names: readonly string[]): string | undefined {
  return names.find((name) => files.has(inDir(dir, name)));
}

/** Returns the text of a manifest; "" if there is none or it was not read. */
export function textOf({ texts }: Survey, dir: string, name: string): string {
  return texts.get(inDir(dir, name)) ?? "";
}
