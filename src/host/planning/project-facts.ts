import type { Project } from "../project.ts";

/** What a planner must know of the project to write checks that work there, as Markdown for its inbox. */
export async function projectFacts(_project: Project, _base: string): Promise<string> {
  return "";
}
