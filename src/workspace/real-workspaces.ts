import { endLeftovers } from "../process/supervise.ts";
import { ok } from "../base/result.ts";
import { checkoutStyle, removeCheckout } from "./checkout.ts";
import { removeAside } from "./remove.ts";
import { findFurnished, furnish, type Furnished, type FurnishResult } from "./furnished.ts";
import type { Furniture } from "./set-up.ts";
import type { runPaths } from "../project/paths.ts";
import type { AttemptKey } from "../engine/session.ts";
import type { FreshOptions } from "./room-port.ts";
import type { Project } from "../project/project.ts";

/** The workspaces of one run. */
export interface Workspaces {
  /** Returns a workspace at the base that no agent has seen: the one this process has just made, or a new one. */
  readonly fresh: (key: AttemptKey, options: FreshOptions) => Promise<FurnishResult>;
  /** Sets what `fresh` returns next time: the restored workspace, or nothing if restoring failed. */
  readonly keep: (key: AttemptKey, workspace: FurnishResult) => void;
  /** Returns the workspace as a session left it; undefined if there is none. */
  readonly find: (key: AttemptKey, base: string) => ReturnType<typeof findFurnished>;
  /** Gives the workspace to the agent, so that `fresh` does not return it again. */
  readonly handOver: (key: AttemptKey) => void;
  readonly remove: (key: AttemptKey) => void;
}

export function realWorkspaces(
  project: Project,
  options: {
    readonly paths: ReturnType<typeof runPaths>;
    readonly furniture: Furniture;
    readonly inBackground: (work: Promise<unknown>) => void;
  },
): Workspaces {
  const { paths, furniture, inBackground } = options;
  const untouched = new Map<string, Furnished>();
  const place = (key: AttemptKey, commit: string) => ({ dir: paths.workspace(key), commit, ...checkoutStyle });
  const keep = (key: AttemptKey, made: FurnishResult) => {
    if (made.ok) untouched.set(paths.workspace(key), made.value);
    else untouched.delete(paths.workspace(key));
  };
  return {
    fresh: async (key, { base, signal, stillOwn }) => {
      const known = untouched.get(paths.workspace(key));
      if (known !== undefined) return ok(known);
      stillOwn();
      // A check on the base may have outlived the driver that started it.
      await endLeftovers({ cwdWithin: paths.workspace(key), environWithin: paths.workspace(key) });
      stillOwn();
      await removeCheckout(paths.workspace(key));
      const request = { ...place(key, base), logDir: paths.attempt(key), signal };
      const made = await furnish(project.control, furniture, request);
      keep(key, made);
      return made;
    },
    keep,
    find: (key, base) => findFurnished(place(key, base)),
    handOver: (key) => void untouched.delete(paths.workspace(key)),
    remove: (key) => {
      untouched.delete(paths.workspace(key));
      inBackground(removeAside(paths.workspace(key), paths.scratch));
    },
  };
}
