import type { Judgement, Outcome, Report } from "../../src/engine/session.ts";
import { taskOf, type RunState } from "../../src/engine/state.ts";
import type { AttemptKey } from "../../src/engine/session.ts";
import { taskFile, type Run } from "../../src/run/run.ts";
import { effectiveFiles } from "../../src/plan/protected.ts";
import type { Task } from "../../src/plan/types.ts";
import { unreachable } from "../../src/base/result.ts";
import { goalChecks } from "../../src/checks/asked.ts";
import { guardChanges } from "../../src/guards/scope.ts";
import { draw, type Habit, type JudgeHabit } from "./chances.ts";
import { factOf, isTrue, type Fact } from "./facts.ts";
import { planNow } from "./planner.ts";
import { unsavable } from "./repo-port.ts";
import type { Tree } from "./repository.ts";
import type { Surroundings } from "./surroundings.ts";

/** How a session ends by itself. */
export interface Ending {
  readonly outcome: Outcome;
  readonly report: Report | null;
  readonly reportProblem: string | null;
  readonly judgement?: Judgement | { readonly problem: string };
}

/** One change of a file, made of what is there then; null deletes it. */
export type Write = (files: Tree) => readonly [string, string | null];

/** What an agent is going to do, unless somebody ends it first. */
export interface Script {
  readonly habit: Habit | JudgeHabit;
  readonly writes: readonly Write[];
  readonly ending: Ending;
  /** Before it ends by itself, besides what its work takes. */
  readonly idleMs: number;
}

/** What the next agent for a task will do. */
export function executorScript(world: Surroundings, state: RunState, key: AttemptKey): Script {
  const job: Job = { world, state, key, ...taskAndFacts(world, state, key.task) };
  const habit = draw(world.dice, world.habits.executors);
  const said = (status: Report["status"], more: Partial<Report> = {}): Ending => {
    const report = { status, summary: `${habit} work`, reason: "", needFiles: [], notes: "", ...more };
    return { outcome: { kind: "ok" }, report, reportProblem: null };
  };
  const { dice } = world;
  const honest = honestWork(job);
  const script = (writes: readonly Write[], ending: Ending, idleMs = 0): Script => ({ habit, writes, ending, idleMs });
  switch (habit) {
    case "honest":
      return script(honest, said("done"));
    case "silent":
      return script(honest, { ...said("done"), report: null, reportProblem: dice.chance(0.5) ? "no JSON" : null });
    case "lies":
      return script(falseWork(job, honest), said("done"));
    case "spoils":
      return script(
        job.facts.flatMap(({ path, text }) => (text === null ? [] : [put(path, `${text}\n`)])),
        said("done"),
      );
    case "empty":
      return script([], said("done"));
    case "outside":
      return script([...honest, stray(job)], said("done"));
    case "unsavable":
      return script([...honest, put("pipe", unsavable)], said("done"));
    case "asks":
      return script(honest, said(dice.pick(["blocked", "done"]), { needFiles: [`extra/${key.task}.txt`] }));
    case "blocked":
    case "infeasible":
      return script(honest.slice(0, 1), said(habit, { reason: "it cannot be done" }));
    case "limit":
      return script(honest.slice(0, 1), unwell(limitOf(world)));
    case "hangs":
      return script(honest.slice(0, 1), unwell({ kind: dice.pick(["timeout", "idle"]), detail: "too long" }), hangMs);
    case "crashes":
      return script(honest.slice(0, dice.below(3)), unwell({ kind: "crashed", detail: "exit 1" }));
    case "overloaded":
    case "auth":
    case "refused":
    case "context":
      return script(honest.slice(0, dice.below(2)), unwell({ kind: habit, detail: `it is ${habit}` }));
    default:
      return unreachable(habit);
  }
}

/** What the next judge will do. */
export function judgeScript(world: Surroundings): Script {
  const habit = draw(world.dice, world.habits.judges);
  const script = (ending: Ending, idleMs = 0): Script => ({ habit, writes: [], ending, idleMs });
  const well = { outcome: { kind: "ok" }, report: null, reportProblem: null } as const;
  const nothing = { problem: "the outbox holds no judgement" };
  switch (habit) {
    case "pass":
      return script({ ...well, judgement: { pass: true, why: "it is" } });
    case "refuse":
      return script({ ...well, judgement: { pass: false, why: "it is not" } });
    case "problem":
      return script({ ...well, judgement: nothing });
    case "limit":
      return script({ ...unwell(limitOf(world)), judgement: nothing });
    case "crashes":
      return script({ ...unwell({ kind: "crashed", detail: "exit 1" }), judgement: nothing });
    case "hangs":
      return script({ ...unwell({ kind: "timeout", detail: "too long" }), judgement: nothing }, hangMs);
    default:
      return unreachable(habit);
  }
}

/** Longer than any session may take. */
const hangMs = 3 * 3_600_000;

interface Job {
  readonly world: Surroundings;
  readonly state: RunState;
  readonly key: AttemptKey;
  readonly task: Task;
  /** What its checks want. */
  readonly facts: readonly Fact[];
}

function taskAndFacts(world: Surroundings, state: RunState, id: string) {
  const { rules } = world.scenario;
  const plan = planNow(world, state);
  // No more of a run is asked for what a task may touch.
  const written = taskFile({ plan, state } as Run, id);
  const task = { ...written, files: effectiveFiles(written, taskOf(state, id).granted) };
  const facts = goalChecks({ plan, rules }, state, task).flatMap((check) => factOf(check) ?? []);
  return { task, facts };
}

/** Makes every check true that it may; what is true already is left alone. */
function honestWork({ task, facts, world }: Job): Write[] {
  const { rules } = world.scenario;
  const named = new Set(Object.values(task.files).flat());
  const isMine = (path: string) =>
    named.has(path) ||
    (["A", "M", "D"] as const).some((status) => guardChanges([{ status, path, lines: 0 }], task, rules).length === 0);
  return facts.filter(({ path }) => isMine(path)).map(fulfil);
}

function fulfil(fact: Fact): Write {
  const { path, text } = fact;
  return (files) => {
    const now = files.get(path);
    if (isTrue(fact, files)) return [path, now ?? null];
    return [path, text === null ? null : `${now ?? ""}${text}\n`];
  };
}

/** Half of it, or something else. */
function falseWork({ facts, world: { dice } }: Job, honest: readonly Write[]): Write[] {
  if (honest.length > 1 && dice.chance(0.5)) return honest.slice(1);
  return facts.slice(0, 1).map(({ path }) => put(path, `wrong ${dice.below(2)}\n`));
}

function stray({ key, state, world: { dice } }: Job): Write {
  const plan = `plans/${state.plan}/plan.md`;
  if (dice.chance(0.5)) return put(`stray/${key.task}.txt`, "more\n");
  return (files) => [plan, files.get(plan)?.replaceAll("- [ ]", "- [x]") ?? null];
}

function put(path: string, text: string): Write {
  return () => [path, text];
}

function unwell(outcome: Outcome): Ending {
  return { outcome, report: null, reportProblem: null };
}

function limitOf({ dice, timeline }: Surroundings): Outcome {
  const isTold = dice.chance(0.7);
  return { kind: "limit", until: isTold ? new Date(timeline.wall() + dice.below(18_000_000)).toISOString() : null };
}
