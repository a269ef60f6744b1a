import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Ended, Running } from "../rig/cli.ts";
import { journalFolders, newestJournal, untilFound } from "../rig/follow.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { inspectBranch, taskCommits } from "./oracle-branch.ts";
import { chargedAttempts, inspectChain, inspectOrder, linesOfJournal, type Line } from "./oracle-journal.ts";
import { inspectProcesses, inspectWork } from "./oracle-work.ts";
import type { Kill, Round, RoundTask } from "./round.ts";

/** What a round came to: what is wrong, and what happened for the table. */
export interface Played {
  readonly violations: readonly string[];
  readonly lines: readonly Line[];
  readonly kills: number;
}

/** Plays a round with the real CLI on a real repo, through its kills to its end, and has the oracle judge it. */
export async function play(round: Round): Promise<Played> {
  await using rig = await createRoundRig(round);
  const before = rig.fingerprint();
  const base = rig.git("rev-parse", "HEAD");
  const { end, kills } = await drive(rig, round.kills);
  const after = rig.fingerprint();
  const file = newestJournal(rig.gitDir);
  if (file === undefined) return { violations: [`no run was started: ${said(end)}`], lines: [], kills };

  const text = readFileSync(file, "utf8");
  const lines = linesOfJournal(text);
  const run = basename(dirname(file));
  const violations = [
    ...inspectProcesses(run),
    ...inspectChain(text),
    ...inspectOrder(lines, round.tasks, round.lanes),
  ];
  if (end.code !== 0) violations.push(`the run ended with ${end.code}: ${said(end)}`);
  for (const [name, fact] of Object.entries(before))
    if (after[name] !== fact) violations.push(`the user's checkout changed: ${name}`);
  for (const name of Object.keys(after))
    if (!(name in before)) violations.push(`the user's checkout has something new: ${name}`);
  for (const task of round.tasks) violations.push(...overcharged(lines, task));
  const controlDir = join(rig.gitDir, "stint", "control.git");
  const tip = rig.git("rev-parse", "stint/work");
  if (rig.controlGit("rev-parse", `refs/stint/runs/${run}`) !== tip)
    violations.push("the published branch is not the run's");
  const branch = { gitDir: rig.gitDir, base, tip, planFile: "plans/work/plan.md", tasks: round.tasks };
  violations.push(...(await inspectBranch(branch)));
  violations.push(
    ...(await inspectWork({ agents: agentsOf(rig), controlDir, run, commits: await taskCommits(branch) })),
  );
  return { violations, lines, kills };
}

function agentsOf({ outside }: { readonly outside: string }): string {
  return join(outside, "agents");
}

async function createRoundRig(round: Round): Promise<Rig> {
  const tasks = Object.fromEntries(
    round.tasks.map(({ id, depends, files, checks }) => [id, { depends, files, checks }]),
  );
  const rig = await createRig({
    files: round.files,
    plan: { tasks },
    sandbox: round.sandbox,
    config: {
      // It lies outside, because that is what a sandbox shows.
      agents: {
        scripted: { driver: "command", command: ["sh", "-c", '. "${RIG_MOVES%/*}/agent.sh"'], env: ["RIG_MOVES"] },
      },
      run: { parallel: round.lanes, reverify: round.reverify, scope_requests: "grant" },
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
async function drive(rig: Rig, kills: readonly Kill[]): Promise<{ end: Ended; kills: number }> {
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

/** A conflict, a kill or an interrupt costs no attempt: only misdeeds do. */
function overcharged(lines: readonly Line[], { id, misdeeds }: RoundTask): readonly string[] {
  const charged = chargedAttempts(lines, id);
  return charged <= misdeeds.length
    ? []
    : [`${id} was charged ${charged} attempts; its agent deserved ${misdeeds.length}`];
}

function said({ stdout, stderr }: Ended): string {
  return `${stdout}${stderr}`.slice(-2000);
}
