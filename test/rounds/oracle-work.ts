import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { output } from "./commands.ts";
import type { TaskCommit } from "./oracle-branch.ts";

export interface Work {
  /** The folder of the agents: `<task>/sessions/<attempt>/<path>` is what a session wrote. */
  readonly agents: string;
  readonly controlDir: string;
  readonly run: string;
  readonly commits: readonly TaskCommit[];
}

/** Says which work of agents is lost: each session's files must be in its rescue ref, or else in its commit. */
export async function inspectWork({ agents, controlDir, run, commits }: Work): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { task, attempt, folder } of sessionsIn(agents)) {
    const landed = commits.find((commit) => commit.task === task && commit.attempt === attempt);
    const rescued = `refs/stint/rescue/${run}/${task}/${attempt}`;
    const places = landed === undefined ? [rescued] : [rescued, landed.commit];
    for (const file of filesBelow(folder)) {
      const written = readFileSync(join(folder, file), "utf8");
      const kept = await Promise.all(places.map((place) => contentAt(controlDir, `${place}:${file}`)));
      if (!kept.includes(written)) {
        found.push(`work of ${task}, attempt ${attempt} is lost: ${file} is not in ${places.join(" or ")}`);
      }
    }
  }
  return found;
}

async function contentAt(gitDir: string, name: string): Promise<string | null> {
  return await output("git", ["--git-dir", gitDir, "show", name]).catch(() => null);
}

/** Processes that still carry the run's mark in their environment. */
export function inspectProcesses(run: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isMarked(name, run))
    .map((pid) => `process ${pid} of the run is still alive`);
}

function sessionsIn(agents: string): readonly { task: string; attempt: number; folder: string }[] {
  return readdirSync(agents).flatMap((task) => {
    const sessions = join(agents, task, "sessions");
    if (!existsSync(sessions)) return [];
    return readdirSync(sessions).map((name) => ({ task, attempt: Number(name), folder: join(sessions, name) }));
  });
}

/** Without what a session was only about to write when it died. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".writing")
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function isMarked(pid: string, run: string): boolean {
  try {
    return readFileSync(join("/proc", pid, "environ"), "utf8")
      .split("\0")
      .includes(`STINT_RUN=${run}`);
  } catch {
    return false;
  }
}
