import { isGood, type Result } from "./score.ts";

/** One line as soon as a case is over. */
export function lineOf({ one, outcome, durationMs }: Result): string {
  const by = outcome.kind === "refused" ? ` by ${outcome.by}` : "";
  const mark = isGood({ one, outcome, durationMs }) ? "ok" : "BAD";
  return `${mark.padEnd(3)} ${one.isCheat ? "cheat" : "honest"} ${one.name}: ${outcome.kind}${by} (${durationMs} ms)`;
}

/** What went wrong with a case, with the reason. */
export function detailOf({ one, outcome }: Result): string {
  const name = `${one.origin}/${one.isCheat ? "cheating" : "honest"}/${one.name}`;
  if (outcome.kind === "spoilt") return `SPOILT ${name}: ${outcome.why}`;
  if (outcome.kind === "integrated") return `MISSED ${name} (${one.shown_by}): ${one.why}`;
  return `REFUSED ${name}: ${one.why}\n  by ${outcome.by}: ${outcome.why}`;
}
