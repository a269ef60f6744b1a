import { join } from "node:path";
import type { CheckEvidence, Regression } from "../../engine/evidence.ts";
import { knownRegressions, toBisect } from "../../engine/regressions.ts";
import { taskOf } from "../../engine/state.ts";
import type { TestsSeen } from "../../engine/tests-seen.ts";
import { planLimits } from "../../plan/limits.ts";
import { protectedKind } from "../../plan/protected.ts";
import { nextToAsk, type Answer } from "../../checks/next-commit.ts";
import { checkKey, finalChecks, type MechanicalCheck } from "../../checks/checks.ts";
import { expectTests } from "../../checks/witness/expect-tests.ts";
import { onLanes } from "./lanes.ts";
import type { Run } from "../run.ts";
import { expectationOf } from "./expected-tests.ts";

/** Traces the final tip's red checks to the commits that turned them red. */
export async function findRegressions(run: Run, signal: AbortSignal): Promise<void> {
  const { tip, settings } = run.state;
  const byKey = new Map(finalChecks(run.plan, run.rules).map((check) => [checkKey(check), check]));
  const reds = toBisect(run.state);
  const known = knownRegressions(run.state);
  const chain = chainOf(run);
  const rest = reds.entries();
  const found = await onLanes(Math.min(settings.parallel, reds.length), signal, async (_, both) => {
    const traced: [number, Regression][] = [];
    for (const [index, red] of rest) {
      const check = byKey.get(red.key ?? "");
      if (check === undefined) throw new Error(`Internal error: expected a check of the plan, but was ${red.label}`);
      traced.push([index, await trace({ run, red, check, chain, before: new Map(), signal: both })]);
    }
    return traced;
  });
  const inOrder = found.flat().toSorted(([a], [b]) => a - b);
  const regressions = [...known, ...inOrder.map(([, one]) => one)];
  run.append({ type: "bisected", tip, regressions });
}

/** The run's base and its commits, the tip last. */
function chainOf({ state }: Run): readonly string[] {
  return [state.base, ...state.landed.map(({ commit }) => commit)];
}

interface Case {
  readonly run: Run;
  /** The evidence on the final tip. */
  readonly red: CheckEvidence;
  readonly check: MechanicalCheck;
  readonly chain: readonly string[];
  /** What it ran on the run's base, once that was looked at. */
  readonly before: Map<string, TestsSeen>;
  readonly signal: AbortSignal;
}

async function trace(subject: Case): Promise<Regression> {
  const { chain } = subject;
  const last = chain.length - 1;
  const answers = new Map<number, Answer>([[last, "red"]]);
  const greens = knownGreens(subject);
  if (greens.includes(last)) return untold(subject, "it passed on this very commit before");
  for (const at of greens) answers.set(at, "green");
  if (greens.length === 0) {
    const atBase = last === 0 ? "red" : await look(subject, 0);
    if (atBase === "red") return untold(subject, "it fails on the run's base, too: no task broke it");
    if (atBase === "unknown")
      return untold(subject, "it cannot be run on the run's base, so its first failure is unknown");
    answers.set(0, "green");
  }
  for (;;) {
    const next = nextToAsk(answers);
    if (next.kind === "ended") return await conclude(subject, next);
    answers.set(next.at, (await isProven(subject, next.at)) ? "green" : await look(subject, next.at));
  }
}

/** Where it was seen green in this run: a task's check on the commit of that task, a check of the rules after every task. */
function knownGreens({ run, check, chain }: Case): number[] {
  const key = checkKey(check);
  const owners = run.plan.tasks.filter((task) => task.checks.some((one) => checkKey(one) === key));
  const seen = owners.map(({ id }) => {
    const { phase, commit, attempt } = taskOf(run.state, id);
    return chain.lastIndexOf((phase === "satisfied" ? attempt?.base : commit) ?? "");
  });
  const isRule = run.rules.checks.some((one) => checkKey(one) === key);
  return [...seen, ...(isRule ? [chain.length - 2] : [])].filter((at) => at >= 0);
}

/** Nobody is blamed on one answer: both commits are asked once more, and must say the same again. */
async function conclude(subject: Case, { green, red }: { green: number; red: number }): Promise<Regression> {
  const { run, chain } = subject;
  const [before = "", after = ""] = [chain[green], chain[red]];
  const names = `${before.slice(0, 12)} (green) and ${after.slice(0, 12)} (${subject.red.state})`;
  if (red !== green + 1) return untold(subject, `it cannot be run on any commit between ${names}`);
  const isTip = red === chain.length - 1;
  const again = [await look(subject, green), isTip ? "red" : await look(subject, red)];
  if (again[0] !== "green" || again[1] !== "red") {
    return untold(subject, `its result changes between runs on ${names}: it depends on more than the commit`);
  }
  const { task = "" } = run.state.landed[red - 1] ?? {};
  const why = `green on ${before.slice(0, 12)}, ${subject.red.state} since ${after.slice(0, 12)}, the commit of ${task}`;
  return { ...named(subject), task, commit: after, why, paths: await madeBy(subject, task) };
}

/** What the task's commits created or deleted; a task with more has to do with what its files say. */
async function madeBy({ run, chain }: Case, task: string): Promise<string[]> {
  const places = run.state.landed.flatMap((landed, at) => (landed.task === task ? [at] : []));
  const changesOf = (from: number, to: number) => run.ports.repo.changes(chain[from] ?? "", chain[to] ?? "");
  const paths = new Set<string>();
  for (const at of places) {
    for (const { status, path } of await changesOf(at, at + 1)) if (status !== "M") paths.add(path);
  }
  // A test that was changed since is no longer its own: what others demand there is not for it to undo.
  const since = new Set((await changesOf((places[0] ?? 0) + 1, chain.length - 1)).map(({ path }) => path));
  const isOwn = (path: string) => !since.has(path) || protectedKind(path, run.rules.protect) === undefined;
  return [...paths].filter(isOwn).slice(0, planLimits.claimedPathsMax);
}

async function isProven({ run, check, chain }: Case, at: number): Promise<boolean> {
  const tree = await run.ports.repo.treeOf(chain[at] ?? "");
  return run.state.proven.get(tree)?.has(checkKey(check)) === true;
}

/** Runs the check on a commit of the run, in a fresh room. */
async function look({ run, red, check, chain, before, signal }: Case, at: number): Promise<Answer> {
  const commit = chain[at] ?? "";
  const folder = run.ports.documents.attemptDir({ task: "bisect", attempt: 0 });
  const logDir = join(folder, `${checkKey(check)}-${at}`);
  const [found] = await run.ports.rooms.check({ commit, checks: [check], logDir, signal });
  if (found === undefined || found.cause !== undefined) return "unknown";
  const key = checkKey(check);
  if (at === 0) before.set(key, { at, tests: found.tests ?? [] });
  const evidence = expectTests(found, expectationOf(run, { key, isGoal: false, onto: commit }, before));
  if (evidence.state === "broken") return red.state === "broken" ? "red" : "unknown";
  return evidence.state;
}

function untold(subject: Case, why: string): Regression {
  return { ...named(subject), task: null, commit: null, why };
}

function named({ red, check }: Case): Pick<Regression, "key" | "label"> {
  return { key: checkKey(check), label: red.label };
}
