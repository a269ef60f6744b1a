import type { CheckEvidence } from "../engine/evidence.ts";
import type { MechanicalCheck } from "./checks.ts";

/**
 * Concludes what a task's checks say of its base: broken if one cannot be trusted, red if one can show progress, else green.
 * What a reopened task has to fix may be broken by its own doing, which is as good as red.
 */
export function concludeBaseline(
  checks: readonly MechanicalCheck[],
  evidence: readonly CheckEvidence[],
  toFix: readonly string[] = [],
): { state: "red" | "green" | "broken"; why: string } {
  const isToFix = ({ key = "", cause }: CheckEvidence) => cause === undefined && toFix.includes(key);
  const broken = evidence.find((result) => result.state === "broken" && !isToFix(result));
  if (broken !== undefined) {
    return { state: "broken", why: `a check cannot be run on the base: ${broken.label}: ${broken.why}` };
  }
  const regression = evidence.find((result) => result.state !== "green" && isToFix(result));
  if (regression !== undefined) return { state: "red", why: `to be fixed: ${regression.label}` };
  const red = evidence.find((result, index) => result.state === "red" && checks[index]?.red === true);
  if (red !== undefined) return { state: "red", why: `fails before the work, as expected: ${red.label}` };
  const regressed = evidence.find((result) => result.state === "red");
  if (regressed !== undefined) {
    const why = `a check marked red: false is red before the work, and nothing else is: ${regressed.label}`;
    return { state: "broken", why };
  }
  return { state: "green", why: "all checks are green before any work, so they prove nothing" };
}
