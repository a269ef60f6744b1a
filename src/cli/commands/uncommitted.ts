import { posix, relative, resolve } from "node:path";
import { plural } from "../../base/plural.ts";
import { visible } from "../../base/visible.ts";
import { dirtyPaths } from "../../git/user-commit.ts";
import { head, type UserRepo } from "../../git/user-repo.ts";
import { matcher } from "../../plan/paths.ts";
import type { Task } from "../../plan/types.ts";
import type { Io } from "../io.ts";
import { cliLimits } from "../limits.ts";

/** What starts from HEAD, and so without what is uncommitted. */
export interface Start {
  /** What it is called: "this run". */
  readonly name: string;
  readonly tasks?: readonly Pick<Task, "files" | "sourceDocs">[];
  /** Files and folders that it gets all the same, as they were typed. */
  readonly given?: readonly string[];
}

/** Says in one line which uncommitted files are not part of what starts; nothing where the checkout is clean. */
export async function tellUncommitted(
  io: Io,
  repo: UserRepo,
  { dirty, ...start }: Start & { readonly dirty?: readonly string[] },
): Promise<void> {
  const given = (start.given ?? []).map((path) => relative(repo.root, resolve(io.cwd, path)));
  const isGiven = (path: string) => given.some((one) => !posix.relative(one, path).startsWith(".."));
  // A file that was removed from the index and is still there is listed twice.
  const all = new Set(dirty ?? (await dirtyPaths(repo, ["."])));
  const paths = [...all].filter((path) => !isOwnMatter(path) && !isGiven(path));
  const line = uncommittedLine(paths, { ...start, commit: (await head(repo)).sha });
  if (line !== undefined) io.err(visible(line));
}

/** Plans, rules and settings have messages of their own. */
function isOwnMatter(path: string): boolean {
  return /^(?:plans|\.stint)\//.test(path);
}

/** Names a few of the files, those that tasks name first: a task may need them, or bring its own. */
export function uncommittedLine(
  paths: readonly string[],
  { name, tasks = [], commit }: Start & { readonly commit: string },
): string | undefined {
  if (paths.length === 0) return undefined;
  const isNamed = matcher(tasks.flatMap(({ files, sourceDocs }) => [...Object.values(files).flat(), ...sourceDocs]));
  const named = paths.filter((path) => isNamed(path));
  const sorted = [...named, ...paths.filter((path) => !isNamed(path))];
  const though = named.length === 0 ? "" : `, though its tasks name ${few(named)}`;
  return `Uncommitted changes (${plural(paths.length, "file")}: ${few(sorted)}) are not part of ${name}${though}: it starts from HEAD, ${commit.slice(0, 12)}.`;
}

function few(paths: readonly string[]): string {
  const shown = paths.slice(0, cliLimits.uncommittedShownMax).join(", ");
  return paths.length > cliLimits.uncommittedShownMax ? `${shown}, …` : shown;
}
