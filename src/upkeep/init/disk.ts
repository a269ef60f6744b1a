import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join, relative } from "node:path";
import { joinNul, splitNul } from "../../git/names.ts";
import { git, gitOk } from "../../git/run.ts";
import { planLimits } from "../../plan/limits.ts";
import { upkeepLimits } from "../limits.ts";
import { readPlainFile } from "../../plan/read.ts";
import { visible } from "../../base/visible.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { makefiles } from "../../syntax/table.ts";
import type { HookFolder, Survey } from "./survey.ts";

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

/** The manifests to read: those at the root first, because a repository may have any number of folders. */
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

const filled = ["node_modules", ".venv", "vendor", ".cargo-home"];

/** Git's own answer, because `core.hooksPath` may lead anywhere. */
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

/** Which files were written, and which were kept. */
export interface Laid {
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

/** Writes the missing files of `.stint/`; existing ones stay, and anything but plain files and folders is refused. */
export function layOut(root: string, files: ReadonlyMap<string, string>): Result<Laid> {
  for (const path of [stintFolder, ...files.keys()]) {
    const refused = whyNot(root, path);
    if (refused !== undefined) return fail("in-the-way", refused);
  }
  mkdirSync(join(root, stintFolder), { recursive: true });
  const written = [...files].filter(([path, text]) => writeNew(root, path, text)).map(([path]) => path);
  return ok({ written, kept: [...files.keys()].filter((path) => !written.includes(path)) });
}

const stintFolder = ".stint";

function whyNot(root: string, path: string): string | undefined {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  const isFolder = path === stintFolder;
  if (stat === undefined || (isFolder ? stat.isDirectory() : stat.isFile())) return undefined;
  const what = stat.isSymbolicLink() ? "a link" : stat.isDirectory() ? "a folder" : "a special file";
  const is = isFolder && stat.isFile() ? "a file" : what;
  return `${path} is ${is}, not a ${isFolder ? "folder" : "file"}, so nothing was written. Move it away, then try again.`;
}

function isLink(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Writes a file whole or not at all: the name appears once every byte is on disk, and only if it was free. */
function writeNew(root: string, path: string, text: string): boolean {
  const target = join(root, path);
  const aside = `${target}.${randomBytes(6).toString("hex")}`;
  const descriptor = openSync(aside, "wx", 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    linkSync(aside, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(descriptor);
    unlinkSync(aside);
  }
}
