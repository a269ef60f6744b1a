import { upkeepLimits } from "../limits.ts";
import { shortened, visible } from "../../base/visible.ts";
import type { Detected } from "./detect.ts";
import { yamlList, yamlText } from "./scalar.ts";
import type { Found, Proposal, Setup } from "./survey.ts";

/** The text of `.stint/config.yaml`: what a run here needs, and what a person may want to set, as comments. */
export function configText({ projects }: Pick<Detected, "projects">, agent: string): string {
  return `# Settings of Stint for this repository: committed, and approved with every plan.
# \`stint config\` shows what is in effect; docs/formats/settings.md of Stint has every key.

# Who does the work. Not set: the first of claude, codex, gemini on PATH does all, with its own default model.
# roles:
#   executor: { agent: ${agent} } # every task; also model, effort
#   escalation: { agent: ${agent} } # after two failed attempts, and tasks with complexity: high
#   judge: { agent: ${agent} } # answers \`judge\` checks
# agents: # programs that Stint does not know by name
#   mine: { driver: command, command: [./my-agent.sh], env: [MY_KEY] }

# run: { parallel: 4, attempts: 3, task_timeout: 60m } # these are the defaults
# budget: { usd: 20, task_usd: 2 } # a run ends with 5 at a cap and can be resumed; default: none

# What makes a fresh checkout ready: run in each one, an agent's or one for checks, with network and an empty HOME,
# so that only what it leaves in the checkout lasts. Checks have no network.
${workspaceText(projects)}`;
}

function workspaceText(projects: readonly Found[]): string {
  const setups = projects.flatMap(({ setup }) => setup ?? []);
  if (setups.length === 0) {
    return `# Nothing was found that has to be installed.
# workspace:
#   setup: make deps
#   setup_inputs: [deps.txt] # what set-up depends on; without it nothing is reused
`;
  }
  const notes = setups.flatMap((setup) => setup.notes).map((note) => `  # ${note}\n`);
  const inputs = [...new Set(setups.flatMap((setup) => setup.inputs))];
  return `workspace:
${notes.join("")}  setup: ${yamlText(setupCommand(projects) ?? "")}
  setup_inputs: ${yamlList(inputs)} # the result is reused until one of these changes
  # env: [TOKEN] # names of variables let through to set-up and checks
  # mounts: ["/data"] # more of this machine for agents and checks, read-only
`;
}

/** The one command that sets up all projects; null where none needs it. */
export function setupCommand(projects: readonly Found[]): string | null {
  const commands = projects.flatMap(({ setup }) => (setup === null ? [] : [inItsFolder(setup)]));
  return commands.length === 0 ? null : commands.join(" && ");
}

function inItsFolder({ command, dir }: Setup): string {
  return dir === "" ? command : `(cd ${dir} && ${command})`;
}

/** The text of `.stint/rules.md`: the guardrails of every plan, and prose for every agent. */
export function rulesText({ projects, checks, hooks, privateHooks, protect }: Detected): string {
  const protectLines = protect.map(({ glob, why }) => `  - ${JSON.stringify(glob)} # ${why}`);
  return `---
# Guardrails for every plan of this repository. Agents cannot change this file.

# Files that may change only where a task names them. Built in, so not repeated here: tests (test/, tests/, *.test.*,
# *.spec.*, test_*.py, *_test.go and the like), settings of test runners, CI and agents, lock files, installed dependencies.
${protect.length === 0 ? "protect: []" : `protect:\n${protectLines.join("\n")}`}

# Files that may never change. Built in: private keys and .env files.
forbid: []

# Must be green after every task, besides the task's own checks: each with \`sh -c\`, in a fresh checkout, without network.
# So they must be green today. A slow one is better off among \`checks\` of a plan.md, which are asked at the end.
${checksText(checks, hooks, privateHooks)}

branch: stint/{plan}
push: never # never | task | run
max_changed_lines: 2000 # of one task, lock files not counted
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
    ...(sure.length === 0 && doubtful.length === 0 ? ["# None was found; write `checks: [make test]`, say."] : []),
    ...(doubtful.length === 0 ? [] : ["  # Found, too. Take what fits:"]),
    ...doubtful.map(offered),
    ...(hasHooks ? ["  # Your git hooks do not run for commits of Stint. What they ask for can be a check:"] : []),
    ...hooks.map(offered),
    ...privateHooks.map((name) => `  # - … # what your hook ${name} runs; it is not committed, so no room has it`),
  ].join("\n");
}

function offered(check: Proposal): string {
  return `  # - ${checkText(check)}${remark(check.says, check.doubt)}`;
}

function checkText({ command, dir }: Proposal): string {
  return dir === "" ? yamlText(command) : `{ run: ${yamlText(command)}, cwd: ${yamlText(dir)} }`;
}

/** A comment behind a check. What it quotes of the repository is on one line, and nothing in it is hidden from a reader. */
function remark(says: string | undefined, doubt?: string): string {
  const quote = visible(shortened(says ?? "", upkeepLimits.initQuoteCharsMax));
  const parts = [quote, doubt ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` # ${parts.join(" · ")}`;
}

function prose(projects: readonly Found[]): string {
  const lines = [
    "Keep to the style of the code around. Change as little as the task needs.",
    "Existing tests say what is wanted: they stay as they are, and new behaviour gets a test of its own.",
    "No new dependencies, unless the task says so.",
    ...projects.flatMap((project) => project.prose),
  ];
  return `${lines.join("\n")}\n`;
}
