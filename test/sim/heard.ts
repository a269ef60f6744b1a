import type { RunEntry } from "../../src/hooks/run-entry.ts";
import type { Sender } from "./people.ts";

/** What is wrong with the commands of a run, given its journal and all who ever sent one. */
export function whyUnheard(entries: readonly RunEntry[], senders: readonly Sender[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (!("command" in entry) || typeof entry.command !== "string") continue;
    counts.set(entry.command, (counts.get(entry.command) ?? 0) + 1);
  }
  return senders.flatMap((sender) => [
    ...sender.post.ids.flatMap((id) => whyWrong(sender, id, counts.get(id) ?? 0)),
    ...whyFalseWord(sender, counts),
  ]);
}

function whyWrong({ post, sent, request: { kind } }: Sender, id: string, count: number): string[] {
  const gaveUp = sent === null || sent === "failed";
  const isWithdrawn = post.withdrawn.has(id);
  const isBack = isWithdrawn || (gaveUp && post.removed.has(id));
  return [
    ...(count > 1 ? [`${kind} ${id} was obeyed ${count} times`] : []),
    ...(count > 0 && isWithdrawn ? [`${kind} ${id} was withdrawn and obeyed`] : []),
    ...(count === 0 && post.durable.has(id) && !isBack ? [`${kind} ${id} was lost`] : []),
  ];
}

/** A sender that was told what became of its command was told the truth. */
function whyFalseWord({ post, sent, request: { kind } }: Sender, counts: ReadonlyMap<string, number>): string[] {
  const isAnswered = sent !== null && sent !== "failed" && sent.kind !== "not-accepted";
  const last = post.ids.at(-1) ?? "";
  return isAnswered && !counts.has(last) ? [`${kind} ${last} was answered and is lost`] : [];
}
