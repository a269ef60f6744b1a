import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventsOf, median, sh } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * Makes a repository with a plan in which each task builds on the one before it. `does` is the script of the agent, and
 * `check` the command that is red before it and green after it, both with `$STINT_TASK` or the task's name for the task.
 */
export function makeChain(root, { files, sandbox, tasks, does, creates, check }) {
  const repo = join(root, "repo");
  const ids = Array.from({ length: tasks }, (_, at) => `t${String(at).padStart(2, "0")}`);
  const agent = join(root, "agent.sh");
  writeFileSync(agent, `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const documents = {
    "plans/bench/plan.md": `---\nstint: 1\ntitle: Bench\ngoal: Bench\n---\n## Tasks\n${ids.map((id) => `- [ ] [${id}](tasks/${id}.md) Add ${id}`).join("\n")}\n`,
    "plans/bench/scope.md": "## Understanding\n\nx\n\n## Goals\n\nx\n\n## Gaps\n\nx\n",
    ".stint/config.yaml": `agents: { bench: { driver: command, command: [${agent}] } }\nroles: { executor: { agent: bench } }\nrun: { sandbox: ${sandbox} }\n`,
    ...Object.fromEntries(
      ids.map((id, at) => {
        const depends = at === 0 ? "" : `depends: [${ids[at - 1]}]\n`;
        return [
          `plans/bench/tasks/${id}.md`,
          `---\ntitle: Add ${id}\n${depends}files: { create: [${creates(id)}] }\nestimate: 15m\nchecks:\n  - run: ${check(id)}\n---\n## Goal\n\nCreate the files.\n`,
        ];
      }),
    ),
  };
  mkdirSync(repo);
  const git = (args, input) => sh("git", args, { cwd: repo, input });
  git(["init", "-q", "-b", "main"]);
  git(["config", "user.name", "Bench"]);
  git(["config", "user.email", "bench@localhost"]);
  const lines = Object.entries({ ...files, ...documents }).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head = "commit refs/heads/main\ncommitter Bench <bench@localhost> 1700000000 +0000\ndata 4\nBase\n";
  git(["fast-import", "--quiet"], `${head}${lines.join("")}`);
  git(["reset", "-q", "--hard"]);
  return { repo, agent, ids };
}

/** Runs the plan; returns the milliseconds of each verification, of a task in all, and of the end of the run after the last verdict. */
export function runChain(root, { repo }) {
  const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config") };
  sh(process.execPath, [cli, "run", "--yes", "bench"], { cwd: repo, env });
  const events = eventsOf(repo);
  const at = (wanted) => events.filter(({ type }) => type === wanted).map((event) => Date.parse(event.at));
  const [starts, placed, verdicts] = [at("attempt-started"), at("placed"), at("verdict")];
  // Of the first ten, so that chains of different lengths can be compared.
  const perTask = median(starts.slice(1, 10).map((time, index) => time - starts[index]));
  const end = Date.parse(events.at(-1).at) - verdicts.at(-1);
  return { verifications: verdicts.map((time, index) => time - placed[index]), perTask, end };
}
