import { posix } from "node:path";
import type { GuardEvidence } from "../../engine/evidence.ts";
import type { Contents } from "../content-guard.ts";
import { readRulesFile } from "./rules-file.ts";
import type { ReadText, Uses } from "./uses.ts";

/**
 * New files or folders that are called like a target: make would find the target made, and run nothing. A folder may have been
 * there before, but not where a check was red on the base.
 */
export async function upToDateTargets(
  { task, changes }: Pick<Contents, "task" | "changes">,
  was: Uses,
  read: ReadText,
): Promise<GuardEvidence[]> {
  const goals = new Set(task.checks.flatMap((check) => (check.kind === "run" && check.red ? [check.run] : [])));
  const created = changes.filter(({ status }) => status === "A").map(({ path }) => path);
  const takes = (made: string, by: string) => (path: string) =>
    path === made || (goals.has(by) && path.startsWith(`${made}/`));
  const found: GuardEvidence[] = [];
  for (const [file, uses] of created.length === 0 ? [] : was.entries) {
    if (!/makefile$/i.test(file)) continue;
    const makeable = makeableIn((await read(file)) ?? "");
    for (const [target, { by }] of uses) {
      const path = makeable(target) ? created.find(takes(posix.join(posix.dirname(file), target), by)) : undefined;
      if (path !== undefined) found.push({ guard: "definition", path, why: whyNot(target, by) });
    }
  }
  return found;
}

/** Whether a target counts as made as soon as a file has its name. */
function makeableIn(makefile: string): (target: string) => boolean {
  const { rules } = readRulesFile(makefile);
  const phony = new Set(rules.get(".PHONY")?.needs);
  return (target) => {
    const rule = rules.get(target);
    return rule !== undefined && rule.recipe.length > 0 && rule.needs.length === 0 && !phony.has(target);
  };
}

function whyNot(target: string, by: string): string {
  return `was created, but make would consider the target "${target}" up to date, so \`${by}\` would run nothing. Rename the file, or have a plan add the target to .PHONY first.`;
}
