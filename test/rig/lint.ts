import { lintPlan, type LintInput } from "../../src/plan/lint/lint.ts";
import { defaultRules } from "../../src/plan/rules.ts";
import type { Check, Plan, Problem, Task, TaskFiles } from "../../src/plan/types.ts";

const at = { line: 9, column: 3 };

/** A task of which only what is given says anything. */
export function task(id: string, some: Partial<Omit<Task, "files">> & { files?: Partial<TaskFiles> } = {}): Task {
  return {
    ...{ id, file: `plans/p/tasks/${id}.md`, title: id, depends: [], estimateMs: undefined, complexity: "medium" },
    ...{ skills: [], role: "executor", sourceDocs: [], checks: [], sections: { Goal: "" }, text: "" },
    line: (ofText) => ofText,
    at: (key) => ({ line: key.length + 1, column: Number(key.at(-1)) + 1 || 1 }),
    ...some,
    files: { create: [], modify: [], delete: [], touch: [], ...some.files },
  };
}

export function plan(tasks: readonly Task[], checks: readonly Check[] = []): Plan {
  return {
    ...{ name: "p", dir: "plans/p", file: "plans/p/plan.md", title: "P", goal: "P", checks, prerequisites: [] },
    ...{ decisions: [], edgeCases: [], taskLines: [], tasks, at: () => at },
  };
}

export const exists = (path: string): Check => ({ kind: "exists", path, red: true, at });
export const contains = (path: string): Check => ({ kind: "contains", path, text: "x", red: true, at });
export const absent = (path: string): Check => ({ kind: "absent", path, red: true, at });
export const run = (cwd: string): Check => ({
  ...{ kind: "run", run: "true", timeoutMs: 1, env: {}, cwd, network: false, red: true, at },
});

const repoFiles = new Set(["src/a.ts", "src/b.ts", "app/[id]/page.tsx", "docs/guide/x.md"]);

/** What lint says about tasks, as `file:line:column: severity: code: message`. */
export function lint(tasks: readonly Task[], some: Partial<LintInput> = {}): string[] {
  return lintPlan({ plan: plan(tasks), rules: defaultRules, repoFiles, ...some }).map(show);
}

function show({ file, line, column, severity, code, message }: Problem): string {
  return `${file}:${line}:${column}: ${severity}: ${code}: ${message}`;
}
