import type { Control } from "../git/control.ts";
import type { IndexEntry } from "../git/index-file.ts";
import { splitNul } from "../git/names.ts";
import { gitOk } from "../git/run.ts";

const attributes = ["working-tree-encoding", "ident", "eol"];

/** Finds files for which git may write other bytes than their objects have, because of settings or tracked attributes. */
export async function convertible(
  control: Control,
  index: string,
  files: readonly IndexEntry[],
): Promise<ReadonlySet<IndexEntry>> {
  if (writesCrlf(control)) return new Set(files);
  if (!files.some((entry) => entry.rawPath.endsWith(".gitattributes"))) return new Set();
  const stdin = Buffer.from(files.map((entry) => `${entry.rawPath}\0`).join(""), "latin1");
  const args = ["check-attr", "-z", "--cached", "--stdin", ...attributes];
  const fields = splitNul(await gitOk(args, { gitDir: control.dir, index, stdin }));
  const named = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2]?.toString("latin1") ?? "";
    if (!["unspecified", "unset", "lf"].includes(value)) named.add(fields[at]?.toString("latin1") ?? "");
  }
  return new Set(files.filter((entry) => named.has(entry.rawPath)));
}

function writesCrlf({ settings }: Control): boolean {
  const autocrlf = (settings["autocrlf"] ?? "").toLowerCase();
  const eol = (settings["eol"] ?? "").toLowerCase();
  return !["", "input", "false", "no", "off", "0"].includes(autocrlf) || !["", "lf", "native"].includes(eol);
}
