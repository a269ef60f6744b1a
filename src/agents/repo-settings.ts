import { knowsDriver, loadDriver } from "./drivers.ts";
import type { Config } from "../config/load.ts";
import { listTree, type Entry } from "../git/objects.ts";
import { matcher } from "../plan/paths.ts";
import { protectedKind } from "../plan/protected.ts";
import type { Project } from "../project/project.ts";

/** A file of the repository that an agent's program would read as its settings. */
export interface ShippedSettings {
  readonly path: string;
  /** The agents that are configured to honour it. */
  readonly honouredBy: readonly string[];
}

/** What one agent would read, and whether it may. */
export interface SettingsReader {
  readonly agent: string;
  readonly patterns: readonly string[];
  readonly honours: boolean;
}

/** Lists the configured agents, with the settings files that their drivers know. */
export async function settingsReaders({ agents }: Config): Promise<SettingsReader[]> {
  const known = Object.entries(agents).filter(([, { driver }]) => knowsDriver(driver));
  return await Promise.all(
    known.map(async ([agent, { driver, repoSettings }]) => {
      const { facts } = await loadDriver(driver);
      return { agent, patterns: facts.repoSettings, honours: repoSettings };
    }),
  );
}

/** Finds the files of a commit that are settings for agents, and which agents honour them. */
export function shippedSettings(
  entries: readonly Pick<Entry, "path" | "mode">[],
  readers: readonly SettingsReader[],
): ShippedSettings[] {
  const takes = readers.map(({ agent, honours, patterns }) => ({ agent, honours, reads: readsOf(patterns) }));
  return entries.flatMap((entry) => {
    const reading = takes.filter(({ reads }) => reads(entry));
    if (reading.length === 0 && protectedKind(entry.path, []) !== "agent-settings") return [];
    const honouredBy = reading.filter(({ honours }) => honours).map(({ agent }) => agent);
    return [{ path: entry.path, honouredBy }];
  });
}

/** Lists the paths that are honoured at any of these commits: one that is gone since was approved, too. */
export async function honouredPaths(project: Project, config: Config, commits: readonly string[]): Promise<string[]> {
  const readers = await settingsReaders(config);
  if (readers.every(({ honours }) => !honours)) return [];
  const trees = await Promise.all(commits.map((commit) => listTree(project.control, commit)));
  const honoured = trees.flatMap((tree) => shippedSettings(tree, readers)).filter(isHonoured);
  return [...new Set(honoured.map(({ path }) => path))];
}

export function isHonoured({ honouredBy }: ShippedSettings): boolean {
  return honouredBy.length > 0;
}

/** Counts a link in place of a settings folder, too: it leads to files that no pattern covers. */
function readsOf(patterns: readonly string[]): (entry: Pick<Entry, "path" | "mode">) => boolean {
  const matches = matcher(patterns);
  return ({ path, mode }) =>
    matches(path) || (!mode.startsWith("100") && patterns.some((pattern) => pattern.startsWith(`${path}/`)));
}
