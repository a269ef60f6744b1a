import { callsOf, nameOf } from "../../../base/command-line.ts";
import type { Check, Problem, Task } from "../../types.ts";
import { planLimits } from "../../limits.ts";
import { codeIn } from "./changed-code.ts";
import { canBeRed } from "./nothing-red.ts";
import { taskWarning } from "./warning.ts";

/** Code that nothing runs can be anything: a file that exists, or holds a word, proves no behaviour. */
export function adviseWeakChecks(task: Task): Problem[] {
  const { checks, files } = task;
  if (!checks.some(canBeRed) || codeIn(files).length === 0 || !checks.every(isWeak)) return [];
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

/** What stands in `$(…)`, also within quotes, where the calls of the line do not show it. */
function substituted(line: string): string[] {
  return [...line.matchAll(/(?:\$\(|`)\s*([^\s)`]+)/g)].map((match) => match[1] ?? "");
}

function isLooking(program: string): boolean {
  return looking.has(nameOf(program));
}

/** Programs that tell of files, or of nothing. */
const looking = new Set(
  "true : false echo printf test [ [[ ]] exit return grep egrep fgrep rg ag ls cat stat head tail wc file which type command find sort uniq tr cut pwd sleep fi done esac }".split(
    " ",
  ),
);
