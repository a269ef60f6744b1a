import type { CheckEvidence, GuardEvidence } from "../../src/engine/evidence.ts";
import type { JournalEvent } from "../rig/follow.ts";

/** What became of a case's task. `spoilt`: the case itself does not work, so that it shows nothing. */
export type Outcome =
  | { readonly kind: "integrated" }
  | { readonly kind: "refused"; readonly by: string; readonly why: string }
  | { readonly kind: "spoilt"; readonly why: string };

/** Reads from a run's journal whether its only task was integrated, and if not, what refused it. */
export function outcomeOf(journal: readonly JournalEvent[]): Outcome {
  const find = (type: string) => journal.findLast((event) => event.type === type);
  const baseline = find("baseline");
  if (baseline === undefined) return { kind: "spoilt", why: "the run never asked the checks of the base" };
  if (baseline["state"] !== "red")
    return { kind: "spoilt", why: `the checks of the base are ${text(baseline["state"])}: ${text(baseline["why"])}` };
  const session = find("agent-finished")?.["outcome"] as
    { readonly kind: string; readonly detail?: string } | undefined;
  if (session?.kind !== "ok")
    return { kind: "spoilt", why: `the session ended ${session?.kind ?? "never"}: ${session?.detail ?? ""}` };
  if (find("task-integrated") !== undefined) return { kind: "integrated" };
  const verdict = find("verdict");
  if (verdict !== undefined) return { kind: "refused", by: refusedBy(verdict), why: text(verdict["why"]) };
  const blocked = find("task-blocked");
  if (blocked === undefined) return { kind: "spoilt", why: "the run ended without a verdict" };
  return { kind: "refused", by: text(blocked["kind"]), why: text(blocked["why"]) };
}

/** The guard by its name, a check by what it said. */
function refusedBy(verdict: JournalEvent): string {
  const guards = (verdict["guards"] ?? []) as readonly GuardEvidence[];
  const first = guards[0];
  if (first !== undefined) return [...new Set(guards.map(({ guard }) => guard))].join(", ");
  const checks = (verdict["checks"] ?? []) as readonly CheckEvidence[];
  const red = checks.find((check) => check.state !== "green");
  return red === undefined ? text(verdict["reason"]) : `check ${red.state}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
