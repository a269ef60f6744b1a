import type { Redactor } from "../base/redact.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { Config } from "../config/load.ts";
import { listTree } from "../git/objects.ts";
import { matcher } from "../plan/paths.ts";
import { setupCacheDir } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Furniture } from "./set-up.ts";
import type { SetupCache } from "./setup-cache.ts";

/** The commits that a command trusts enough to keep what their set-up made. */
export interface Trusted {
  /** A commit of the user's own; every run may reuse what its set-up made. */
  readonly base: string;
  /** The run and its tip, on which every task was verified; only that run may reuse what its set-up made. */
  readonly run?: { readonly id: string; readonly tip: () => string } | undefined;
}

/** Collects what the settings put into every checkout. */
export function furnitureOf(
  project: Project,
  options: {
    readonly config: Config;
    readonly sandbox: Sandbox;
    readonly trusted: Trusted;
    readonly redact: Redactor;
    readonly watch?: CommandWatch | undefined;
  },
): Furniture {
  const { config, sandbox, trusted, redact, watch } = options;
  const { env: envNames, setup } = config.workspace;
  const cache = projectSetupCache(project, config, trusted);
  return { userEnv: project.env, envNames, setup, sandbox, redact, watch, cache };
}

/** Returns the repository's set-up cache; undefined if the settings name no inputs, because nothing then says what may be reused. */
function projectSetupCache(
  { control, paths }: Project,
  { workspace }: Config,
  { base, run }: Trusted,
): SetupCache | undefined {
  if (workspace.setupInputs.length === 0) return undefined;
  const isInput = matcher(workspace.setupInputs);
  return {
    dir: setupCacheDir(paths),
    isInput,
    inputsOf: async (commit) => {
      const inputs = (await listTree(control, commit)).filter(({ path }) => isInput(path));
      if (inputs.length === 0) return undefined;
      return JSON.stringify(inputs.map(({ path, mode, oid }) => [path, mode, oid]));
    },
    // A candidate's code runs in its own set-up, so nothing of it may reach another room before it is integrated.
    keepFor: (commit) => (commit === base ? everybody : commit === run?.tip() ? run.id : undefined),
    useOf: run === undefined ? [everybody] : [run.id, everybody],
  };
}

const everybody = "base";
