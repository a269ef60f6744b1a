import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Control, textAttributes } from "./control.ts";
import { assertOid, splitNul } from "./names.ts";
import { git, GitError, gitOk } from "./run.ts";

/** One path that differs. A rename is a D and an A, because scope is declared by path. */
export interface Change {
  readonly status: "A" | "M" | "D" | "T";
  readonly path: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
}

export interface ChangedLines {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

const plain = ["-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none"];

/** Lists what differs between two commits or trees. */
export async function changedPaths(control: Control, from: string, to: string): Promise<Change[]> {
  return parseRaw(await diffTree(control, ["-z", "--raw", "--no-abbrev"], [from, to]));
}

/** Counts the lines that differ per path. A NUL byte does not make a file binary here, because its lines would then not count. */
export async function changedLines(control: Control, from: string, to: string): Promise<ChangedLines[]> {
  // `--text` has no effect on `--numstat`, but an attribute does.
  const asText = ["-c", `core.attributesFile=${join(control.dir, textAttributes)}`];
  const fields = splitNul(await diffTree(control, ["-z", "--numstat"], [from, to], asText));
  return fields.map((field) => {
    const [added = "", removed = "", ...path] = field.toString("utf8").split("\t");
    return { path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
  });
}

/** Returns a unified diff for people and prompts, of all files or of those below `paths`, cut after `maxBytes`. */
export async function diffText(
  control: Control,
  range: { readonly from: string; readonly to: string; readonly paths?: readonly string[] },
  maxBytes: number,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const ends = [assertOid(range.from), assertOid(range.to), "--", ...(range.paths ?? [])];
  const args = ["--literal-pathspecs", "diff-tree", "-p", ...plain, "--end-of-options", ...ends];
  const result = await git(args, { gitDir: control.dir, keepBytesMax: maxBytes + 1 });
  if (result.code !== 0) throw new GitError(args, result);
  const truncated = result.stdout.length > maxBytes;
  return { text: result.stdout.subarray(0, maxBytes).toString("utf8"), truncated };
}

/** Compares two files of one commit and returns a unified diff without its header, cut after `maxBytes`. */
export async function diffFiles(
  control: Control,
  { commit, from, to }: { readonly commit: string; readonly from: string; readonly to: string },
  maxBytes: number,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const ends = [from, to].map((path) => `${assertOid(commit)}:${path}`);
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--end-of-options", ...ends];
  const result = await git(args, { gitDir: control.dir, keepBytesMax: maxBytes + 1 });
  if (result.code !== 0) throw new GitError(args, result);
  const hunks = result.stdout
    .subarray(0, maxBytes)
    .toString("utf8")
    .replace(/^[^]*?(?=^@@ )/m, "");
  return { text: hunks, truncated: result.stdout.length > maxBytes };
}

/** Returns one name for a whole change against its base: the same paths, modes and contents give the same name. */
export function nameOfChanges(changes: readonly Change[]): string {
  const facts = changes.map(({ path, newMode, newOid }) => [path, newMode, newOid]);
  const sorted = facts.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** Reads git's `--raw -z` format. */
export function parseRaw(bytes: Buffer): Change[] {
  const fields = splitNul(bytes).map((field) => field.toString("utf8"));
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldOid = "", newOid = "", status = ""] = (fields[at] ?? "").slice(1).split(" ");
    changes.push({ status: statusOf(status), path: fields[at + 1] ?? "", oldMode, newMode, oldOid, newOid });
  }
  return changes;
}

async function diffTree(
  control: Control,
  format: readonly string[],
  ends: readonly [string, string],
  settings: readonly string[] = [],
): Promise<Buffer> {
  const args = [
    ...settings,
    "diff-tree",
    ...format,
    ...plain,
    "--end-of-options",
    assertOid(ends[0]),
    assertOid(ends[1]),
  ];
  return gitOk(args, { gitDir: control.dir });
}

function statusOf(letter: string): Change["status"] {
  if (letter === "A" || letter === "M" || letter === "D" || letter === "T") return letter;
  throw new Error(`Internal error: expected a diff status of A, M, D or T, but was ${letter}`);
}
