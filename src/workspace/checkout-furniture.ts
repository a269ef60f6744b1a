import type { Config } from "../config/load.ts";
import type { Redactor } from "../base/redact.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Furniture } from "./furnished.ts";
import type { Project } from "../project/project.ts";
import { projectSetupCache, type Trusted } from "./project-setup-cache.ts";

/** What the settings put into every checkout. */
export function furnitureOf(
  project: Project,
  options: {
    readonly config: Config;
    readonly sandbox: Sandbox;
    readonly trusted: Trusted;
    readonly redact: Redactor;
  },
): Furniture {
  const { config, sandbox, trusted, redact } = options;
  const { env: envNames, setup } = config.workspace;
  return { userEnv: project.env, envNames, setup, sandbox, redact, cache: projectSetupCache(project, config, trusted) };
}
