import { basename, dirname, join } from "node:path";
import { readOutboxJson } from "../agents/driver-kit/outbox.ts";
import { planningLimits } from "./limits.ts";
import { shortened } from "../base/visible.ts";
import type { Answered } from "./machine/events.ts";
import type { Inquiry } from "./machine/session-output.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { PlanningSession } from "./planning-session.ts";

/** Writes open questions where another front end finds them. */
export function writeQuestions({ paths, ports, state }: PlanningSession, questions: readonly Inquiry[]): void {
  const { planning, plan, goal } = state;
  ports.write(paths.questions, `${JSON.stringify({ planning, plan, goal, questions }, null, 2)}\n`);
}

/** Reads what another front end answered; an unreadable file is a failure, a missing one is not. */
export async function readAnswers(
  path: string,
  asked: ReadonlySet<string>,
): Promise<Result<readonly Answered[], Failure<"answers">>> {
  const json = await readOutboxJson(dirname(path), basename(path));
  if (!json.ok) return json.failure.reason === "absent" ? ok([]) : fail("answers", `${path}: ${json.failure.message}`);
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value))
    return fail("answers", `${path}: must be an object such as {"<id>": "<answer>"}`);
  // A blank answer is not filled in yet.
  const given = Object.entries(json.value).filter(([id, answer]) => asked.has(id) && String(answer).trim() !== "");
  const wrong = given.find(([, answer]) => typeof answer !== "string");
  if (wrong !== undefined) return fail("answers", `${path}: the answer to ${wrong[0]} must be text`);
  return ok(
    given.map(([id, answer]) => ({
      id,
      answer: shortened(String(answer).trim(), planningLimits.inquiryCharsMax),
      assumed: false,
    })),
  );
}

/** Adds answers to the answers.json of a planning session; a new one replaces an old one. */
export async function addAnswers(
  folder: string,
  { open, given }: { readonly open: ReadonlySet<string>; readonly given: ReadonlyMap<string, string> },
): Promise<Result<unknown, Failure<"answers" | "io">>> {
  const file = join(folder, "answers.json");
  const present = await readAnswers(file, open);
  if (!present.ok) return present;
  const all = new Map([...present.value.map(({ id, answer }) => [id, answer] as const), ...given]);
  return writeDocument(realFiles, file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
