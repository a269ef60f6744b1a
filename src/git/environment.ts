import { absoluteSearchPath } from "../base/search-path.ts";

/**
 * "pinned" honours no configuration but ours; "user" reads the user's own, yet runs none of their hooks; "remote" is the
 * same with what their credentials and network need; "own" is a commit the user could have typed.
 */
export type ConfigMode = "pinned" | "user" | "remote" | "own";

type Environment = Record<string, string>;

const nothing = "/dev/null";

/** Objects and refs must be on disk before anything is reported; "batch" pays for one flush per call instead of one per object. */
const durable = ["core.fsync=objects,derived-metadata,reference", "core.fsyncMethod=batch"];

const quiet = [`core.hooksPath=${nothing}`, "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"];

const pinned = [
  ...quiet,
  ...durable,
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.sparseCheckout=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.safecrlf=false",
  `core.attributesFile=${nothing}`,
  `core.excludesFile=${nothing}`,
  "core.pager=cat",
  "core.editor=true",
  "core.askPass=true",
  "core.sshCommand=false",
  "core.filesRefLockTimeout=1000",
  "credential.helper=",
  "protocol.allow=never",
  "safe.directory=*",
  "index.version=2",
  "index.skipHash=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "submodule.recurse=false",
  "diff.renames=false",
  "diff.noprefix=false",
  "diff.mnemonicPrefix=false",
  "merge.directoryRenames=false",
  "advice.addEmbeddedRepo=false",
];

/** The `-c` options of each mode. The command line beats every configuration file, so nothing planted in one is honoured. */
export const configArguments: Readonly<Record<ConfigMode, readonly string[]>> = {
  pinned: asArguments(pinned),
  user: asArguments([...quiet, ...durable]),
  remote: asArguments([...quiet, ...durable]),
  own: asArguments(["core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"]),
};

/** Builds git's environment from scratch, because an inherited GIT_* variable could re-point any call. */
export function gitEnvironment(mode: ConfigMode): Environment {
  const base = mode === "own" ? withoutGit(process.env) : pick([...plain, ...(mode === "remote" ? transport : [])]);
  const fixed: Environment = {
    PATH: absoluteSearchPath(process.env["PATH"]),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  return mode === "pinned" ? { ...base, ...fixed, ...noConfigFiles } : { ...base, ...fixed };
}

const plain = ["HOME", "XDG_CONFIG_HOME", "TMPDIR", "USER", "LOGNAME"];

/** These variables lead to the user's ssh agent, keyrings, tickets and proxies; none of them names a program to run. */
const transport = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "GNUPGHOME",
  "KRB5CCNAME",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "ALL_PROXY",
  "no_proxy",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CURL_CA_BUNDLE",
];

const noConfigFiles: Environment = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: nothing,
  GIT_CONFIG_SYSTEM: nothing,
  GIT_ATTR_NOSYSTEM: "1",
};

function asArguments(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

function pick(names: readonly string[]): Environment {
  const chosen: Environment = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}

function withoutGit(env: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith("GIT_"));
  return Object.fromEntries(kept) as Environment;
}
