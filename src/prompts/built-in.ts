/** Everything a template can speak of, with what it stands for. */
export const variables = {
  goal: "the goal of the whole plan",
  rules: "the prose of .stint/rules.md",
  task: "the task file, whole",
  files: "what the task may create, modify and delete",
  checks: "what proves the task",
  edge_cases: "edge_cases of the plan",
  neighbours: "the tasks it depends on and those that depend on it",
  skills: "the skills that the task names",
  inputs: "its source_docs, by their place in the inbox",
  notes: "what the tasks it depends on left for it",
  answers: "what its earlier sessions asked, and what a person or the settings answered",
  verdict: "why the previous attempt was refused, with the tail of what failed",
} as const;

export type Variable = keyof typeof variables;

export interface BuiltInPrompt {
  /** For people who override it. */
  readonly about: string;
  readonly required: readonly Variable[];
  readonly text: string;
}

export const promptNames = ["executor", "task"] as const;
export type PromptName = (typeof promptNames)[number];

const executor = `You are a worker. You do one task and stop.

- Do only the task below. Add no feature, fix nothing else, change no plan.
- Ask no question: nobody reads along. If you cannot do the task as written, say so in your report and stop.
- Touch only the files the task names, and what you were granted besides. Existing tests, test and CI configuration, settings of agents and lockfiles stay as they are unless the task names them.
- You do not decide that you are done. When your session ends, the checks are run by somebody else in a clean checkout of your changes.
- Leave your changes in the working directory; committing is not needed.
- When you end, write "$STINT_OUTBOX/report.json":
  {"status": "done" | "blocked" | "infeasible", "summary": "what you did, for the commit message", "reason": "if blocked or infeasible", "need_files": ["only if the task cannot do without files it does not name: their paths"], "notes": "what tasks that build on this one should know"}
- need_files is a request, which may be refused. With "done" you have changed those files already; with "blocked" you have not, and stop.
- "$STINT_INBOX" holds the full plan, the rules, the inputs and the previous verdict, if you need them.
`;

const task = `# Goal of the whole plan

{{goal}}

# Rules

{{rules}}

# Your task

{{task}}

# What you may touch

{{files}}

# What proves the task

{{checks}}

# Edge cases

{{edge_cases}}

# Neighbours

{{neighbours}}

# Skills to use, where you have them

{{skills}}

# Inputs

{{inputs}}

# Notes of the tasks you depend on

{{notes}}

# What was answered to earlier sessions of this task

{{answers}}

# Your previous attempt was refused

{{verdict}}
`;

/** Ours; a project or a user may put a file of the same name in the place of each. */
export const builtInPrompts: Readonly<Record<PromptName, BuiltInPrompt>> = {
  executor: { about: "what every executor is told first", required: [], text: executor },
  task: { about: "the task packet, which follows it", required: ["task"], text: task },
};
