import { drive } from "../../src/run/drive.ts";
import { lockToDrive } from "../../src/project/driver-lock.ts";
import { specsOf } from "../../src/approval/plan-of-run.ts";
import { runPaths, runRef } from "../../src/project/paths.ts";
import type { Machine } from "../../src/project/machine.ts";
import type { Run } from "../../src/run/run.ts";
import { findRuns, newRunId, runForPlan, timeForRun } from "../../src/project/runs.ts";
import { assembleRun, beginJournal, openRunJournal, recordResume } from "../../src/run/run-journal.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { defaultPrompts } from "../../src/prompts/overrides.ts";
import { fail, ok, type Result } from "../../src/base/result.ts";
import { machineOf } from "./machine.ts";
import { portsOf } from "./ports.ts";
import { planNow } from "./planner.ts";
import type { SimProcess } from "./process.ts";
import { unredacted, type World } from "./world.ts";

/** How a process that was to drive a run ended. */
export type Ended =
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "over"; readonly state: RunState };

/** `stint run`, as the command line does it: goes on with the plan's run, or begins one. */
export async function driveRun(world: World, process: SimProcess, signal: AbortSignal): Promise<Ended> {
  const machine = machineOf(world, process);
  const lock = await lockToDrive(world.paths, world.scenario.plan.name, machine);
  if (!lock.ok) return { kind: "refused", why: lock.failure.message };
  try {
    const opened = await open(world, process, machine);
    if (!opened.ok) return { kind: "refused", why: opened.failure.message };
    const { run, journal } = opened.value;
    try {
      return { kind: "over", state: await drive(run, { signal, wait: true }) };
    } finally {
      await run.ports.settle();
      journal.close();
    }
  } catch (error) {
    return { kind: "failed", error };
  } finally {
    lock.value.release();
  }
}

interface Opened {
  readonly run: Run;
  readonly journal: Journal;
}

async function open(world: World, process: SimProcess, machine: Machine): Promise<Result<Opened>> {
  const { plan } = world.scenario;
  const { runs, damaged, unread } = findRuns(world.paths, plan.name, machine.files);
  if (unread !== undefined) return fail("unread", unread);
  if (damaged.length > 0) world.blame(`a journal is damaged: ${damaged[0]}`);
  const found = runForPlan(runs, planHash, world.base);
  if (found === undefined) return begin(world, process, machine);
  const opened = openRunJournal(machine, runPaths(world.paths, found.id).journal);
  if (!opened.ok) return opened;
  const { journal, state, entries } = opened.value;
  world.watchers.recovered(state.run, entries);
  const run = assemble(world, process, { machine, journal, state });
  await recordResume(run, opened.value, { ...world.settings, only: null });
  return ok({ run, journal });
}

const planHash = "h";

/** As startRun of the host has it: the ref first, then the journal. */
async function begin(world: World, process: SimProcess, machine: Machine): Promise<Result<Opened>> {
  const { plan, tree } = world.scenario;
  const random = (process.identity.pid % 0x10000).toString(16).padStart(4, "0");
  const id = newRunId(plan.name, timeForRun(world.paths, machine.clock.now(), machine.files), random);
  await process.call("create the run's ref", { ms: 5 }, () => world.repository.refs.set(runRef(id), world.base));
  const events: RunEvent[] = [
    { type: "plan-approved", plan: plan.name, planHash, approvedAt: machine.clock.now(), by: "sim" },
    {
      type: "run-started",
      run: id,
      plan: plan.name,
      title: plan.title,
      goal: plan.goal,
      planHash,
      base: world.base,
      branch: world.branch,
      settings: world.settings,
      tasks: specsOf(plan, new Set(tree.keys())),
    },
  ];
  const path = runPaths(world.paths, id).journal;
  const observe = world.watchers.observerOf(process, id);
  const begun = beginJournal(machine, { path, observe }, events);
  if (!begun.ok) return begun;
  return ok({ run: assemble(world, process, { machine, ...begun.value }), journal: begun.value.journal });
}

function assemble(
  world: World,
  process: SimProcess,
  { machine, journal, state }: { readonly machine: Machine; readonly journal: Journal; readonly state: RunState },
): Run {
  const { rules } = world.scenario;
  const plan = planNow(world, state);
  const observe = world.watchers.observerOf(process, state.run);
  const parts = { plan, rules, prompts: defaultPrompts, documents: new Map(), setup: "" };
  const ports = portsOf(world, process, { state, machine });
  return assembleRun({ ...parts, ports, state, pid: process.identity.pid, journal, observe, redact: unredacted });
}
