import { makes, plan } from "../../rig/plan.ts";
import type { RigOptions } from "../../rig/rig.ts";
import { branch, type Mistake } from "./row.ts";

/** The settings with another program as the agent. */
function agent(command: readonly string[], driver = "command"): NonNullable<RigOptions["config"]> {
  return { agents: { mine: { driver, command } }, roles: { executor: { agent: "mine" } } };
}

const another =
  "sed -i 's/agent: mine/agent: scripted/' .stint/config.yaml && git commit -qam Another && stint run --yes";
const failing = (words: string) => agent(["/bin/sh", "-c", `echo '${words}' >&2; exit 1`], "claude");

/** Programs that are not there, or fail; and several commands at once. */
export const agents: readonly Mistake[] = [
  {
    mistake: "an agent that is not installed",
    given: { config: agent(["no-such-agent", "--fast"]) },
    typed: "stint run --yes",
    code: 1,
    says: ["no-such-agent was not found on PATH", "Install it", ".stint/config.yaml"],
    unsaid: ["fails before the work"],
    cure: another.replace("--yes", "--dry-run"),
  },
  {
    mistake: "an agent that may not be executed",
    given: { config: agent(["./agent.sh"]), files: { "agent.sh": "#!/bin/sh\necho ready >a.txt\n" } },
    typed: "stint run --yes",
    code: 1,
    says: ["agent.sh is not an executable file", "chmod +x"],
    unsaid: ["fails before the work", "Install it"],
    cure: "chmod +x agent.sh && git commit -qam Executable && stint run --dry-run",
  },
  {
    mistake: "an agent with the line ends of Windows",
    given: { config: agent(["./agent.sh"]), files: { "agent.sh": "#!/bin/sh\r\necho ready >a.txt\r\n" } },
    typed: "chmod +x agent.sh && git commit -qam Executable && stint run --yes",
    code: 1,
    says: ["the first line of", "agent.sh ends in CRLF", "Save it with LF line ends"],
    unsaid: ["fails before the work", "interrupted", "Install it"],
    changes: /agent\.sh|\.git/,
    cure: "sed -i 's/\\r$//' agent.sh && git commit -qam Lines && stint run --dry-run",
  },
  {
    mistake: "an agent without a login",
    given: { config: failing("Not logged in. Please run /login") },
    typed: "stint run --yes",
    code: 3,
    says: ["mine", "Not logged in. Please run /login", "stint resume"],
    unsaid: ["#3"],
    cure: another,
  },
  {
    mistake: "a key that the service refuses",
    given: { config: failing("401 invalid x-api-key") },
    typed: "stint run --yes",
    code: 3,
    says: ["mine", "401 invalid x-api-key", "stint resume"],
    unsaid: ["#3"],
    cure: another,
  },
  {
    mistake: "a service that cannot be reached",
    given: { config: failing("connect: connection refused 127.0.0.1:9") },
    typed: "stint run --yes",
    code: 3,
    says: ["mine", "connection refused 127.0.0.1:9", "stint resume"],
    unsaid: ["#3"],
    cure: another,
  },
  {
    mistake: "no agent on the machine",
    made: "git rm -q .stint/config.yaml && git commit -qm Without",
    typed:
      'for it in git flock sh grep cat cp tar env uname find; do ln -s "$(command -v $it)" "$BIN/"; done; PATH="$BIN" stint run --yes',
    code: 2,
    says: ["claude", "codex", "gemini", /install/i],
    cure: "git revert --no-edit HEAD && stint lint",
  },
  {
    mistake: "no git on PATH",
    typed: 'PATH="$BIN" stint run --yes',
    code: 1,
    says: ["git was not found", "2.39", "PATH"],
    cure: "stint lint",
  },
  {
    mistake: "a git that is too old",
    made: `printf '#!/bin/sh\\ncase "$*" in *--version) echo git version 2.20.1 ;; *) exec %s "$@" ;; esac\\n' "$(command -v git)" >"$BIN/git" && chmod +x "$BIN/git"`,
    typed: "stint run --yes",
    code: 1,
    says: ["git 2.20.1 is too old", "2.39"],
    cure: 'rm "$BIN/git" && stint lint',
  },
  {
    mistake: "a sandbox that is demanded and not installed",
    given: { config: { run: { sandbox: "bwrap" } } },
    typed:
      'for it in git flock sh grep cat cp tar env uname find; do ln -s "$(command -v $it)" "$BIN/"; done; PATH="$BIN" stint run --yes',
    code: 1,
    says: [/bubblewrap|bwrap/, /install/i, "run.sandbox to auto or none"],
    cure: "sed -i 's/sandbox: bwrap/sandbox: none/' .stint/config.yaml && git commit -qam None && stint run --dry-run",
  },
  {
    mistake: "a sandbox that is not installed, and would be used",
    given: { config: { run: { sandbox: "auto" } } },
    typed:
      'for it in git flock sh grep cat cp tar env uname find; do ln -s "$(command -v $it)" "$BIN/"; done; PATH="$BIN" stint approve --yes',
    code: 0,
    says: ["install bubblewrap", /not (found|installed)/, "your files and network"],
  },
  {
    mistake: "a set-up that fails",
    given: { config: { workspace: { setup: "echo no such version >&2; exit 7" } } },
    typed: "stint run --yes",
    code: 4,
    says: [/set-?up/, "no such version", ".stint/config.yaml"],
    cure: "sed -i 's/setup:.*/setup: \"true\"/' .stint/config.yaml && git commit -qam Fixed && stint run --yes",
  },
  {
    mistake: "a set-up whose program is not installed",
    given: { config: { workspace: { setup: "no-such-tool install" } } },
    typed: "stint lint",
    code: 0,
    says: [/\.stint\/config\.yaml:\d+/, "no-such-tool", /not (found|installed)|PATH/],
    cure: "sed -i 's/setup:.*/setup: \"true\"/' .stint/config.yaml && stint lint",
  },
  {
    mistake: "a set-up without its lock file",
    given: {
      config: { workspace: { setup: "npm ci" } },
      files: { "package.json": '{"name":"x","version":"1.0.0"}\n' },
    },
    typed: "stint check",
    code: 4,
    says: ["npm ci", "package-lock.json"],
    cure: 'printf \'{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0"}}}\' >package-lock.json && git add package-lock.json && git commit -qm Lock && stint check',
  },
  {
    mistake: "a set-up without a network",
    given: {
      config: { workspace: { setup: "npm ci --fetch-retries=0 --registry=http://127.0.0.1:9/" } },
      files: {
        "package.json": '{"name":"x","version":"1.0.0","dependencies":{"y":"1.0.0"}}\n',
        "package-lock.json":
          '{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0","dependencies":{"y":"1.0.0"}},"node_modules/y":{"version":"1.0.0","resolved":"http://127.0.0.1:9/y.tgz"}}}\n',
      },
    },
    typed: "stint check",
    code: 4,
    says: ["npm ci", /set-?up/, /refused|network/i],
    cure: "sed -i 's/setup:.*/setup: \"true\"/' .stint/config.yaml && git commit -qam Fixed && stint check",
  },
  {
    mistake: "a hook that fails",
    given: { hooks: [{ on: ["done"], command: ["/bin/sh", "-c", "echo no such channel >&2; exit 3"] }] },
    typed: "stint run --yes",
    code: 0,
    says: ["run finished: done", /hook/, /no such channel|exit code 3|ended with 3/],
    changes: branch,
  },
  {
    mistake: "a run that is started twice",
    meanwhile: "run",
    typed: "stint run",
    code: 1,
    says: ["work", /already|another process/, /process \d+|pid \d+/, "stint status"],
    cure: ': >"$OUT/go"; stint status --watch',
  },
  {
    mistake: "a resume of a run that is running",
    meanwhile: "run",
    typed: "stint resume",
    code: 1,
    says: ["work", /already|another process/, "stint status"],
    cure: ': >"$OUT/go"; stint status --watch',
  },
  {
    mistake: "another plan run meanwhile",
    given: {
      plan: { tasks: { "01-a": makes("a.txt") } },
      files: plan({ name: "other", tasks: { "01-b": makes("b.txt") } }),
      moves: {
        "01-b": [{ write: "b.txt", text: "ready\n" }],
        "01-a": [{ hold: "go" }, { write: "a.txt", text: "ready\n" }],
      },
    },
    meanwhile: "run",
    typed: "stint run --yes other",
    code: 0,
    says: ["run finished: done", "git merge stint/other"],
    changes: branch,
    cure: ': >"$OUT/go"; stint status --watch work || stint status',
  },
  {
    mistake: "rubbish collected during a run",
    meanwhile: "run",
    typed: "stint gc",
    code: 0,
    says: ["work", /running|in progress/],
    cure: ': >"$OUT/go"; stint status --watch',
  },
  {
    mistake: "a task taken while an agent works on it",
    meanwhile: "run",
    typed: "stint take 01-a",
    code: 2,
    says: ["01-a", /agent|session|running/, "stint stop"],
    cure: ': >"$OUT/go"; stint status --watch',
  },
  {
    mistake: "a run killed and then started again",
    meanwhile: "killed",
    typed: ': >"$OUT/go"; stint run',
    code: 0,
    says: ["resumed", "run finished: done"],
    changes: branch,
  },
  {
    mistake: "rubbish collected after a run was killed",
    meanwhile: "killed",
    typed: "stint gc",
    code: 0,
    says: ["stint resume"],
    cure: ': >"$OUT/go"; stint resume',
  },
  {
    mistake: "Ctrl-C pressed twice",
    meanwhile: "interrupted",
    typed: 'kill -INT "$RUN"; kill -INT "$RUN"; while kill -0 "$RUN" 2>/dev/null; do sleep 0.1; done; stint status',
    code: 0,
    says: ["stint resume"],
    cure: ': >"$OUT/go"; stint resume',
  },
];
