import type { AttemptKey } from "../../src/engine/session.ts";
import type { SimProcess } from "./process.ts";
import { span } from "./chances.ts";
import type { Surroundings } from "./surroundings.ts";

/** A workspace at the base that no agent has seen, as the real host makes it: the one this driver has just made, or a new one. */
export function freshWorkspace(
  { repository, rooms }: Surroundings,
  driver: SimProcess,
  { dir, base, stillOwn }: { readonly dir: string; readonly base: string; readonly stillOwn: () => void },
): void {
  if (repository.workspaces.get(dir)?.freshFor === driver) return;
  stillOwn();
  // A check on the base may have outlived the driver that started it.
  rooms.endIn(dir);
  repository.removeWorkspace(dir);
  repository.makeWorkspace(dir, base, driver);
}

/** Removes it after a while, unless the driver dies first. */
export function removeInBackground({ repository, dice }: Surroundings, driver: SimProcess, dir: string): void {
  driver.reach("remove a workspace");
  const workspace = repository.workspaces.get(dir);
  if (workspace === undefined) return;
  workspace.removing = driver;
  driver.after(span(dice), () => {
    if (repository.workspaces.get(dir) === workspace) repository.removeWorkspace(dir);
  });
}

/** Waits for what the driver removes in the background. */
export async function settleWorkspaces({ repository }: Surroundings, driver: SimProcess): Promise<void> {
  while ([...repository.workspaces.values()].some(({ removing }) => removing === driver))
    await driver.call("wait for clean-up", { ms: 1_000 }, () => {});
}

/** As people and logs name it. */
export function nameOf({ task, attempt, judge }: AttemptKey): string {
  return judge === undefined ? `${task}.${attempt}` : `judge ${judge} of ${task}.${attempt}`;
}
