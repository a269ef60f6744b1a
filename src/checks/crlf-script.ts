import path from "node:path";
import { callsOf, joined } from "../base/command-line.ts";
import { crlfShebang, hasCrlfShebang } from "../process/shebang.ts";

/** Says that a script of the checkout could not start because of its CRLF; the shell says only "not found". */
export function whyNotFound(
  exitCode: number,
  { command, cwd, root }: { readonly command: string; readonly cwd: string; readonly root: string },
): string | undefined {
  if (exitCode !== 126 && exitCode !== 127) return undefined;
  const paths = callsOf(command, cwd).flatMap(({ words, by, dir }) =>
    [...by, words[0] ?? ""].map((word) => joined(dir, word)),
  );
  const script = paths.find((file) => hasCrlfShebang(path.join(root, file)));
  if (script === undefined) return undefined;
  return `${crlfShebang(script)} (exit ${exitCode}). Save it with LF line ends and commit it.`;
}
