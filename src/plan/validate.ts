import * as z from "zod";
import { unknownNameMessage } from "./nearest.ts";
import { keyLabel, problemAt, quoted } from "./problem.ts";
import type { Problem } from "./types.ts";
import type { Source } from "./yaml.ts";

/** Checks data against a schema; every problem names its key and the place where that key was written. */
export function validate<T>(
  schema: z.ZodType<T>,
  source: Source,
): { readonly value: T } | { readonly problems: Problem[] } {
  const parsed = schema.safeParse(source.data, { error: describe });
  if (parsed.success) return { value: parsed.data };
  return { problems: parsed.error.issues.flatMap((issue) => toProblems(issue, source)) };
}

/** An object that refuses unknown keys; the message of that refusal is the list of the known ones. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(",");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? known : undefined) });
}

type Path = (string | number)[];

function toProblems(issue: z.core.$ZodIssue, source: Source): Problem[] {
  const { file, at } = source;
  const path = issue.path as Path;
  if (issue.code === "invalid_union") {
    const meant = issue.errors.find((issues) =>
      issues.every((inner) => inner.path.length > 0 || inner.code !== "invalid_type"),
    );
    if (meant) return meant.flatMap((inner) => toProblems({ ...inner, path: [...path, ...inner.path] }, source));
  }
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(",");
    return issue.keys.map((key) => unknownKey(file, key, known, at([...path, key])));
  }
  const code = issue.code === "custom" ? (issue.params?.["code"] as string | undefined) : undefined;
  return [problemAt(file, code ?? "bad-value", `${keyLabel(path)} ${issue.message}`, at(path))];
}

function unknownKey(
  file: string,
  key: string,
  known: readonly string[],
  at: { line: number; column: number },
): Problem {
  if (key === "model" && file.endsWith(".md")) {
    const message =
      "a plan names roles, never models: remove this key and set the model of the role in .stint/config.yaml";
    return problemAt(file, "model-key", message, at);
  }
  // No key has a space, but a command or sentence with a colon does.
  const cure = /\s/.test(key) ? '. If this is text, quote it: YAML reads ": " as the end of a key' : "";
  return problemAt(file, "unknown-key", unknownNameMessage("key", key, known) + cure, at);
}

/** Writes the second half of a message, after the name of the key. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, issue.input);
    case "invalid_value":
      return `must be ${oneOf(issue.values)}, but is ${describeValue(issue.input)}`;
    case "too_small":
      return `must be at least ${String(issue.minimum)}, but is ${describeValue(issue.input)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}, but is ${describeValue(issue.input)}`;
    case "invalid_key":
      return issue.issues[0]?.message;
    case "invalid_union":
      return `must be a list or a map, but is ${describeValue(issue.input)}`;
    case "custom":
    case "unrecognized_keys":
    case "invalid_element":
    case "invalid_format":
    case "not_multiple_of":
    default:
      return undefined;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

function wrongType(expected: string, input: unknown): string {
  if (input === undefined) return "is missing";
  const sentence = `must be ${typeNames[expected] ?? expected}, but is ${describeValue(input)}`;
  if (expected === "string" && ["number", "boolean"].includes(typeof input)) return `${sentence}; put it in quotes`;
  const isNumberLike = typeof input === "string" && /^\d[\d_]*$/.test(input);
  if (!isNumberLike || !["number", "int"].includes(expected)) return sentence;
  return `${sentence}; write ${input.replaceAll("_", "")}, without quotes and underscores`;
}

/** Describes a wrong value in words, for "but is …". */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (typeof value === "string") return `the text ${quoted(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "boolean" ? String(value) : "a map";
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === "string" ? `"${value}"` : String(value)));
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}` : (words[0] ?? "nothing");
}
