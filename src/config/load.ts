import { problemAt, quoted, sortProblems } from "../plan/problem.ts";
import { decodeText } from "../plan/text.ts";
import type { Problem, Role } from "../plan/types.ts";
import { validate } from "../plan/validate.ts";
import { parseYaml, type Source } from "../plan/yaml.ts";
import { defaultConfig } from "./defaults.ts";
import { configSchema } from "./schema.ts";
import type { Config, ConfigLayer } from "./types.ts";

export type { Config } from "./types.ts";

export interface ConfigFile {
  /** The path as messages show it. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface ConfigSources {
  readonly project?: ConfigFile;
  readonly user?: ConfigFile;
  readonly flags?: { readonly parallel?: number; readonly budgetUsd?: number };
}

/** Where a value was set. */
export interface Origin {
  readonly layer: "user" | "project" | "command line";
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly problems: Problem[];
  /** Keys are as written in the file, such as `run.parallel` or `agents.mine`; a key that is absent is built in. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Merges what the command line, the project and the user set over the built-in values, and reports what is wrong. */
export function loadConfig({ project, user, flags = {} }: ConfigSources): LoadedConfig {
  const layers = [
    ...(user ? [{ layer: "user", ...readUserFile(user) } as const] : []),
    ...(project ? [{ layer: "project", ...readFile(project) } as const] : []),
    { layer: "command line", ...readFlags(flags) } as const,
  ];
  const config = layers.reduce((merged, { values }) => merge(merged, values), defaultConfig);
  const origins = new Map(layers.flatMap(({ layer, source }) => (source ? originsOf(layer, source) : [])));
  const problems = [...layers.flatMap((layer) => layer.problems), ...roleProblems(config, origins)];
  return { config, problems: sortProblems(problems), origins };
}

interface ReadLayer {
  readonly values: ConfigLayer;
  /** It is absent if the file is wrong, because its values are then not used. */
  readonly source: Source | undefined;
  readonly problems: readonly Problem[];
}

function readFile({ file, bytes }: ConfigFile): ReadLayer {
  const decoded = decodeText(file, bytes);
  if ("problem" in decoded) return { values: {}, source: undefined, problems: [decoded.problem] };
  const source = parseYaml(file, decoded.text, 1);
  if ("problems" in source) return { values: {}, source: undefined, problems: source.problems };
  return readSource(source);
}

/** Only settings that are approved with a repository may decide to honour what the repository ships. */
function readUserFile(file: ConfigFile): ReadLayer {
  const read = readFile(file);
  const { values, source } = read;
  if (source === undefined) return read;
  const agents = Object.entries(values.agents ?? {}).filter(([, agent]) => agent.repoSettings);
  const problems = agents.map(([agent]) => {
    const message = `agents.${agent}.repo_settings must be decided for each project: set it in .stint/config.yaml, where it is approved`;
    return problemAt(source.file, "not-yours", message, source.at(["agents", agent, "repo_settings"]));
  });
  return { ...read, problems: [...read.problems, ...problems] };
}

function readSource(source: Source): ReadLayer {
  const warnings = unusedProblems(source);
  const checked = validate(configSchema, source);
  if ("problems" in checked) return { values: {}, source: undefined, problems: [...warnings, ...checked.problems] };
  return { values: checked.value, source, problems: warnings };
}

/** Reviews are not built yet: without a warning, people who ask for one would believe that it takes place. */
function unusedProblems({ file, data, at }: Source): Problem[] {
  if (Object.keys(data["review"] ?? {}).length === 0) return [];
  const message = "`review` is not acted on by this version of stint";
  return [{ file, ...at(["review"]), severity: "warning", code: "not-yet", message }];
}

/** Flags are checked like a file, so that no bound exists twice. */
function readFlags({ parallel, budgetUsd }: NonNullable<ConfigSources["flags"]>): ReadLayer {
  const data = {
    ...(parallel === undefined ? {} : { run: { parallel } }),
    ...(budgetUsd === undefined ? {} : { budget: { usd: budgetUsd } }),
  };
  return readSource({ file: "command line", data, at: () => ({ line: 1, column: 1 }) });
}

/** Sections merge key by key, entries of maps as wholes; a list replaces a list. */
function merge(base: Config, layer: ConfigLayer): Config {
  return {
    agents: { ...base.agents, ...layer.agents },
    roles: { ...base.roles, ...layer.roles },
    run: { ...base.run, ...layer.run },
    budget: { ...base.budget, ...layer.budget },
    prices: { ...base.prices, ...layer.prices },
    workspace: { ...base.workspace, ...layer.workspace },
    mcp: { ...base.mcp, ...layer.mcp },
    review: { ...base.review, ...layer.review },
    hooks: layer.hooks ?? base.hooks,
  };
}

function originsOf(layer: Origin["layer"], { file, data, at }: Source): [string, Origin][] {
  return Object.entries(data).flatMap(([section, value]) => {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    const paths = isMap ? Object.keys(value).map((key) => [section, key]) : [[section]];
    return paths.map((path): [string, Origin] => [path.join("."), { layer, file, ...at(path) }]);
  });
}

function roleProblems({ agents, roles }: Config, origins: ReadonlyMap<string, Origin>): Problem[] {
  return (Object.keys(roles) as Role[]).flatMap((role) => {
    const agent = roles[role]?.agent ?? "";
    const origin = origins.get(`roles.${role}`);
    if (origin === undefined) return [];
    const { file } = origin;
    if (Object.hasOwn(agents, agent)) return [];
    const message = `roles.${role} names the agent ${quoted(agent)}, which is not among ${Object.keys(agents).join(", ")}`;
    return [problemAt(file, "unknown-agent", message, origin)];
  });
}
