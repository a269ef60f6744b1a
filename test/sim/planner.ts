import type { ApprovedRevision } from "../../src/engine/commands.ts";
import { planHashNow } from "../../src/engine/revise.ts";
import type { Outcome, Spending } from "../../src/engine/session.ts";
import { add, noSpending } from "../../src/engine/spending.ts";
import type { RunState } from "../../src/engine/state.ts";
import { specsOf } from "../../src/approval/plan-of-run.ts";
import type { PlannerPort, Proposed } from "../../src/run/ports.ts";
import { diffTasks } from "../../src/plan/diff.ts";
import type { Plan, Task } from "../../src/plan/types.ts";
import { unreachable } from "../../src/base/result.ts";
import { draw, span, type PlannerHabit } from "./chances.ts";
import { factOf, type Fact } from "./facts.ts";
import { planOf, planText } from "./plans.ts";
import type { SimProcess } from "./process.ts";
import type { Surroundings } from "./surroundings.ts";

/** Another plan that somebody made; it outlives whoever made it. */
export interface Made extends Omit<ApprovedRevision, "by"> {
  readonly plan: Plan;
}

/** All plans that were ever made for runs, and what that took. */
export class Revisions {
  /** By the commit that holds it. */
  readonly made = new Map<string, Made>();
  /** Commits that a person approved. */
  readonly approved = new Set<string>();
  /** By run and number, what sessions of planners left. */
  readonly proposed = new Map<string, Made>();
  readonly #used = new Map<string, Spending>();

  usedFor(name: string): Spending {
    return this.#used.get(name) ?? noSpending;
  }

  use(name: string): void {
    const more = { inputTokens: 7, outputTokens: 1, usd: 0.1, unpricedTokens: 0 };
    this.#used.set(name, add(this.usedFor(name), more));
  }

  /** In input tokens. */
  total(): number {
    return [...this.#used.values()].reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  }

  approvalOf({ commit, planHash }: { readonly commit: string; readonly planHash: string }): ApprovedRevision | null {
    const made = this.approved.has(commit) ? this.made.get(commit) : undefined;
    return made?.planHash === planHash ? { ...made, by: "somebody" } : null;
  }
}

/** The plan that holds in a run. */
export function planNow({ scenario, revisions }: Pick<Surroundings, "scenario" | "revisions">, state: RunState): Plan {
  const { inForce } = state.replanning;
  return (inForce === null ? undefined : revisions.made.get(inForce.commit)?.plan) ?? scenario.plan;
}

/** A planner as one driver asks it. */
export function plannerPort(world: Surroundings, driver: SimProcess, state: RunState): PlannerPort {
  const { dice, revisions } = world;
  return {
    propose: async ({ revision, asking, signal, used }) => {
      const name = `${state.run} ${revision}`;
      const none = (why: string, outcome: Outcome | null = null): Proposed => {
        return { kind: "none", why, outcome, usage: revisions.usedFor(name) };
      };
      const habit = draw(dice, world.habits.planners);
      for (let session = 1 + dice.below(3); session > 0 && !revisions.proposed.has(name); session -= 1) {
        if (signal.aborted) return none("it was ended", { kind: "interrupted", detail: "stopped by Stint" });
        await driver.call("plan a while", { ms: span(dice) }, () => revisions.use(name));
        used(revisions.usedFor(name));
      }
      const left = revisions.proposed.get(name) ?? propose(world, state, { habit, task: asking[0]?.task ?? "" });
      if (left === "limit") return none("a limit", { kind: "limit", until: null });
      if (left === "crashed") return none("it crashed", { kind: "crashed", detail: "exit 1" });
      if (left === undefined) return none("it has no better idea");
      revisions.proposed.set(name, left);
      await driver.call("hear of the plan", { ms: span(dice) }, () => undefined);
      const { commit, planHash, tasks, changes } = left;
      return { kind: "proposal", commit, planHash, tasks, changes, usage: revisions.usedFor(name) };
    },
    approved: (wanted) => revisions.approvalOf(wanted),
    read: (commit) =>
      driver.call("read the revised plan", { ms: span(dice) }, () => {
        const made = revisions.made.get(commit);
        if (made === undefined) throw new Error(`Internal error: expected a revision, but was ${commit}`);
        return { plan: made.plan, documents: new Map() };
      }),
  };
}

/** What such a planner, or a person, makes of the plan that holds; undefined where nothing comes of it. */
export function propose(
  world: Surroundings,
  state: RunState,
  { habit, task: id }: { readonly habit: PlannerHabit; readonly task: string },
): Made | "limit" | "crashed" | undefined {
  const { dice } = world;
  const { tasks } = planNow(world, state);
  const meant = tasks.find((task) => task.id === id);
  const open = tasks.filter((task) => task !== meant && state.tasks.get(task.id)?.commit === null);
  const done = tasks.filter((task) => state.tasks.get(task.id)?.commit !== null);
  const others = habit === "nonsense" ? done : open;
  switch (habit) {
    case "none":
      return undefined;
    case "limit":
    case "crashed":
      return habit;
    case "change":
      return meant && make(world, state, replace(tasks, meant, [reword(meant, dice.below(1_000))]));
    case "drop":
      return meant && make(world, state, replace(tasks, meant, []));
    case "split": {
      const [first, second] = [part(meant, "a"), part(meant, "b")];
      if (meant === undefined || first === undefined || second === undefined) return undefined;
      return make(world, state, replace(tasks, meant, [first, { ...second, depends: [...second.depends, first.id] }]));
    }
    case "others":
    case "nonsense": {
      if (others.length === 0) return undefined;
      const other = dice.pick(others);
      return make(world, state, replace(tasks, other, [reword(other, dice.below(1_000))]));
    }
    default:
      return unreachable(habit);
  }
}

/** Others; and what waited for a task waits for those in its place. */
function replace(tasks: readonly Task[], old: Task, by: readonly Task[]): Task[] {
  const instead = by.length === 0 ? old.depends : by.map(({ id }) => id);
  return tasks.flatMap((task) => {
    if (task === old) return by;
    if (!task.depends.includes(old.id) || by.some(({ id }) => id === old.id)) return [task];
    const depends = [...new Set([...task.depends.filter((id) => id !== old.id), ...instead])];
    return [{ ...task, depends, text: `${task.text}Waits for ${depends.join(", ")}.\n` }];
  });
}

function reword(task: Task, salt: number): Task {
  return { ...task, text: `${task.text}Do it in way ${salt}.\n` };
}

/** A smaller task, of which there is only one with that name. */
function part(task: Task | undefined, letter: string): Task | undefined {
  if (task === undefined || task.id.length > 4) return undefined;
  const id = `${task.id}${letter}`;
  const checks = task.checks.map((check) =>
    check.kind === "run" ? { ...check, run: check.run.replace(`has ${task.id}.txt`, `has ${id}.txt`) } : check,
  );
  const files = { ...task.files, create: [`${id}.txt`] };
  return { ...task, id, file: `plans/p/tasks/${id}.md`, title: `Write ${id}.txt`, checks, files };
}

function make(world: Surroundings, state: RunState, tasks: readonly Task[]): Made | undefined {
  const before = planNow(world, state);
  const changes = diffTasks(before, { tasks });
  if (changes.length === 0 || tasks.length === 0) return undefined;
  // What nobody is to write any more is not asked of the whole either.
  const isWritten = ({ path }: Fact) => tasks.some(({ files }) => [...files.create, ...files.modify].includes(path));
  const checks = before.checks.filter((check) => [factOf(check) ?? []].flat().every(isWritten));
  const plan = planOf(tasks, checks);
  const tree = new Map([["plans/p/plan.md", planText(tasks)]]);
  const commit = world.repository.commit(null, tree, `revision ${world.revisions.made.size + 1}`);
  const planHash = `h${world.revisions.made.size + 1}`;
  const files = new Set(world.repository.treeOf(state.tip).keys());
  const made = { commit, planHash, tasks: specsOf(plan, files), changes, revises: planHashNow(state), plan };
  world.revisions.made.set(commit, made);
  return made;
}
