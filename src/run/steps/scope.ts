import { attemptOf } from "../../engine/attempt.ts";
import { isOver, taskOf } from "../../engine/state.ts";
import { settleRequest } from "../../guards/scope-request.ts";
import { taskFile, type Run } from "../run.ts";

/** Answers a session's request for more files by the settings, or asks a person. */
export function settleScope(run: Run, id: string): void {
  const task = taskOf(run.state, id);
  const { requests, granted } = task;
  const { number: attempt, request, report } = attemptOf(task);
  const { files, checks } = taskFile(run, id);
  const { plan, rules, setup, state } = run;
  const inHand = [...state.tasks.values()].filter(({ byHand, phase }) => byHand && !isOver(phase));
  const event = settleRequest({
    task: id,
    attempt,
    wanted: request ?? [],
    words: report?.reason || report?.summary || "",
    count: requests,
    granted,
    judging: { files, checks: [...checks, ...rules.checks, ...plan.checks], setup },
    others: plan.tasks.filter((other) => other.id !== id),
    inHand: inHand.map(({ spec, claims }) => ({ task: spec.id, claims })),
    rules,
    policy: state.settings.scopeRequests,
  });
  run.append(event);
}
