import { basename, dirname } from "node:path";
import { readOutboxJson } from "../agents/driver-kit/outbox.ts";
import { planningLimits } from "./limits.ts";
import { shortened } from "../base/visible.ts";
import type { Answered } from "./machine/events.ts";
import type { Inquiry } from "./machine/session-output.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { PlanningHands } from "./drive.ts";

/** Puts open questions where another front end finds them. */
export function writeQuestions({ paths, write, state }: PlanningHands, questions: readonly Inquiry[]): void {
  const { planning, plan, goal } = state;
  write(paths.questions, `${JSON.stringify({ planning, plan, goal, questions }, null, 2)}\n`);
}

/** What another front end has answered of these; a file that is there and cannot be read is said. */
export async function readAnswers(
  path: string,
  asked: ReadonlySet<string>,
): Promise<Result<readonly Answered[], Failure<"answers">>> {
  const json = await readOutboxJson(dirname(path), basename(path));
  if (!json.ok) return json.failure.reason === "absent" ? ok([]) : fail("answers", `${path}: ${json.failure.message}`);
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value))
    return fail("answers", `${path}: must be an object such as {"<id>": "<answer>"}`);
  // What is blank is not filled in yet.
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
