import type { RunSettings } from "../../src/engine/events.ts";
import type { Check, Plan, RunCheck, Rules, Task } from "../../src/plan/types.ts";
import type { Dice } from "../rounds/dice.ts";

/** What a simulated run is about. */
export interface Scenario {
  readonly plan: Plan;
  readonly rules: Rules;
  readonly settings: RunSettings;
  /** The files of the base. */
  readonly tree: ReadonlyMap<string, string>;
}

const at = { line: 1, column: 1 };

/** A plan of a few tasks, in any order that can be kept, which may meet in a file. */
export function scenarioOf(dice: Dice): Scenario {
  const count = dice.pick([1, 1, 1, 1, 2, 2, 3]);
  const tasks = Array.from({ length: count }, (_, index) => taskOf(dice, index));
  const plan = planOf(tasks, dice.chance(0.3) ? [has("01.txt", "ready")] : []);
  const tree = new Map([
    ["shared.txt", "base\n"],
    ["plans/p/plan.md", planText(tasks)],
  ]);
  const rules = rulesOf(dice);
  return { plan, rules, settings: settingsOf(dice, rules), tree };
}

/** A little command that rooms understand: green where the file holds the text. */
export function has(path: string, text: string): RunCheck {
  const rest = { timeoutMs: 60_000, env: {}, cwd: ".", network: false, red: true, at };
  return { kind: "run", run: `has ${path} ${text}`, ...rest };
}

function taskOf(dice: Dice, index: number): Task {
  const id = `0${index + 1}`;
  const own = `${id}.txt`;
  const isMeeting = dice.chance(0.25);
  const checks: Check[] = [has(own, "ready"), ...(isMeeting ? [has("shared.txt", `${id}-was-here`)] : [])];
  if (dice.chance(0.15)) checks.push({ kind: "judge", question: `Is ${own} kind?`, red: false, at });
  const before = Array.from({ length: index }, (_, earlier) => `0${earlier + 1}`);
  return {
    id,
    file: `plans/p/tasks/${id}.md`,
    title: `Write ${own}`,
    depends: before.filter(() => dice.chance(0.3)),
    files: { create: [own], modify: isMeeting ? ["shared.txt"] : [], delete: [], touch: [] },
    estimateMs: undefined,
    complexity: dice.chance(0.1) ? "high" : "medium",
    skills: [],
    role: "executor",
    sourceDocs: [],
    checks,
    sections: { Goal: `${own} is ready.` },
    text: `# Write ${own}\n`,
    line: (ofText) => ofText,
    at: () => at,
  };
}

/** A plan of these tasks. */
export function planOf(tasks: readonly Task[], checks: readonly Check[]): Plan {
  const taskLines = tasks.map(({ id }) => ({ id, ticked: false, at }));
  const nothing = { prerequisites: [], decisions: [], edgeCases: [] };
  return {
    name: "p",
    dir: "plans/p",
    file: "plans/p/plan.md",
    title: "P",
    goal: "All is ready.",
    checks,
    ...nothing,
    taskLines,
    tasks,
    at: () => at,
  };
}

/** As its plan.md says it. */
export function planText(tasks: readonly Task[]): string {
  const lines = tasks.map(({ id, title }) => `- [ ] [${id}](tasks/${id}.md) ${title}`);
  return `---\ntitle: P\n---\n\n## Goal\n\nAll is ready.\n\n## Tasks\n\n${lines.join("\n")}\n`;
}

function rulesOf(dice: Dice): Rules {
  const push = dice.pick(["never", "never", "task", "run"] as const);
  const checks = dice.chance(0.2) ? [{ ...has("shared.txt", "base"), red: false }] : [];
  return {
    protect: [],
    forbid: [],
    checks,
    branch: "stint/{plan}",
    push,
    remote: "origin",
    maxChangedLines: 1000,
    prose: "",
  };
}

function settingsOf(dice: Dice, { push }: Rules): RunSettings {
  const caps = { budgetUsd: dice.chance(0.1) ? 3 : null, budgetTokens: null, taskUsd: dice.chance(0.1) ? 1 : null };
  return {
    parallel: 1 + dice.below(3),
    attempts: 1 + dice.below(3),
    escalateAfter: 2,
    ...caps,
    askedUsd: null,
    askedParallel: null,
    reverify: dice.pick(["affected", "all"] as const),
    scopeRequests: dice.pick(["grant", "ask", "refuse"] as const),
    push,
    replan: dice.pick(["never", "ask", "auto"] as const),
    replanMax: dice.below(4),
    only: null,
  };
}
