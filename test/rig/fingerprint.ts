import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Everything of a checkout that a run must leave byte-identical, by name, so that a difference names itself. */
export function fingerprintOf(repo: string, git: (...args: readonly string[]) => string): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const file of filesBelow(repo)) facts[relative(repo, file)] = contentOf(file);
  facts["the index"] = contentOf(join(repo, ".git", "index"));
  facts["HEAD"] = contentOf(join(repo, ".git", "HEAD"));
  facts["the settings"] = contentOf(join(repo, ".git", "config"));
  facts["the branches"] = git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags")
    .split("\n")
    .filter((line) => !line.startsWith("refs/heads/stint/"))
    .join("\n");
  facts["the stash"] = git("stash", "list", "--format=%H");
  return facts;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === ".git") return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function contentOf(file: string): string {
  const facts = lstatSync(file);
  const bytes = facts.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "base64");
  return `${facts.mode.toString(8)} ${bytes}`;
}
