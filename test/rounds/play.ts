import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Running } from "../rig/cli.ts";
import { journalFolders, newestJournal, untilFound } from "../rig/follow.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { agentsOf, inspectRun, type Driven, type Inspected } from "./inspect-run.ts";
import type { Kill, Round, RoundTask } from "./round.ts";

/** What a round came to: what is wrong, and what happened for the table. */
export interface Played extends Inspected {
  readonly kills: number;
}

/** Plays a round with the real CLI on a real repo, through its kills to its end, and has the oracles judge it. */
export async function play(
  round: Round,
  drive: (rig: Rig) => Promise<Driven> = async (rig) => driveThrough(rig, round.kills),
): Promise<Played> {
  await using rig = await createRoundRig(round);
  const before = { fingerprint: rig.fingerprint(), base: rig.git("rev-parse", "HEAD") };
  const driven = await drive(rig);
  return { ...(await inspectRun(rig, round, { ...before, ...driven })), kills: driven.kills };
}

/** A repo with the round's plan, and its agents' scripts outside. */
export async function createRoundRig(round: Round): Promise<Rig> {
  const tasks = Object.fromEntries(
    round.tasks.map(({ id, depends, files, checks }) => [id, { depends, files, checks }]),
  );
  const attempts = round.attempts === undefined ? {} : { attempts: round.attempts };
  const rig = await createRig({
    files: round.files,
    plan: { tasks },
    sandbox: round.sandbox,
    config: {
      // It lies outside, because that is what a sandbox shows.
      agents: {
        scripted: { driver: "command", command: ["sh", "-c", '. "${RIG_MOVES%/*}/agent.sh"'], env: ["RIG_MOVES"] },
      },
      run: { parallel: round.lanes, reverify: round.reverify, scope_requests: "grant", ...attempts },
    },
  });
  copyFileSync(join(import.meta.dirname, "agent.sh"), join(rig.outside, "agent.sh"));
  for (const task of round.tasks) writeScripts(join(agentsOf(rig), task.id), task);
  return rig;
}

function writeScripts(home: string, { honest, misdeeds }: RoundTask): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "honest.sh"), `${honest}\n`);
  for (const [at, { sh, end }] of misdeeds.entries()) {
    writeFileSync(join(home, `misdeed-${at + 1}.sh`), `${sh}\n`);
    writeFileSync(join(home, `misdeed-${at + 1}.sh.end`), `${end}\n`);
  }
}

/** Drives the run to its end; each kill falls where the journal has grown so far, if the run lasts so long. */
async function driveThrough(rig: Rig, kills: readonly Kill[]): Promise<Driven> {
  let args = ["run", "--yes"];
  let count = 0;
  for (const kill of kills) {
    const running = rig.start(args);
    if (!(await grows(rig, running, kill))) return { end: await running.ended, kills: count };
    const end = await running.kill(kill.signal);
    if (end.code === 0) return { end, kills: count };
    count += 1;
    args = kill.again === "run" ? ["run", "--yes"] : ["resume"];
  }
  return { end: await rig.stint(args), kills: count };
}

/** Whether the journal grew so far before the driver ended by itself. */
async function grows({ gitDir }: Rig, running: Running, { afterLines, delayMs }: Kill): Promise<boolean> {
  const length = lineCount(gitDir) + afterLines;
  const over = new AbortController();
  void running.ended.then(() => over.abort());
  try {
    await untilFound(
      () => journalFolders(gitDir),
      () => (lineCount(gitDir) >= length ? true : undefined),
      over.signal,
    );
    await setTimeout(delayMs, undefined, { signal: over.signal });
    return true;
  } catch (error) {
    if (over.signal.aborted) return false;
    throw error;
  }
}

function lineCount(gitDir: string): number {
  const file = newestJournal(gitDir);
  return file === undefined ? 0 : readFileSync(file, "utf8").split("\n").length - 1;
}
