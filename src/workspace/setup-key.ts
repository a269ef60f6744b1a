import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Enclosure } from "../sandbox/sandbox.ts";
import { runCommand } from "../checks/run-command.ts";
import { workspaceLimits } from "./limits.ts";
import type { Redactor } from "../base/redact.ts";
import type { SetupKey } from "./setup-cache.ts";

export interface SetupCircumstances {
  readonly command: string;
  /** The inputs of set-up at the commit, as the settings name them. */
  readonly inputs: string;
  readonly env: Readonly<Record<string, string>>;
  readonly enclosure: Enclosure;
  /** The room's folder on the host. */
  readonly dir: string;
  readonly logDir: string;
  /** Removes secrets: the tools may be the checkout's own and print what they get. */
  readonly redact?: Redactor | undefined;
  readonly signal: AbortSignal;
}

/** Returns everything that the result of set-up depends on: command, inputs, machine, tools, variables, and the path at which the checkout is seen. */
export async function setupKey(circumstances: SetupCircumstances): Promise<SetupKey | undefined> {
  const { command, inputs, env, enclosure } = circumstances;
  const versions = await toolVersions(circumstances);
  if (versions === undefined) return undefined;
  const system = await readFile("/etc/os-release", "utf8").catch(() => "");
  const machine = [process.platform, process.arch, system];
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ command, inputs, machine, versions, variables, at: enclosure.folders.workspace });
}

/** Asks tools for their versions in the checkout, because version managers look there for the right one. */
async function toolVersions(circumstances: SetupCircumstances): Promise<string | undefined> {
  const { command, env, enclosure, dir, logDir, redact, signal } = circumstances;
  const asked = toolsOf(command).map((tool) => `command -v ${tool} && ${tool} ${versionFlag(tool)} < /dev/null`);
  const ended = await runCommand({
    command: `${asked.join("; ")}; exit 0`,
    enclosure,
    cwd: enclosure.folders.workspace,
    within: dir,
    env,
    timeoutMs: workspaceLimits.toolVersionsMs,
    logFile: join(logDir, "tools.log"),
    redact,
    signal,
  });
  return ended.kind === "exited" && ended.code === 0 && ended.droppedBytes === 0 ? ended.tail : undefined;
}

function versionFlag(tool: string): string {
  return tool === "go" ? "version" : "--version";
}

/** Returns the known tools that the command names and what they run on; git and node are always included. */
function toolsOf(command: string): string[] {
  const named = [...command.matchAll(/[\w+-]+/g)].map(([word]) => word).filter((word) => Object.hasOwn(tools, word));
  return [...new Set(["git", "node", ...named.flatMap((tool) => [tool, ...(tools[tool] ?? [])])])];
}

const tools: Readonly<Record<string, readonly string[]>> = {
  npm: [],
  npx: [],
  pnpm: [],
  yarn: [],
  bun: [],
  deno: [],
  python: [],
  python3: [],
  pip: ["python3"],
  pip3: ["python3"],
  uv: ["python3"],
  poetry: ["python3"],
  pipenv: ["python3"],
  ruby: [],
  gem: ["ruby"],
  bundle: ["ruby"],
  go: [],
  cargo: ["rustc"],
  mvn: ["java"],
  gradle: ["java"],
  java: [],
  php: [],
  composer: ["php"],
  dotnet: [],
  mix: ["elixir"],
  cmake: ["cc"],
  make: ["cc"],
};
