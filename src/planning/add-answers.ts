import { join } from "node:path";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { Failure, Result } from "../base/result.ts";
import { readAnswers } from "./question-files.ts";

/** Adds answers to those in a planning's answers.json; a new one takes the place of one that lies there. */
export async function addAnswers(
  folder: string,
  { open, given }: { readonly open: ReadonlySet<string>; readonly given: ReadonlyMap<string, string> },
): Promise<Result<unknown, Failure<"answers" | "io">>> {
  const file = join(folder, "answers.json");
  const lying = await readAnswers(file, open);
  if (!lying.ok) return lying;
  const all = new Map([...lying.value.map(({ id, answer }) => [id, answer] as const), ...given]);
  return writeDocument(realFiles, file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
