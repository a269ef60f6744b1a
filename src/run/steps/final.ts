import { join } from "node:path";
import type { CheckEvidence } from "../../engine/evidence.ts";
import { checkKey, finalChecks, type MechanicalCheck } from "../../checks/checks.ts";
import { seenAgain } from "../../checks/flaky.ts";
import { questionsIn } from "../../checks/asked.ts";
import { expectTests } from "../../checks/witness/expect-tests.ts";
import { checkOnLanes } from "./lanes.ts";
import type { Run } from "../run.ts";
import { expectationOf, needsLook, seenAt, type Before } from "./expected-tests.ts";

/**
 * Asks every check of the plan, the rules and the tasks of the final tip. Those known to be green on its very tree are not run
 * again, unless something was there that could have made them so: caches of work that landed, or a tracer.
 */
export async function verifyFinalTip(run: Run, signal: AbortSignal): Promise<void> {
  const { tip, proven } = run.state;
  const tree = await run.ports.repo.treeOf(tip);
  const known = new Map([...(proven.get(tree) ?? [])].filter(([, evidence]) => isPlain(evidence)));
  const all = finalChecks(run.plan, run.rules);
  const rest = all.filter((check) => !known.has(checkKey(check)));
  const found = await evidenceOf(run, { commit: tip, checks: rest, signal });
  const checks = all.flatMap((check) => {
    const cached = known.get(checkKey(check));
    return cached === undefined ? (found.get(checkKey(check)) ?? []) : { ...cached, cached: true as const };
  });
  const ok = checks.length === all.length && checks.every((check) => check.state === "green");
  const questions = ok ? questionsIn(run.plan.checks) : [];
  const passed = { task: null, attempt: 0, placed: tip, questions, diff: tip } as const;
  if (questions.length > 0) run.append({ type: "checks-passed", ...passed, tip, tree, checks });
  else run.append({ type: "final-verified", tip, ok, checks, tree });
}

type Evidence = ReadonlyMap<string, CheckEvidence>;

function isPlain({ caches, watched }: CheckEvidence): boolean {
  return caches === undefined && watched === undefined;
}

/** A check that is not green is asked once more: one that changes its mind on the same tree is named, and fails nothing. */
async function evidenceOf(run: Run, request: Omit<RoomsRequest, "name">): Promise<Evidence> {
  const heard = await checkInRooms(run, { ...request, name: "room" });
  const before = await ranBefore(run, request, heard);
  const judged = (evidence: Evidence) => new Map([...evidence].map(([key, one]) => [key, expected(run, one, before)]));
  const first = judged(heard);
  const doubtful = request.checks.filter((check) => {
    const { state, cause } = first.get(checkKey(check)) ?? {};
    return state !== "green" && cause === undefined;
  });
  const second = judged(await checkInRooms(run, { ...request, checks: doubtful, name: "again" }));
  return new Map([...first, ...[...second].map(([key, now]) => [key, seenAgain(first.get(key) ?? now, now)] as const)]);
}

/** What the plan's own checks ran on the run's base: no task has run them before. */
async function ranBefore(run: Run, request: Omit<RoomsRequest, "name">, heard: Evidence): Promise<Before> {
  const checks = request.checks.filter((check) => {
    const found = heard.get(checkKey(check));
    return found !== undefined && needsLook(run, found);
  });
  const seen = await checkInRooms(run, { ...request, commit: run.state.base, checks, name: "before" });
  return seenAt(0, seen);
}

function expected(run: Run, found: CheckEvidence, before: Before): CheckEvidence {
  const about = { key: found.key ?? "", isGoal: false, onto: run.state.tip };
  return expectTests(found, expectationOf(run, about, before));
}

interface RoomsRequest {
  readonly commit: string;
  readonly checks: readonly MechanicalCheck[];
  /** Names the folders for logs. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Uses as many fresh rooms as the run has lanes. */
async function checkInRooms(run: Run, { commit, checks, name, signal }: RoomsRequest): Promise<Evidence> {
  if (checks.length === 0) return new Map();
  const { rooms, documents } = run.ports;
  const logDir = join(documents.attemptDir({ task: "final", attempt: 0 }), name);
  // An entry that landed work poisoned would be believed to the end.
  const request = { commit, checks, logDir, signal, caches: "base" } as const;
  const evidence = await checkOnLanes(rooms, run.state.settings.parallel, request);
  return new Map(evidence.map((one) => [one.key ?? one.label, one]));
}
