import { taskOf } from "../../engine/state.ts";
import type { Run } from "../run.ts";

/** Answers a session's request for more files by the settings. */
export function settleScope(run: Run, id: string): void {
  const { attempt, request } = taskOf(run.state, id);
  const why = "the settings refuse requests for files";
  run.append({ type: "scope-decided", task: id, attempt, files: request ?? [], granted: false, why });
}
