import type { Left } from "./machine/session-output.ts";
import type { Redactor } from "../base/redact.ts";
import { withoutSecrets } from "../agents/redaction.ts";

/** Strikes the user's secrets out of all that a session left: documents are committed, questions become decisions. Says where. */
export function withoutSecretsIn(left: Left, redact: Redactor): Left {
  const problems = [...left.problems];
  const clean = (name: string, bytes: Uint8Array): Uint8Array => {
    const text = Buffer.from(bytes).toString("utf8");
    const shown = redact.text(text);
    if (shown === text) return bytes;
    problems.push(`${name}: held a secret of yours, which was struck out`);
    return Buffer.from(shown);
  };
  const draft = new Map([...left.draft].map(([name, bytes]) => [name, clean(name, bytes)]));
  const rules = left.rules === null ? null : clean("rules.md", left.rules);
  return {
    draft,
    rules,
    questions: left.questions.map((one) => withoutSecrets(one, redact)),
    findings: left.findings?.map((one) => withoutSecrets(one, redact)) ?? null,
    problems: problems.map((line) => redact.text(line)),
  };
}
