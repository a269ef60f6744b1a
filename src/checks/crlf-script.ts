import { callsOf, joined } from "../base/command-line.ts";
import { crlfShebang, hasCrlfShebang } from "../process/shebang.ts";
import { lookUp, type Tree } from "../sandbox/tree-lookup.ts";

/** Says that a script of the checkout could not start because of its CRLF; the shell says only "not found". */
export function whyNotFound(
  exitCode: number,
  { command, cwd, tree }: { readonly command: string; readonly cwd: string; readonly tree: Tree },
): string | undefined {
  if (exitCode !== 126 && exitCode !== 127) return undefined;
  const paths = callsOf(command, cwd).flatMap(({ words, by, dir }) =>
    [...by, words[0] ?? ""].map((word) => joined(dir, word)),
  );
  const script = paths.find((file) => hasCrlfShebang(hostPathOf(tree, file)));
  if (script === undefined) return undefined;
  return `${crlfShebang(script)} (exit ${exitCode}). Save it with LF line ends and commit it.`;
}

/** Returns an empty path, at which nothing is, for what is not in the tree or cannot be looked up. */
function hostPathOf(tree: Tree, file: string): string {
  try {
    const found = lookUp(tree, file, { follow: true });
    return typeof found === "string" ? "" : found.host;
  } catch {
    return "";
  }
}
