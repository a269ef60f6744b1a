import { upkeepLimits } from "../limits.ts";
import { shortened, visible } from "../../base/visible.ts";
import type { Detected } from "./detect.ts";
import { yamlList, yamlText } from "./scalar.ts";
import type { Found, Proposal, Setup } from "./survey.ts";

/** Writes `.stint/config.yaml`: what a run needs here and, as comments, what a person may want to set. */
export function configText({ projects }: Pick<Detected, "projects">, agent: string): string {
  return `# Stint settings for this repository. Commit them; they are approved with every plan.
# \`stint config\` shows the settings in effect; docs/formats/settings.md of Stint lists every key.

# Which agents do the work. Not set: the first of claude, codex, gemini on PATH does everything, with its default model.
# roles:
#   executor: { agent: ${agent} } # every task; may also set model and effort
#   escalation: { agent: ${agent} } # after two failed attempts, and for tasks with complexity: high
#   judge: { agent: ${agent} } # answers \`judge\` checks
# agents: # programs of your own
#   mine: { driver: command, command: [./my-agent.sh], env: [MY_KEY] }

# run: { parallel: 4, attempts: 3, task_timeout: 60m } # these are the defaults
# budget: { usd: 20, task_usd: 2 } # a run stops with exit code 5 at a cap and can be resumed; default: none

# The command that prepares a fresh checkout, for agents and for checks. It has network access and a HOME of its own; what
# it writes into the checkout is kept, and of HOME only caches. Checks have no network access.
${workspaceText(projects)}`;
}

function workspaceText(projects: readonly Found[]): string {
  const setups = projects.flatMap(({ setup }) => setup ?? []);
  if (setups.length === 0) {
    return `# Found nothing that has to be installed.
# workspace:
#   setup: make deps
#   setup_inputs: [deps.txt] # files that the set-up depends on; without them its result is not reused
`;
  }
  const notes = setups.flatMap((setup) => setup.notes).map((note) => `  # ${note}\n`);
  const inputs = [...new Set(setups.flatMap((setup) => setup.inputs))];
  return `workspace:
${notes.join("")}  setup: ${yamlText(setupCommand(projects) ?? "")}
  setup_inputs: ${yamlList(inputs)} # the result is reused until one of these changes
  # env: [TOKEN] # names of environment variables that set-up and checks may see
  # mounts: ["/data"] # more paths of this machine that agents and checks may read
`;
}

/** Joins the commands that set up all projects; null if none needs it. */
export function setupCommand(projects: readonly Found[]): string | null {
  const commands = projects.flatMap(({ setup }) => (setup === null ? [] : [inItsFolder(setup)]));
  return commands.length === 0 ? null : commands.join(" && ");
}

function inItsFolder({ command, dir }: Setup): string {
  return dir === "" ? command : `(cd ${dir} && ${command})`;
}

/** Writes `.stint/rules.md`: the guardrails of every plan, and prose for every agent. */
export function rulesText({ projects, checks, hooks, privateHooks, protect }: Detected): string {
  const protectLines = protect.map(({ glob, why }) => `  - ${JSON.stringify(glob)} # ${why}`);
  return `---
# Guardrails for every plan in this repository. Agents cannot change this file.

# Files that may change only if a task names them. Built in, so not repeated here: tests (test/, tests/, *.test.*,
# *.spec.*, test_*.py, *_test.go and similar), settings of test runners, CI and agents, lock files, installed dependencies.
${protect.length === 0 ? "protect: []" : `protect:\n${protectLines.join("\n")}`}

# Files that may never change. Built in: private keys and .env files.
forbid: []

# Checks that must pass after every task, besides its own. Each runs with \`sh -c\` in a fresh checkout, without network
# access, and must pass today. Put slow ones under \`checks\` of a plan.md instead: those run once, at the end.
${checksText(checks, hooks, privateHooks)}

branch: stint/{plan}
push: never # never | task | run
max_changed_lines: 2000 # per task, not counting lock files
---
${prose(projects)}`;
}

function checksText(checks: readonly Proposal[], hooks: readonly Proposal[], privateHooks: readonly string[]): string {
  const sure = checks.filter(({ doubt }) => doubt === undefined);
  const doubtful = checks.filter(({ doubt }) => doubt !== undefined);
  const hasHooks = hooks.length > 0 || privateHooks.length > 0;
  return [
    sure.length === 0 ? "checks: []" : "checks:",
    ...sure.map((check) => `  - ${checkText(check)}${remark(check.says)}`),
    ...(sure.length === 0 && doubtful.length === 0 ? ["# Found none. An example: `checks: [make test]`"] : []),
    ...(doubtful.length === 0 ? [] : ["  # Also found. Use what fits:"]),
    ...doubtful.map(offered),
    ...(hasHooks ? ["  # Your git hooks do not run for Stint's commits. What they check can be a check here:"] : []),
    ...hooks.map(offered),
    ...privateHooks.map(
      (name) => `  # - … # what your hook ${name} runs; it is not committed, so no fresh checkout has it`,
    ),
  ].join("\n");
}

function offered(check: Proposal): string {
  return `  # - ${checkText(check)}${remark(check.says, check.doubt)}`;
}

function checkText({ command, dir }: Proposal): string {
  return dir === "" ? yamlText(command) : `{ run: ${yamlText(command)}, cwd: ${yamlText(dir)} }`;
}

/** Writes a comment after a check. What it quotes from the repository is on one line, and invisible characters are shown. */
function remark(says: string | undefined, doubt?: string): string {
  const quote = visible(shortened(says ?? "", upkeepLimits.initQuoteCharsMax));
  const parts = [quote, doubt ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` # ${parts.join(" · ")}`;
}

function prose(projects: readonly Found[]): string {
  const lines = [
    "Follow the style of the surrounding code. Change as little as the task needs.",
    "Existing tests define what is wanted: leave them as they are, and add tests for new behaviour.",
    "Add no dependencies unless the task says so.",
    ...projects.flatMap((project) => project.prose),
  ];
  return `${lines.join("\n")}\n`;
}
