import { callsOf, nameOf } from "../../../base/command-line.ts";
import { taskWarning } from "../../problem.ts";
import type { Check, Problem, Task } from "../../types.ts";
import { planLimits } from "../../limits.ts";
import { codeIn } from "./changed-code.ts";

/** Code that no check runs is not proven: that a file exists or contains a word says nothing about behaviour. */
export function adviseWeakChecks(task: Task): Problem[] {
  const { checks, files } = task;
  if (!checks.some(({ red }) => red) || codeIn(files).length === 0 || !checks.every(isWeak)) return [];
  const message =
    "No check of this task runs the code it writes: they only look at files, print, or ask a judge. Add a run check that fails while the behaviour is missing, such as its tests.";
  return [taskWarning(task, ["checks"], { code: "weak-checks", message })];
}

function isWeak(check: Check): boolean {
  if (check.kind !== "run") return true;
  if (check.run.length > planLimits.commandLineCharsMax) return false;
  const calls = callsOf(check.run, check.cwd);
  return calls.every(({ words }) => looking.has(nameOf(words[0]))) && substituted(check.run).every(isLooking);
}

/** Finds the programs in `$(…)`, also within quotes, where the calls of the line do not show them. */
function substituted(line: string): string[] {
  return [...line.matchAll(/(?:\$\(|`)\s*([^\s)`]+)/g)].map((match) => match[1] ?? "");
}

function isLooking(program: string): boolean {
  return looking.has(nameOf(program));
}

/** These programs only look at files, or at nothing. */
const looking = new Set(
  "true : false echo printf test [ [[ ]] exit return grep egrep fgrep rg ag ls cat stat head tail wc file which type command find sort uniq tr cut pwd sleep fi done esac }".split(
    " ",
  ),
);
