import { stringify } from "yaml";

/** A task of a test's plan; what is left out gets a value that lint accepts. */
export interface TaskSpec {
  readonly title?: string;
  readonly depends?: readonly string[];
  readonly files: unknown;
  readonly checks: readonly unknown[];
  readonly goal?: string;
  readonly source_docs?: readonly string[];
  readonly complexity?: "low" | "medium" | "high";
}

/** A plan of a test, by task id. */
export interface PlanSpec {
  readonly name?: string;
  readonly tasks: Readonly<Record<string, TaskSpec>>;
  readonly checks?: readonly unknown[];
  readonly decisions?: readonly unknown[];
}

/** The files of a plan folder, by path. */
export function plan({ name = "work", tasks, checks, decisions }: PlanSpec): Record<string, string> {
  const front = { stint: 1, title: "A plan of the tests", goal: "Show one behaviour", checks, decisions };
  const lines = Object.entries(tasks).map(([id, task]) => `- [ ] [${id}](tasks/${id}.md) ${titleOf(id, task)}`);
  const files: Record<string, string> = {
    [`plans/${name}/plan.md`]: document(front, `## Overview\n\nA small plan.\n\n## Tasks\n\n${lines.join("\n")}`),
    [`plans/${name}/scope.md`]: "# Scope\n\n## Understanding\n\nSmall.\n\n## Goals\n\nOne.\n\n## Gaps\n\nNone.\n",
  };
  for (const [id, task] of Object.entries(tasks)) files[`plans/${name}/tasks/${id}.md`] = taskFile(id, task);
  return files;
}

/** A task that is done when `file` says ready. */
export function makes(file: string, more: Partial<TaskSpec> = {}): TaskSpec {
  return { files: { create: [file] }, checks: [`grep -q ready ${file}`], ...more };
}

/** Front matter and body, as Markdown. */
export function document(front: unknown, body: string): string {
  return `---\n${yamlOf(front)}---\n\n${body}\n`;
}

function yamlOf(front: unknown): string {
  return stringify(front, { keepUndefined: false, lineWidth: 0 });
}

function taskFile(id: string, task: TaskSpec): string {
  return document(frontOf(id, task), `## Goal\n\n${goalOf(task)}`);
}

function goalOf({ goal = "Make the checks pass." }: TaskSpec): string {
  return goal;
}

function frontOf(id: string, task: TaskSpec) {
  return {
    title: titleOf(id, task),
    depends: task.depends ?? [],
    files: task.files,
    estimate: "15m",
    complexity: task.complexity,
    checks: task.checks,
    source_docs: task.source_docs,
  };
}

function titleOf(id: string, task: TaskSpec): string {
  return task.title ?? `Do ${id}`;
}

/** The same plan as one file. */
export function oneFile({ name = "work", tasks, checks }: PlanSpec): Record<string, string> {
  const sections = Object.entries(tasks).map(([id, task]) => {
    const { title, ...front } = frontOf(id, task);
    return `## [ ] ${id} ${title}\n\n\`\`\`yaml\n${yamlOf(front)}\`\`\`\n\n### Goal\n\n${goalOf(task)}\n`;
  });
  const front = { stint: 1, title: "A plan of the tests", checks };
  return { [`plans/${name}.md`]: document(front, `## Overview\n\nA small plan.\n\n${sections.join("\n")}`) };
}
