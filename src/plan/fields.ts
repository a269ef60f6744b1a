import * as z from "zod";
import { describeValue } from "./validate.ts";
import { planLimits } from "./limits.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** An absent or empty key means its default. */
export function optional<S extends z.ZodType, const D>(schema: S, fallback: D) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** A bare value stands for a map of its main key; so does a wrong one, so that the message names that key. */
export function inKey(key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null ? value : { [key]: value };
}

export const text = z.string().refine((value) => value.trim() !== "", { error: "must not be empty" });

/** One line of text, because it becomes the subject of a commit or a line of a list. */
export const oneLineText = text.refine((value) => !/[\r\n]/.test(value), { error: "must be a single line" });

/** A command line for `sh -c`. */
export const command = z.string().refine((value) => value.trim() !== "", {
  error: "is an empty command, which would always pass",
  params: { code: "empty-command" },
});

/** A program and its arguments, started without a shell. */
export const program = z.array(z.string()).refine((words) => (words[0] ?? "").trim() !== "", {
  error: "must begin with the name of a program",
});

/** A duration has its unit in the file, such as `90s` or `10m`, and is in milliseconds in the program. */
export const duration = z.string({ error: (issue) => durationRule(issue.input) }).transform((value, context) => {
  const [, digits = "", unit = ""] = /^(\d{1,15})(ms|s|m|h)$/.exec(value) ?? [];
  const ms = Number(digits) * (unitMs[unit as keyof typeof unitMs] ?? 0);
  if (ms >= 1 && ms <= planLimits.durationMsMax) return ms;
  context.addIssue({ code: "custom", message: durationRule(value) });
  return z.NEVER;
});

function durationRule(input: unknown): string {
  return `must be a duration from 1ms to 576h such as "90s" or "10m", but is ${describeValue(input)}`;
}

/** A path or glob relative to the repo root that cannot lead out of it. */
export const repoPath = text
  .transform((value) => value.replace(/^(?:\.\/+)+/, ""))
  .refine((value) => isInside(value), {
    error: 'must be a path inside the repo, relative to its root, without ".."',
    params: { code: "bad-path" },
  });

function isInside(path: string): boolean {
  if (path === "" || path.length > planLimits.pathCharsMax || /^[/\\]|^![^(]|[\r\n]/.test(path)) return false;
  return !path.split(/[/\\]/).includes("..");
}

/** The name of an environment variable; `NAME=value` is a common slip. */
export const envName = z.string().refine((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name), {
  error: "must be the name of an environment variable: letters, digits and _",
});

/** A list that may be left out. */
export function list<S extends z.ZodType>(item: S) {
  return optional(z.array(item), [] as z.output<S>[]);
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.number().int().min(min).max(max);
}
