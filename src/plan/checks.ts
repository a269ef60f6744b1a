import * as z from "zod";
import { planLimits } from "./limits.ts";
import { command, duration, envName, inKey, list, repoPath, text } from "./fields.ts";
import type { Check, FileCheck, JudgeCheck, Position, RunCheck } from "./types.ts";
import { strict } from "./validate.ts";

/** A check as written, before its place in the file is known. */
export type CheckSpec = Unplaced<RunCheck> | UnplacedFileCheck | Unplaced<JudgeCheck>;
type Unplaced<C extends Check> = Omit<C, "at">;
type UnplacedFileCheck = FileCheck extends infer C ? (C extends FileCheck ? Unplaced<C> : never) : never;

/** Reads the `checks` of a document; only a task's may be required to be red first. */
export function checkList(canBeRed: boolean) {
  return list(checkSchema(canBeRed));
}

/** Gives each check its place, for messages and for `stint check`. */
export function placeChecks(
  specs: readonly CheckSpec[],
  at: (path: readonly (string | number)[]) => Position,
): readonly Check[] {
  return specs.map((spec, i) => ({ ...spec, at: at(["checks", i]) }));
}

const kinds = ["run", "exists", "contains", "absent", "judge"] as const;
const onlyWithRun = ["timeout", "env", "cwd", "network"] as const;

/** A text of blanks is worth looking for; an empty text would be found in every file. */
const needle = z.string().refine((value) => value !== "", { error: "must not be empty" });

const fields = strict({
  run: command.optional(),
  exists: repoPath.optional(),
  contains: strict({ file: repoPath, text: needle }).optional(),
  absent: repoPath.optional(),
  judge: text.optional(),
  red: z.boolean().optional(),
  timeout: duration.optional(),
  env: z.record(envName, z.string()).optional(),
  cwd: repoPath.optional(),
  network: z.boolean().optional(),
});
type Fields = z.output<typeof fields>;

function checkSchema(canBeRed: boolean) {
  const written = fields.superRefine(refuseMixedKinds).transform((value) => toSpec(value, canBeRed));
  return z.preprocess((value) => inKey("run", value), written);
}

function refuseMixedKinds(value: Fields, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: "custom", message, params: { code: "check-kind" } });
  const named = kinds.filter((kind) => value[kind] !== undefined);
  // A misspelt kind is already reported as an unknown key.
  if (named.length === 0 && context.issues.some(({ code }) => code === "unrecognized_keys")) return;
  if (named.length !== 1) {
    const found = named.length === 0 ? "none" : named.join(" and ");
    refuse(`must have exactly one of ${kinds.join(", ")}, but has ${found}`);
    return;
  }
  const stray = onlyWithRun.filter((key) => value[key] !== undefined && value.run === undefined);
  if (stray.length > 0) refuse(`has ${stray.join(" and ")}, which only a run check can have`);
  if (value.judge !== undefined && value.red !== undefined) refuse("has red, which a judge check cannot have");
}

function toSpec(value: Fields, canBeRed: boolean): CheckSpec {
  const red = canBeRed && (value.red ?? true);
  if (value.exists !== undefined) return { kind: "exists", path: value.exists, red };
  if (value.absent !== undefined) return { kind: "absent", path: value.absent, red };
  if (value.contains !== undefined) {
    return { kind: "contains", path: value.contains.file, text: value.contains.text, red };
  }
  if (value.judge !== undefined) return { kind: "judge", question: value.judge, red: false };
  const { run = "", timeout = planLimits.checkTimeoutMs, env = {}, cwd = ".", network = false } = value;
  return { kind: "run", run, timeoutMs: timeout, env, cwd, network, red };
}
