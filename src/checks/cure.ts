import { stringify } from "yaml";
import type { CheckEvidence } from "../engine/evidence.ts";
import { planLimits } from "../plan/limits.ts";
import { writeDuration } from "../base/duration.ts";
import { rulesFile } from "../plan/rules.ts";
import type { RunCheck } from "../plan/types.ts";
import type { MechanicalCheck } from "./checks.ts";

/** A check as it was answered, and where it is written. */
export interface Answered {
  readonly check: MechanicalCheck;
  readonly evidence: CheckEvidence;
  /** What the same check showed with the network, where that was tried. */
  readonly withNetwork?: CheckEvidence | undefined;
  /** Whether it passed when it was run again as it is. */
  readonly isFlaky?: boolean | undefined;
  readonly file: string;
  /** Whether it is a check of a task: only there `red` is written. */
  readonly isOfTask: boolean;
  /** Whether it was typed after `stint do`, where no key can be set. */
  readonly isTyped: boolean;
  /** Where set-up is set, as `file:line`. */
  readonly setupPlace: string;
  /** A file that it missed and that only the user's checkout has. */
  readonly onlyHere?: string | undefined;
}

/** Says what would make a check answer that could not, or make green what should be; null where nothing is known to help. */
export function cureOf(answered: Answered): string | null {
  const { check, evidence, withNetwork, isFlaky, file, isOfTask, isTyped, setupPlace, onlyHere } = answered;
  const place = isTyped ? "" : `${file}:${check.at.line}: `;
  if (evidence.cause === "set-up")
    return `${setupPlace}: set-up fails on this commit, with the network: fix workspace.setup, or what it needs`;
  if (check.kind === "run" && withNetwork !== undefined && isBetter(withNetwork, evidence)) {
    const written = writtenWithNetwork(check, isOfTask);
    return isTyped
      ? `this check needs the network, which \`stint do\` cannot give: write a plan with ${written}`
      : `${place}this check needs the network: write ${written}`;
  }
  if (isFlaky === true) {
    const now = evidence.state === "red" ? "passed" : "worked";
    return `${place}${now} when it was run again, so it is flaky: fix it first, or a run may blame a task for it`;
  }
  if (evidence.state === "red" && file === rulesFile)
    return `${file}:${check.at.line}: already fails on HEAD, so only a task that fixes it can pass: fix it first, or remove it from the rules`;
  if (evidence.state === "red" && isOfTask && !check.red)
    return `${place}already fails on HEAD, before any work: fix it first, remove it, or drop \`red: false\` if the task is to fix it`;
  const { cure } = brokenWords(evidence.state === "broken" ? evidence.why : "");
  if (cure !== undefined) return `${place}${cure}`;
  if (onlyHere === undefined) return null;
  return `${place}${onlyHere} is in your checkout but not in git, so no run has it: commit it, or let workspace.setup create it`;
}

/** Whether a check that could not be asked now can, or a red one is green. */
export function isBetter(now: CheckEvidence, before: CheckEvidence): boolean {
  return before.state === "broken" ? now.state !== "broken" : before.state === "red" && now.state === "green";
}

/** Separates what happened to a broken check from what helps, which is its last sentence. */
export function brokenWords(why: string): { readonly what: string; readonly cure: string | undefined } {
  const [, what = why, cure] = /^(.*)\. ([A-Z][^.]*\.)$/s.exec(why) ?? [];
  return { what, cure };
}

/** Writes the check as it must be in the list of checks; keys with their default are left out. */
function writtenWithNetwork({ run, timeoutMs, env, cwd, red }: RunCheck, isOfTask: boolean): string {
  const keys = {
    run,
    ...(timeoutMs !== planLimits.checkTimeoutMs && { timeout: writeDuration(timeoutMs) }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== "." && { cwd }),
    ...(!red && isOfTask && { red }),
    network: true,
  };
  return stringify(keys, { collectionStyle: "flow", flowCollectionPadding: true, lineWidth: 0 }).trim();
}
