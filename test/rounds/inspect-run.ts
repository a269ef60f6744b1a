import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Ended } from "../rig/cli.ts";
import { newestJournal } from "../rig/follow.ts";
import type { Rig } from "../rig/rig.ts";
import { inspectLeftovers, leftoversOf } from "./leftovers.ts";
import { inspectBranch, taskCommits } from "./oracle-branch.ts";
import { inspectDeaths, type Death } from "./oracle-deaths.ts";
import { chargedAttempts, inspectChain, inspectOrder, linesOfJournal, type Line } from "./oracle-journal.ts";
import { inspectProcesses, inspectWork } from "./oracle-work.ts";
import type { Round, RoundTask } from "./round.ts";

/** How a run was driven to its end. */
export interface Driven {
  readonly end: Ended;
  readonly kills: number;
  /** What was there whenever the driver had died. */
  readonly deaths?: readonly Death[];
  /** How many sessions of a task were killed from outside; each may cost an attempt. */
  readonly killedSessions?: ReadonlyMap<string, number>;
}

/** The user's side before the run. */
export interface Before {
  readonly fingerprint: Readonly<Record<string, string>>;
  readonly base: string;
}

/** What is wrong, and what happened. */
export interface Inspected {
  readonly violations: readonly string[];
  readonly lines: readonly Line[];
}

/** Has every oracle judge a run that came to its end. */
export async function inspectRun(rig: Rig, round: Round, facts: Before & Driven): Promise<Inspected> {
  const { end, base, deaths = [] } = facts;
  const file = newestJournal(rig.gitDir);
  if (file === undefined) return { violations: [`no run was started: ${said(end)}`], lines: [] };
  const text = readFileSync(file, "utf8");
  const lines = linesOfJournal(text);
  const run = basename(dirname(file));
  const violations = [
    ...(end.code === 0 ? [] : [`the run ended with ${end.code}: ${said(end)}`]),
    ...inspectProcesses(run),
    ...inspectChain(text),
    ...inspectOrder(lines, round.tasks, round.lanes),
    ...inspectDeaths(deaths, { file, text }),
    ...(facts.deaths === undefined ? [] : inspectLeftovers(leftoversOf(rig), facts.kills)),
    ...inspectCheckout(facts.fingerprint, rig.fingerprint()),
    ...round.tasks.flatMap((task) => overcharged(lines, task, facts.killedSessions?.get(task.id) ?? 0)),
  ];
  if (end.code !== 0) return { violations, lines };
  const tip = rig.git("rev-parse", "stint/work");
  if (rig.controlGit("rev-parse", `refs/stint/runs/${run}`) !== tip)
    violations.push("the published branch is not the run's");
  const branch = { gitDir: rig.gitDir, base, tip, planFile: "plans/work/plan.md", tasks: round.tasks };
  const controlDir = join(rig.gitDir, "stint", "control.git");
  const commits = await taskCommits(branch);
  violations.push(...(await inspectBranch(branch)));
  violations.push(...(await inspectWork({ agents: agentsOf(rig), controlDir, run, commits })));
  return { violations, lines };
}

/** Where the agents of a round have their scripts and leave copies of their work. */
export function agentsOf({ outside }: { readonly outside: string }): string {
  return join(outside, "agents");
}

function* inspectCheckout(before: Before["fingerprint"], after: Before["fingerprint"]): Generator<string> {
  for (const [name, fact] of Object.entries(before))
    if (after[name] !== fact) yield `the user's checkout changed: ${name}`;
  for (const name of Object.keys(after)) if (!(name in before)) yield `the user's checkout has something new: ${name}`;
}

/** A conflict, a kill of the driver or an interrupt costs no attempt: only misdeeds do, and deaths of the agent. */
function overcharged(lines: readonly Line[], { id, misdeeds }: RoundTask, killed: number): readonly string[] {
  const charged = chargedAttempts(lines, id);
  const deserved = misdeeds.length + killed;
  return charged <= deserved ? [] : [`${id} was charged ${charged} attempts; its agent deserved ${deserved}`];
}

function said({ stdout, stderr }: Ended): string {
  return `${stdout}${stderr}`.slice(-2000);
}
