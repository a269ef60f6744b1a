// Lays out what the demo works on: a small project, then settings, rules and perhaps a plan for it, committed.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;

/** Sets up the project with its own git identity, so that none is needed on this machine; without a plan, one must be made. */
export function layOut({ project, git, settings, hasPlan = true }) {
  cpSync(join(here, "project"), project, { recursive: true });
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Demo User");
  git("config", "user.email", "demo@example.com");
  commitAll(git, "An invoice library");
  if (hasPlan) cpSync(join(here, "plan"), join(project, "plans", "invoices"), { recursive: true, filter: isOfPlan });
  mkdirSync(join(project, ".stint"));
  cpSync(join(here, "plan", "rules.md"), join(project, ".stint", "rules.md"));
  writeFileSync(join(project, ".stint", "config.yaml"), settings());
  commitAll(git, hasPlan ? "A plan for what it lacks" : "Settings and rules");
}

/** Planner and executor are scripts, in a folder that a sandbox would hide. */
export function scriptedSettings(meeting) {
  return `# Planner and executor are scripts, so that the demo needs no key and no network. With an agent such as claude it is one line:
#   roles: { planner: { agent: claude }, executor: { agent: claude } }
agents:
  planner: { driver: command, command: [${words("node", join(here, "planner.mjs"))}] }
  script: { driver: command, command: [${words("node", join(here, "agent.mjs"), meeting)}] }
roles:
  planner: { agent: planner }
  executor: { agent: script }
run: { parallel: 2, sandbox: none }
`;
}

function words(...all) {
  return all.map((word) => JSON.stringify(word)).join(", ");
}

function commitAll(git, message) {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

function isOfPlan(path) {
  return !path.endsWith("rules.md");
}
