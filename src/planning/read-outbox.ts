import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { readOutboxJson, readPlainFile } from "../agents/driver-kit/outbox.ts";
import { planLimits } from "../plan/limits.ts";
import { planningLimits } from "./limits.ts";
import { idRule, isId } from "../plan/ids.ts";
import type { SessionOutput } from "./machine/session-output.ts";
import { findingsFrom, questionsFrom } from "./machine/parse-outbox.ts";
import { messageOf } from "../base/result.ts";
import type { Redactor } from "../base/redact.ts";
import { withoutSecrets } from "../agents/redaction.ts";

/** Reads the outbox of a planner or critic, without the user's secrets. An untrusted agent wrote it: what is refused becomes a problem. */
export async function readOutbox(outbox: string, redact: Redactor): Promise<SessionOutput> {
  const problems: string[] = [];
  const draft = await readDraft(outbox, problems);
  const rules = await readOne(outbox, "rules.md", problems);
  const questions = await readQuestions(outbox, problems);
  const findings = await readFindings(outbox, problems);
  return withoutSecretsIn({ draft, rules, questions, findings, problems }, redact);
}

/** Reads the documents of a plan from a folder, by their names there. */
export async function readDraft(folder: string, problems: string[]): Promise<Map<string, Uint8Array>> {
  const draft = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const name of ["plan.md", "scope.md", ...(await taskNames(folder, problems))]) {
    const read = await readOne(folder, name, problems);
    if (read === null) continue;
    bytes += read.byteLength;
    if (bytes > planningLimits.draftBytesMax) {
      problems.push(
        `${name}: with it the draft has more than ${planningLimits.draftBytesMax} bytes; the rest is ignored`,
      );
      break;
    }
    draft.set(name, read);
  }
  return draft;
}

async function taskNames(folder: string, problems: string[]): Promise<string[]> {
  const tasks = join(folder, "tasks");
  const stat = await lstat(tasks).catch(() => null);
  if (stat === null) return [];
  if (!stat.isDirectory()) {
    problems.push("tasks: is not a folder");
    return [];
  }
  const names: string[] = [];
  for await (const { name } of await opendir(tasks)) {
    if (names.length === planningLimits.draftFilesMax) {
      problems.push(`tasks: more than ${planningLimits.draftFilesMax} files; the rest is ignored`);
      break;
    }
    if (name.endsWith(".md") && isId(name.slice(0, -".md".length))) names.push(`tasks/${name}`);
    else if (problems.length < planningLimits.draftFilesMax)
      problems.push(`tasks/${name}: cannot be the name of a task: ${idRule}, then .md`);
  }
  return names.toSorted();
}

async function readOne(folder: string, name: string, problems: string[]): Promise<Uint8Array | null> {
  try {
    return await readPlainFile(folder, name, planLimits.planFileBytesMax);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") problems.push(`${name}: ${messageOf(error)}`);
    return null;
  }
}

async function readQuestions(outbox: string, problems: string[]): Promise<SessionOutput["questions"]> {
  const json = await readOutboxJson(outbox, "questions.json");
  if (!json.ok && json.failure.reason === "absent") return [];
  const parsed = json.ok ? questionsFrom(json.value) : { items: [], problems: [json.failure.message] };
  problems.push(...parsed.problems);
  return parsed.items;
}

async function readFindings(outbox: string, problems: string[]): Promise<SessionOutput["findings"]> {
  const json = await readOutboxJson(outbox, "findings.json");
  if (!json.ok && json.failure.reason === "absent") return null;
  const parsed = json.ok ? findingsFrom(json.value) : null;
  problems.push(
    ...(parsed?.problems ?? [json.ok ? "findings.json: must be a list of findings" : json.failure.message]),
  );
  return parsed?.items ?? null;
}

/** Removes the user's secrets from all output, and says where: documents are committed, questions become decisions. */
function withoutSecretsIn(output: SessionOutput, redact: Redactor): SessionOutput {
  const problems = [...output.problems];
  const clean = (name: string, bytes: Uint8Array): Uint8Array => {
    const text = Buffer.from(bytes).toString("utf8");
    const shown = redact.text(text);
    if (shown === text) return bytes;
    problems.push(`${name}: contained one of your secrets, which was removed`);
    return Buffer.from(shown);
  };
  const draft = new Map([...output.draft].map(([name, bytes]) => [name, clean(name, bytes)]));
  const rules = output.rules === null ? null : clean("rules.md", output.rules);
  return {
    draft,
    rules,
    questions: output.questions.map((one) => withoutSecrets(one, redact)),
    findings: output.findings?.map((one) => withoutSecrets(one, redact)) ?? null,
    problems: problems.map((line) => redact.text(line)),
  };
}
