import type { GuardEvidence } from "../../src/engine/evidence.ts";
import type { Check, Rules, Task, TaskFiles } from "../../src/plan/types.ts";
import type { ChangedText, ContentGuard, Contents } from "../../src/guards/content-guard.ts";

/** A change as a test writes it: the text before and after; null for a file that is not there. */
export type Edit = readonly [before: string | null, after: string | null];

export interface Given {
  /** Command lines of checks. */
  readonly checks?: readonly string[];
  readonly setup?: string;
  /** What the task may create, modify and delete; anything where nothing is said. */
  readonly modify?: readonly string[];
  /** What the task says. */
  readonly text?: string;
  /** The task's goal. */
  readonly goal?: string;
  readonly edits: Readonly<Record<string, Edit>>;
  /** Files of the base that are not changed. */
  readonly base?: Readonly<Record<string, string>>;
}

/** What one content guard says, without git. */
export async function judged(
  guard: ContentGuard,
  { checks = [], setup = "", modify = ["**"], text = "", goal = "", edits, base = {} }: Given,
): Promise<GuardEvidence[]> {
  const changes = Object.entries(edits).map(([path, [before, after]]): ChangedText => {
    return { path, before, after, tooLarge: false, status: before === null ? "A" : after === null ? "D" : "M" };
  });
  const judges = judging(checks.map(runCheck), modify, text);
  const task = { ...judges.task, title: "", sections: { Goal: goal } };
  const contents: Contents = { ...judges, task, setup, changes };
  return [...(await guard(contents, async (path) => base[path] ?? edits[path]?.[0] ?? null))];
}

/** Every check is the task's own. */
function judging(
  checks: readonly Check[],
  modify: readonly string[],
  text: string,
): Pick<Contents, "task" | "rules" | "checks"> {
  const files = { create: modify, modify, delete: modify, touch: [] };
  return {
    task: { checks, text, files: files as TaskFiles } as Task,
    rules: { protect: [] as readonly string[] } as Rules,
    checks,
  };
}

function runCheck(run: string): Check {
  return {
    kind: "run",
    run,
    timeoutMs: 1000,
    env: {},
    cwd: ".",
    network: false,
    red: true,
    at: { line: 1, column: 1 },
  };
}
