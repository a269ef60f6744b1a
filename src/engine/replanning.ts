import type { Revision } from "./events.ts";
import type { Spending } from "./session.ts";

/** How the plan of a run is revised. The state's own `planHash` stays that of the plan it was started with. */
export interface Replanning {
  /** The revision that holds; null while that is the plan the run was started with. */
  inForce: Pick<Revision, "revision" | "commit" | "planHash"> | null;
  /** The number of the latest revision, whoever asked for it. */
  latest: number;
  /** How many the run asked for by itself. */
  asked: number;
  /** What a planner is asked for now, and what was recorded as spent on it. */
  open: { readonly revision: number; readonly tasks: readonly string[]; readonly spent: Spending } | null;
  proposal: Revision | null;
  /** Accepted, while the tasks that it changes or removes still hold something. */
  accepted: (Revision & { readonly by: string | null }) | null;
  /** Commits of revisions that were accepted, refused or overtaken: no approval of them counts any more. */
  readonly spent: Set<string>;
  /** By task that a revision took away or changed, how far it had come: one that comes back goes on counting. */
  readonly retired: Map<string, { readonly attempt: number; readonly usage: Spending }>;
}
