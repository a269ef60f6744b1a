import type { CheckEvidence } from "../engine/events.ts";
import type { MechanicalCheck } from "./checks.ts";

/** What a task's checks say of its base: broken if one cannot be trusted, red if one can show progress, else green. */
export function concludeBaseline(
  checks: readonly MechanicalCheck[],
  evidence: readonly CheckEvidence[],
): { state: "red" | "green" | "broken"; why: string } {
  const broken = evidence.find((result) => result.state === "broken");
  if (broken !== undefined) {
    return { state: "broken", why: `a check cannot be run on the base: ${broken.label}: ${broken.why}` };
  }
  const red = evidence.find((result, index) => result.state === "red" && checks[index]?.red === true);
  if (red !== undefined) return { state: "red", why: `red before the work, as it should be: ${red.label}` };
  const regressed = evidence.find((result) => result.state === "red");
  if (regressed !== undefined) {
    const why = `a check marked red: false is red before the work, and nothing else is: ${regressed.label}`;
    return { state: "broken", why };
  }
  return { state: "green", why: "all checks are green before any work, so they prove nothing" };
}
