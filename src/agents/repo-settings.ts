import { knowsDriver, loadDriver } from "./drivers.ts";
import type { Config } from "../config/load.ts";
import { listPaths, listTree, type Entry } from "../git/objects.ts";
import { matcher } from "../plan/paths.ts";
import { isOfKind } from "../plan/protected.ts";
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
    if (reading.length === 0 && !isOfKind(entry.path, "agent-settings")) return [];
    const honouredBy = reading.filter(({ honours }) => honours).map(({ agent }) => agent);
    return [{ path: entry.path, honouredBy }];
  });
}

/** Finds them in a repository. Its files are many and settings few, so the modes of others are not even asked for. */
export async function shippedAt(
  { control }: Pick<Project, "control">,
  commit: string,
  readers: readonly SettingsReader[],
): Promise<ShippedSettings[]> {
  const patterns = readers.flatMap((reader) => reader.patterns);
  const below = likelySettings(await listPaths(control, commit), patterns);
  return below.length === 0 ? [] : shippedSettings(await listTree(control, commit, { below }), readers);
}

/** Keeps the answer: a command reads several plans of one commit. */
function likelySettings(paths: ReadonlySet<string>, patterns: readonly string[]): readonly string[] {
  const key = patterns.join("\n");
  const known = likely.get(paths);
  if (known?.key === key) return known.found;
  const reads = readsOf(patterns);
  const found = [...paths].filter((path) => reads({ path, mode: "120000" }) || isOfKind(path, "agent-settings"));
  likely.set(paths, { key, found });
  return found;
}

const likely = new WeakMap<ReadonlySet<string>, { readonly key: string; readonly found: readonly string[] }>();

/** Lists the paths that are honoured at any of these commits: one that is gone since was approved, too. */
export async function honouredPaths(project: Project, config: Config, commits: readonly string[]): Promise<string[]> {
  const readers = await settingsReaders(config);
  if (readers.every(({ honours }) => !honours)) return [];
  const shipped = await Promise.all(commits.map((commit) => shippedAt(project, commit, readers)));
  const honoured = shipped.flat().filter(isHonoured);
  return [...new Set(honoured.map(({ path }) => path))];
}

export function isHonoured({ honouredBy }: ShippedSettings): boolean {
  return honouredBy.length > 0;
}

/** Counts a link in place of a settings folder, too: it leads to files that no pattern covers. */
function readsOf(patterns: readonly string[]): (entry: Pick<Entry, "path" | "mode">) => boolean {
  const matches = matcher(patterns);
  const folders = new Set(patterns.flatMap(foldersOf));
  return ({ path, mode }) => matches(path) || (!mode.startsWith("100") && folders.has(path));
}

function foldersOf(pattern: string): string[] {
  const names = pattern.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}
