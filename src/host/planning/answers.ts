import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { writeDocument } from "../../journal/document.ts";
import { limits } from "../../limits.ts";
import { fail, messageOf, ok, type Failure, type Result } from "../../result.ts";

/** Where a person, or another front end, answers the questions of a planning: `{"<id>":"<answer>"}`. */
export function answersFile(folder: string): string {
  return join(folder, "answers.json");
}

/** The answers that lie there, by id of the question; what is blank is none. */
export function readAnswers(folder: string): Result<ReadonlyMap<string, string>, Failure<"answers">> {
  const file = answersFile(folder);
  const text = readRegular(file);
  if (!text.ok) return fail("answers", `${file}: ${text.failure.message}. ${cure}`);
  if (text.value === undefined) return ok(new Map());
  const answers = parse(text.value);
  return answers.ok ? answers : fail("answers", `${file}: ${answers.failure.message}. ${cure}`);
}

/** Adds answers to those that lie there; a later one takes the place of an earlier one. */
export function keepAnswers(
  folder: string,
  more: ReadonlyMap<string, string>,
): Result<ReadonlyMap<string, string>, Failure<"answers">> {
  const before = readAnswers(folder);
  if (!before.ok) return before;
  const all = new Map([...before.value, ...more]);
  writeDocument(answersFile(folder), `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  return ok(all);
}

const cure = 'Write it as {"<id of the question>": "<answer>"}, or remove it.';

/** Undefined where there is none; a link or a pipe is not followed or waited for. */
function readRegular(file: string): Result<string | undefined, Failure<"answers">> {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? ok(undefined) : fail("answers", messageOf(error));
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return fail("answers", "is not a file");
    if (stat.size > limits.answersBytesMax) return fail("answers", `has more than ${limits.answersBytesMax} bytes`);
    const bytes = Buffer.alloc(stat.size);
    return ok(bytes.toString("utf8", 0, readSync(fd, bytes)));
  } finally {
    closeSync(fd);
  }
}

function parse(text: string): Result<ReadonlyMap<string, string>, Failure<"answers">> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail("answers", `is not JSON (${messageOf(error)})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("answers", "is not an object");
  const entries = Object.entries(value as Record<string, unknown>);
  const odd = entries.find(([, answer]) => typeof answer !== "string" || answer.length > limits.inquiryCharsMax);
  if (odd !== undefined)
    return fail("answers", `${JSON.stringify(odd[0])} is not answered by a text of at most ${limits.inquiryCharsMax} characters`);
  return ok(new Map((entries as [string, string][]).filter(([, answer]) => answer.trim() !== "")));
}
