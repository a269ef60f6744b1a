import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Control, openControl } from "../../src/git/control.ts";
import { treeWithFile } from "../../src/git/edit-tree.ts";
import { openUserRepo, type UserRepo } from "../../src/git/user-repo.ts";
import { commitTree } from "../../src/git/write-objects.ts";
import { type Checkout, createCheckout } from "../../src/workspace/checkout.ts";
import { snapshot, type Snapshot } from "../../src/workspace/snapshot.ts";

export const ann = { name: "Ann", email: "ann@example.com" };
export const at = new Date("2026-11-15T20:17:33Z");

export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "stint-git-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Plain git as anybody would type it: the unhardened path of the negative controls. */
export function sh(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const who = ["-c", "user.name=User", "-c", "user.email=user@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();
}

export function write(dir: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

export function commitAll(dir: string, message = "change"): string {
  sh(dir, "add", "-A");
  sh(dir, "commit", "-q", "-m", message);
  return sh(dir, "rev-parse", "HEAD");
}

export interface Rig {
  readonly root: string;
  readonly user: string;
  readonly repo: UserRepo;
  readonly control: Control;
  readonly base: string;
  readonly checkout: (commit?: string) => Promise<Checkout>;
  readonly take: (checkout: Checkout, exclude?: string[]) => Promise<Snapshot>;
}

export async function open(dir: string): Promise<UserRepo> {
  const opened = await openUserRepo(dir);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

export async function rig(files: Record<string, string> = { "a.txt": "a\n" }, init: string[] = []): Promise<Rig> {
  const root = tempDir();
  const user = join(root, "user");
  mkdirSync(user);
  sh(user, "init", "-q", ...init);
  write(user, files);
  commitAll(user, "base");
  return around(root, user);
}

export async function around(root: string, user: string): Promise<Rig> {
  const repo = await open(user);
  const base = sh(user, "rev-parse", "HEAD");
  const state = join(repo.commonDir, "stint");
  mkdirSync(state, { recursive: true });
  const control = await openControl(repo, state);
  let count = 0;
  const checkout = (commit = base): Promise<Checkout> =>
    createCheckout(control, { dir: join(root, `ws-${++count}`), commit, branch: "stint/task", identity: ann });
  const take = (of: Checkout, exclude: string[] = []): Promise<Snapshot> =>
    snapshot(control, of, {
      base: of.commit,
      message: "m",
      identity: ann,
      ref: `refs/stint/rescue/r/t/${++count}`,
      at,
      exclude,
    });
  return { root, user, repo, control, base, checkout, take };
}

/** A commit of a run on another one, with a file changed. */
export async function next(r: Rig, parent: string, text: string, path = "a.txt"): Promise<string> {
  const parentTree = sh(r.control.dir, "rev-parse", `${parent}^{tree}`);
  const tree = await treeWithFile(r.control, parentTree, { path, bytes: Buffer.from(text) });
  return commitTree(r.control, { tree, parent, message: text, identity: ann, at });
}

/** Every byte of a folder, to prove that nothing in it was touched. */
export function bytesOf(dir: string, skip: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || skip.some((prefix) => path.startsWith(join(dir, prefix)))) continue;
    found[path] = readFileSync(path).toString("base64");
  }
  return found;
}
