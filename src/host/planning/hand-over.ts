import type { PlanFiles } from "../../plan/types.ts";
import type { Result } from "../../result.ts";
import type { Project } from "../project.ts";

/** A plan's documents, and what of the checkout they may take the place of. */
export interface HandedOver {
  readonly plan: string;
  /** By path in the repository. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Whether a plan that stands there may change. */
  readonly replace: boolean;
  /** The plan that is revised: a file that is as it stands there, or as HEAD has it, is nobody's unsaved work. */
  readonly standing?: PlanFiles;
}

/** Writes a plan's documents to the user's checkout; says which paths it wrote or removed. */
export function handOver(_project: Project, _handed: HandedOver): Promise<Result<readonly string[]>> {
  throw new Error("Internal error: expected handOver to be there, but was not yet written");
}
