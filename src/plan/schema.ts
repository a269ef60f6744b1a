import * as z from "zod";
import { checkList } from "./checks.ts";
import { command, duration, inKey, list, oneLineText, optional, repoPath, text, wholeNumber } from "./fields.ts";
import { planLimits } from "./limits.ts";
import { roles, type TaskFiles } from "./types.ts";
import { strict } from "./validate.ts";

const prerequisite = z.preprocess(
  (value) => inKey("text", value),
  strict({ text, check: optional(command, undefined) }),
);

const decision = strict({
  id: oneLineText,
  question: text,
  options: list(text),
  recommend: optional(text, undefined),
  answer: optional(text, undefined),
  assumed: optional(z.boolean(), false),
});

/** In YAML, `- Duplicate email: return 409` is a map of one pair; its author meant a sentence. */
const edgeCase = z.preprocess((value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const [pair, second] = Object.entries(value);
  return pair === undefined || second !== undefined || typeof pair[1] === "object"
    ? value
    : `${pair[0]}: ${String(pair[1])}`;
}, text);

/** The front matter of plan.md. */
export const planSchema = strict({
  stint: optional(z.literal(1), 1),
  title: oneLineText,
  goal: optional(text, undefined),
  checks: checkList(false),
  prerequisites: list(prerequisite),
  decisions: list(decision),
  edge_cases: list(edgeCase),
});

const noFiles: TaskFiles = { create: [], modify: [], delete: [], touch: [] };

const taskFiles = z.union([
  z.array(repoPath).transform((touch): TaskFiles => ({ ...noFiles, touch })),
  strict({ create: list(repoPath), modify: list(repoPath), delete: list(repoPath) }).transform((files): TaskFiles => ({
    ...files,
    touch: [],
  })),
]);

/** The front matter of a task. */
export const taskSchema = strict({
  title: oneLineText,
  depends: list(oneLineText),
  files: optional(taskFiles, noFiles),
  estimate: optional(duration, undefined),
  complexity: optional(z.enum(["low", "medium", "high"]), "medium"),
  // Read by agents, in the text of the task; Stint itself does not use it.
  tools: list(oneLineText),
  skills: list(oneLineText),
  role: optional(z.enum(roles), "executor"),
  source_docs: list(repoPath),
  checks: checkList(true),
});

const branch = z
  .string()
  .refine(isBranchTemplate, { error: 'must be a branch name such as "stint/{plan}"', abort: true })
  .refine((value) => !/^(?:HEAD|FETCH_HEAD|ORIG_HEAD|refs\/.*)$/i.test(value), {
    error: 'must be the name of a branch, not of a ref; write "stint/{plan}"',
    abort: true,
  })
  .refine(isOwnBranch, {
    error: 'must be a branch that only runs use: start it with "stint/", or add words to {plan}, as in "stint/{plan}"',
  });

/** A plan's name cannot be longer. */
const longestPlan = "p".repeat(64);

/** Git refuses some names of branches, and only `{plan}` is a placeholder. */
function isBranchTemplate(value: string): boolean {
  const name = value.replaceAll("{plan}", longestPlan);
  if (!/^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/.test(name) || /\.\.|\/\/|\/\.|\/$|\.$/.test(name)) return false;
  if (name.length > planLimits.pathCharsMax) return false;
  return !name.split("/").some((part) => part.endsWith(".lock") || isTooLongForLock(part));
}

/** Git locks a branch with a file of the same name plus `.lock`. */
function isTooLongForLock(part: string): boolean {
  return part.length + ".lock".length > planLimits.pathSegmentCharsMax;
}

/** A run moves its branch, so it must never be one that people work on; `{plan}` alone would be `main` for a plan of that name. */
function isOwnBranch(value: string): boolean {
  return value.startsWith("stint/") || (value.includes("{plan}") && /[A-Za-z0-9]/.test(value.replaceAll("{plan}", "")));
}

const remote = z.string().refine((value) => /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(value), {
  error: 'must be the name of a git remote such as "origin"',
});

/** The front matter of rules.md. */
export const rulesSchema = strict({
  protect: list(repoPath),
  forbid: list(repoPath),
  checks: checkList(false),
  branch: optional(branch, "stint/{plan}"),
  push: optional(z.enum(["never", "task", "run"]), "never"),
  remote: optional(remote, "origin"),
  max_changed_lines: optional(wholeNumber(1), 2_000),
});
