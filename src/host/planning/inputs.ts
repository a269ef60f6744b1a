import { ok, type Result } from "../../result.ts";

/** Reads what a person hands in with a goal, by its place next to the plan, such as `inputs/login.png`. */
export async function readInputs(
  _paths: readonly string[],
  _cwd: string,
): Promise<Result<ReadonlyMap<string, Uint8Array>>> {
  return ok(new Map());
}
