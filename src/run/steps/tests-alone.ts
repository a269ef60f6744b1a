import type { ChangedPath } from "../ports.ts";
import type { Asked } from "../../checks/asked.ts";
import { aloneLook, turnedAlone } from "../../guards/tests-alone.ts";
import { violated, type Conclusion, type Subject } from "./conclusion.ts";
import { look } from "./verify-checks.ts";

/**
 * Puts the changed tests on the code as it was before the work: a check that was red there and is green now was turned by
 * the tests alone, however they did it.
 */
export async function refuseTestsAlone(
  subject: Subject,
  changes: readonly ChangedPath[],
  asked: readonly Asked[],
): Promise<Conclusion | undefined> {
  const { run, task, state, attempt, candidate } = subject;
  const alone = aloneLook(task.files, changes, { asked, redBefore: state.redChecks });
  if (alone === undefined) return undefined;
  const commit = await run.ports.repo.part({ from: attempt.base, to: candidate }, alone.paths);
  const found = await look(subject, { commit, asked: alone.asked, name: "tests-alone", watched: alone.watched });
  const turned = [...found.values()].map(turnedAlone).find((what) => what !== undefined);
  if (turned === undefined) return undefined;
  const path = changes.find((change) => change.status !== "A" && alone.paths.has(change.path))?.path ?? "";
  const why = `was changed, and with nothing but the tests changed, on the code as it was, ${turned}. Put the tests back and change the code; where only tests are wrong, let a task name nothing else.`;
  return violated([{ guard: "tests", path, why }]);
}
