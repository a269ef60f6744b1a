import type { Result } from "../../result.ts";
import type { Project } from "../project.ts";

/** Writes a plan's documents, by path in the repository, to the user's checkout; says which paths it wrote or removed. */
export function handOver(
  _project: Project,
  _handed: {
    readonly plan: string;
    readonly documents: ReadonlyMap<string, Uint8Array>;
    /** Whether a plan that stands there may change. */
    readonly replace: boolean;
  },
): Result<readonly string[]> {
  throw new Error("Internal error: expected handOver to be there, but was not yet written");
}
