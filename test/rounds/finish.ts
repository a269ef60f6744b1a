import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "../rig/cli.ts";
import type { Rig } from "../rig/rig.ts";

/**
 * Takes a run up again and drives it to its end, as a person does: with the command that began it where nothing had begun,
 * and without the lock that a killed git may have left on the user's own branch, once Stint has named it.
 */
export async function finish(rig: Rig): Promise<Ended> {
  const hasBegun = rig.events("run-started").length > 0;
  const end = await rig.stint(hasBegun ? ["resume"] : ["run", "--yes"]);
  const lock = join(rig.gitDir, "refs", "heads", "stint", "work.lock");
  if (![0, 3].includes(end.code ?? -1) || !existsSync(lock)) return end;
  if (!end.stdout.includes(lock)) return { ...end, code: null, stderr: `${end.stderr}\nnobody was told of ${lock}` };
  rmSync(lock);
  return rig.stint(["resume"]);
}
