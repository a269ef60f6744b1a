// Lays out what the demo works on: a small project, then a plan and settings for it, committed.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;

/** With a git identity of its own, so that none has to be set up on this machine. */
export function layOut({ project, git, settings }) {
  cpSync(join(here, "project"), project, { recursive: true });
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Demo User");
  git("config", "user.email", "demo@example.com");
  commitAll(git, "An invoice library");
  cpSync(join(here, "plan"), join(project, "plans", "invoices"), { recursive: true, filter: isOfPlan });
  mkdirSync(join(project, ".stint"));
  cpSync(join(here, "plan", "rules.md"), join(project, ".stint", "rules.md"));
  writeFileSync(join(project, ".stint", "config.yaml"), settings());
  commitAll(git, "A plan for what it lacks");
}

/** The executor is a script. It lies in a folder that a sandbox would hide. */
export function scriptedSettings(meeting) {
  const command = ["node", join(here, "agent.mjs"), meeting].map((word) => JSON.stringify(word)).join(", ");
  return `# The executor is a script, so that the demo needs no key and no network. An agent such as claude is one line instead:
#   roles: { executor: { agent: claude } }
agents:
  script: { driver: command, command: [${command}] }
roles:
  executor: { agent: script }
run: { parallel: 2, sandbox: none }
`;
}

function commitAll(git, message) {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

function isOfPlan(path) {
  return !path.endsWith("rules.md");
}
