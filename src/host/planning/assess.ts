import type { Project } from "../project.ts";
import type { AssessedDraft, AssessRequest } from "./contract.ts";

/** Says what a draft would be as a plan, and what is wrong with it. */
export function assessDraft(_project: Project, _request: AssessRequest): Promise<AssessedDraft> {
  throw new Error("Internal error: expected assessDraft to be there, but was not yet written");
}
