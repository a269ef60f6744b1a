import type { Check, Plan, Rules } from "../plan/types.ts";

/** What checks ask of a judge, each question once. */
export function questionsIn(checks: readonly Check[]): string[] {
  return [...new Set(checks.flatMap((check) => (check.kind === "judge" ? [check.question] : [])))];
}

/** What a judge is asked about a task's candidate: its own questions, then those of the rules. */
export function taskQuestions({ plan, rules }: { readonly plan: Plan; readonly rules: Rules }, id: string): string[] {
  const own = plan.tasks.find((task) => task.id === id)?.checks ?? [];
  return questionsIn([...own, ...rules.checks]);
}
