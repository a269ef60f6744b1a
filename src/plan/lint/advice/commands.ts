import { planLimits } from "../../limits.ts";
import { callsOf, type Call } from "../../../base/command-line.ts";
import { rulesFile } from "../../rules.ts";
import type { Check, Plan, Position, Rules, Task } from "../../types.ts";

/** A command line that a run would give to a shell. */
export interface Command {
  readonly line: string;
  readonly cwd: string;
  readonly file: string;
  readonly at: Position;
  /** When it is run: after the work of this task, before any work, or after any work. */
  readonly when: Task | "before" | "after";
  /** What it calls first; undefined where the text does not show it. */
  readonly first: Call | undefined;
  /** Whether it is the set-up itself, which nothing can prepare. */
  readonly isSetup?: true;
}

/** The set-up command of the settings. */
export interface SetupLine {
  readonly command: string;
  readonly file: string;
  readonly at: Position;
}

/** What has commands: a plan, and what every plan of a project has. */
interface Commanding {
  readonly plan?: Plan | undefined;
  readonly rules: Rules;
  readonly setup?: SetupLine | undefined;
}

/** Lists every command of a plan, except those of tasks that are done; without a plan, those of the project. */
export function commandsOf({ plan, rules, setup }: Commanding, open: readonly Task[]): Command[] {
  const planFile = plan?.file ?? "";
  const bare: Omit<Command, "first">[] = [
    ...(setup === undefined ? [] : [{ ...before, line: setup.command, file: setup.file, at: setup.at, isSetup }]),
    ...(plan?.prerequisites ?? []).flatMap(({ check }, at) =>
      check === undefined ? [] : [{ ...before, line: check, file: planFile, at: plan!.at(["prerequisites", at]) }],
    ),
    ...open.flatMap((task) => runChecks(task.checks, task.file, task)),
    ...runChecks(rules.checks, rulesFile, "after"),
    ...runChecks(plan?.checks ?? [], planFile, "after"),
  ];
  return bare.map((command) => ({ ...command, first: firstCall(command) }));
}

const before = { cwd: ".", when: "before" } as const;
const isSetup = true as const;

function runChecks(checks: readonly Check[], file: string, when: Command["when"]): Omit<Command, "first">[] {
  return checks.flatMap((check) => {
    // What it finds with a PATH of its own is unknown.
    if (check.kind !== "run" || "PATH" in check.env) return [];
    return [{ line: check.run, cwd: check.cwd, file, at: check.at, when }];
  });
}

/** Only the first call counts: a later program may be created by an earlier one. */
export function firstCall({ line, cwd }: Pick<Command, "line" | "cwd">): Call | undefined {
  const isPlain = line.length <= planLimits.commandLineCharsMax && !/\bPATH=|\w+\s*\(\)|<</.test(line);
  return isPlain ? callsOf(line, cwd)[0] : undefined;
}
